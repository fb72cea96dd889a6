// A landing whose program is killed at a moment of the test's choice, and the program that comes after it.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { enterState, type LiveAttempt } from "../src/engine/attempt/attempt-state.js";
import { type Advanced, advanceMain, beginLanding, landingRef } from "../src/engine/landing/land-attempt.js";
import { howToLand, readLandingPlan } from "../src/engine/landing/landing-plan.js";
import { type Merging, mergeIntoMain } from "../src/engine/landing/merge.js";
import type { EngineServices } from "../src/engine/services.js";
import { must } from "./plan.js";
import { fileTask, openShop, type Shop } from "./shop.js";

export interface BrokenLanding {
  readonly shop: Shop;
  /** The program that was killed, and the one that comes after it. */
  readonly before: EngineServices;
  readonly after: EngineServices;
  readonly live: LiveAttempt;
  readonly merging: Merging;
}

/** A landing that came as far as its intent. */
export async function beginBroken(): Promise<BrokenLanding> {
  const shop = await openShop([fileTask("one")]);
  await shop.workThrough();
  const before: EngineServices = { ...shop.services, context: shop.plan, process: "test/dead" };
  const after: EngineServices = { ...before, process: "test/next", isAlive: (driver) => driver !== "test/dead" };
  const plan = must(await readLandingPlan(before, "FEAT-A"));
  const merging = must(await mergeIntoMain({ services: before, plan }, await howToLand(before, {}))) as Merging;
  const live = must(await beginLanding(before, plan.land, { base: merging.from, tip: merging.tip }));
  return { shop, before, after, live, merging };
}

export async function intend({ shop, before, live, merging }: BrokenLanding): Promise<void> {
  const { from: base, tip, commit: merged } = merging;
  await enterState(before, live, { to: "prepared" });
  await enterState(before, live, { to: "checking" });
  shop.git("update-ref", landingRef(live.key), merged);
  await enterState(before, live, { to: "integrating", patch: { base, tip, merged } });
}

export const advance = ({ before, live, merging }: BrokenLanding): Promise<Advanced> =>
  advanceMain(before, live.key, merging);

/** As a program leaves it that was killed while it moved the checkout. */
export function leaveHalf(
  { shop, live, merging: { from, commit } }: BrokenLanding,
  files: boolean,
  { owner = live.key, holder = "" }: { readonly owner?: string; readonly holder?: string } = {},
): void {
  const text = `planwright: ${owner}\n${from} ${commit}\n`;
  const lock = join(shop.repository.path, ".git/index.lock");
  writeFileSync(lock, holder === "" ? text : `${text}${holder}\n`);
  if (files) writeFileSync(join(shop.repository.path, "one.txt"), "one\n");
}

/** A git that does something first. */
export function stubGit({ repository }: Shop, first: string): void {
  const folder = join(repository.around, "bin");
  mkdirSync(folder, { recursive: true });
  // Written into the script: git sees only a few variables of our environment.
  const script = `#!/bin/sh\nreal() { PATH="${process.env["PATH"]}" git "$@"; }\n${first}\nreal "$@"\n`;
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

export const nothingIsLeft = (shop: Shop): void => {
  expect(shop.git("status", "--porcelain")).toBe("");
  const namesIn = (prefix: string): string[] =>
    shop.git("for-each-ref", `--format=%(refname:lstrip=${prefix.split("/").length})`, prefix).split("\n");
  // Accepted work is kept as long as its feature has not landed.
  const unlanded = namesIn("refs/heads/planwright/feature").map((name) => (name === "" ? "" : `accepted/${name}`));
  expect(namesIn("refs/planwright")).toEqual(unlanded);
  expect(readdirSync(join(shop.repository.path, ".git")).filter((name) => /lock|planwright/.test(name))).toEqual([]);
};
