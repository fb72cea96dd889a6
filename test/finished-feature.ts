// A feature whose tasks are all done on its branch, in a real repository: what landing begins with.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Landing, type LandOptions, landFeature } from "../src/engine/landing/land.js";
import type { EngineServices } from "../src/engine/services.js";
import { removeIdleWorktrees } from "../src/engine/worktree/worktree-pool.js";
import type { NodeInput } from "../src/model/node/content.js";
import type { Failure } from "../src/model/result.js";
import { must, mustFail } from "./plan.js";
import { openShop, type Shop, type ShopOptions } from "./shop.js";

export const FEATURE = "planwright/feature/FEAT-A";
export const LAND = "FEAT-A-LAND";
export const never = new AbortController().signal;

export interface Finished extends Shop {
  readonly git: (...args: string[]) => string;
  /** As a person. */
  readonly person: EngineServices;
  landed(options?: LandOptions): Promise<Landing>;
  refused(options?: LandOptions): Promise<Failure>;
  /** Everything in the repository that a refusal must leave as it was. */
  everything(): unknown;
}

/** FEAT-A with all its tasks done on its branch. */
export async function finished(tasks: readonly NodeInput[], options: ShopOptions = {}): Promise<Finished> {
  const shop = await openShop(tasks, options);
  await shop.workThrough();
  await removeIdleWorktrees(shop.services);
  const ends = (await shop.attempts()).map(({ state, note }) =>
    state === "accepted" || state === "pending" ? "" : note,
  );
  expect(ends.join("")).toBe("");
  const person: EngineServices = { ...shop.services, context: shop.plan };
  return {
    ...shop,
    person,
    landed: async (given) => must(await landFeature(person, "FEAT-A", given)),
    refused: async (given) => mustFail(await landFeature(person, "FEAT-A", given)),
    everything: () => [
      shop.git("for-each-ref"),
      shop.git("status", "--porcelain", "--branch"),
      shop.git("worktree", "list", "--porcelain"),
      shop.git("stash", "list"),
      existsSync(join(shop.repository.path, ".git/index.lock")),
    ],
  };
}

export const isClean = (shop: Shop): void => expect(shop.git("status", "--porcelain")).toBe("");
