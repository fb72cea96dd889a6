// Clones of one repository on this machine, each with a plan of its own, and a bare repository that they share through.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type SyncAnswer, type SyncPlace, syncWith } from "../src/exchange/sync/sync.js";
import { gitIn } from "./git-repository.js";
import { addAll, makeEmptyPlan, must, type TestPlan } from "./plan.js";

export interface Site {
  readonly name: string;
  readonly plan: TestPlan;
  readonly place: SyncPlace;
  readonly folder: string;
  sync(): Promise<SyncAnswer>;
  git(...args: string[]): string;
}

export interface Sites {
  readonly remote: string;
  /** `hours`: how wrong its clock is. */
  add(name: string, hours?: number): Promise<Site>;
}

export function makeSites(): Sites {
  const top = mkdtempSync(join(tmpdir(), "planwright-sites-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const remote = join(top, "remote.git");
  gitIn(top, "init", "-q", "--bare", "-b", "main", remote);
  const add = async (name: string, hours = 0): Promise<Site> => {
    const folder = join(top, name);
    gitIn(top, "clone", "-q", remote, folder);
    const plan = await makeEmptyPlan(":memory:", `human:${name}`);
    onTestFinished(() => plan.store.close());
    plan.pass(hours * 3_600_000);
    const { store, actor, now, head } = plan;
    const place: SyncPlace = { store, actor, now, head, folder, name };
    const sync = async (): Promise<SyncAnswer> => must(await syncWith(place, "origin"));
    return { name, plan, place, folder, sync, git: (...args) => gitIn(folder, ...args) };
  };
  return { remote, add };
}

/** What every plan begins with. */
export const begin = ({ plan }: Site): Promise<unknown> =>
  addAll(plan, [
    { id: "MISSION", tier: "mission", title: "The mission" },
    { id: "FEAT-A", tier: "feature", title: "Feature A", parent: "MISSION" },
    { id: "STORY-A", tier: "story", title: "Story A", parent: "FEAT-A" },
  ]);

/** All that people see of a plan, without what is only about one machine. */
export async function picture({ plan }: Site): Promise<string> {
  const lines = await plan.store.read(async (reader) => {
    const seen: string[] = [];
    for await (const node of reader.scan()) {
      const named = async (nr: number | null): Promise<string> =>
        nr === null ? "-" : ((await reader.node(nr))?.uuid ?? "?");
      const edges = await Promise.all(node.dependsOn.map(({ on }) => named(on)));
      const { uuid, id, tier, title, body, kind, files, checks, priority, outcome, freeze, attempts, archive } = node;
      const facts = [outcome?.kind, node.acceptance?.state, freeze?.reason, attempts, archive?.by];
      seen.push(
        JSON.stringify([
          uuid,
          id,
          tier,
          title,
          body,
          kind,
          files,
          checks,
          priority,
          await named(node.parent),
          edges,
          facts,
        ]),
      );
    }
    for (const { fields } of await reader.items("comment", {}))
      seen.push(JSON.stringify([await reader.idOf(fields.node), fields.text]));
    return seen;
  });
  return lines.sort().join("\n");
}
