// Random plans: no door says that a feature may land unless all of it is finished, and all doors say the same.

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { lint } from "../../../test/lint.js";
import { makePlainPlan } from "../../../test/plan.js";
import { newPlan, steps, Walk } from "../../../test/random-walk.js";
import { endOf } from "../../model/item/item.js";
import type { Node } from "../../model/node/node.js";
import { deriveStatus } from "../../model/status/status.js";
import type { Context } from "../../plan/base/context.js";
import { readAll } from "../../plan/base/resolve.js";
import { occupiedNow } from "../../plan/base/surroundings.js";
import { Standings } from "../../plan/overview/standings.js";
import { waiting } from "../../plan/overview/waiting.js";
import type { Reader } from "../../store/store.js";
import { completeByPerson } from "../task/hand-in.js";
import type { StatusTree } from "./read-status.js";
import { status } from "./read-status.js";

import { toTreeRow } from "./tree-row.js";
import { why } from "./why-node.js";

const RUNS = process.env["PLANWRIGHT_TEST_FULL"] ? 500 : 60;

const isLand = ({ kind, outcome }: Node): boolean => kind === "land" && outcome === null;

/** The rule, once more and from the rows alone: every node below it is settled, something is done, and no new plan is to come. */
async function mayLand(reader: Reader, feature: Node, all: readonly Node[]): Promise<boolean> {
  const below = all.filter((node) => node.feature === feature.nr && node.nr !== feature.nr && node.kind !== "land");
  const isSettled = (node: Node): boolean => {
    if (node.outcome !== null || node.tier === "task") return node.outcome !== null;
    const children = all.filter(({ parent, outcome }) => parent === node.nr && outcome?.kind !== "dropped");
    return node.awaitsPlan === null && children.length > 0 && children.every(isSettled);
  };
  const runs = (await reader.items("run", {})).filter(({ fields }) => {
    const at = all.find(({ nr }) => nr === fields.node)?.feature ?? null;
    return endOf("run", fields) === null && [...(fields.features ?? []), at].includes(feature.nr);
  });
  const isDone = below.some(({ tier, outcome }) => tier === "task" && outcome?.kind === "done");
  return isDone && below.every(isSettled) && feature.awaitsPlan === null && runs.length === 0;
}

const flat = (tree: readonly StatusTree[]): StatusTree[] => tree.flatMap((node) => [node, ...flat(node.children)]);

it("no door offers to land half a feature, and all of them agree", async () => {
  const template = await makePlainPlan();
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const plan = await newPlan();
      const walk = new Walk(plan);
      for (const step of taken) await walk.take(step);
      const context: Context = { ...template, store: plan.store };
      const tree = await status(context, { all: true, archived: true, dropped: true });
      const list = await waiting(context, { limit: 1_000 });
      const linted = await lint(context);
      if (!tree.ok || !list.ok || !linted.ok) throw new Error("nothing was read");
      const shown = new Map(flat(tree.value.tree).map((node) => [node.id, node]));
      const listed = new Set(list.value.entries.filter(({ kind }) => kind === "landing").map(({ id }) => id));
      const warned = linted.value.warnings.filter(({ code }) => code === "W-LAND").map(({ message }) => message);
      const refused: string[] = [];
      await plan.store.read(async (reader) => {
        const all = await readAll(reader);
        const judged = await new Standings(reader).of(all);
        for (const land of all.filter(isLand)) {
          const feature = all.find(({ nr }) => nr === land.parent) as Node;
          const may = await mayLand(reader, feature, all);
          const { reason } = deriveStatus(land, await reader.surroundings(land));
          const asks = reason === "human" && land.acceptance === null;
          const said = (what: string): string => `${what} of ${feature.id}`;
          expect([said("the function"), (await reader.landing(feature)).length === 0]).toEqual([
            said("the function"),
            may,
          ]);
          expect([said("status"), asks && !may]).toEqual([said("status"), false]);
          expect([said("standing"), judged.get(land.nr)?.reason]).toEqual([said("standing"), reason]);
          expect([said("waiting"), listed.has(land.id)]).toEqual([said("waiting"), asks]);
          const isShown = shown.get(feature.id)?.readyToLand ?? false;
          expect([said("tree"), isShown && !asks]).toEqual([said("tree"), false]);
          const row = await toTreeRow(reader, feature, await occupiedNow(reader));
          expect([said("row"), row.readyToLand]).toEqual([said("row"), isShown]);
          const isWorn = feature.tasksLive > 0 && feature.tasksFinished === feature.tasksLive;
          const works = !feature.inbox && feature.outcome === null && feature.archive === null;
          const warns = warned.some((message) => message.startsWith(`${feature.id} cannot land`));
          expect([said("lint"), warns]).toEqual([said("lint"), works && isWorn && !may]);
          if (!may) refused.push(land.id);
        }
      });
      for (const id of refused) {
        const answer = await why(context, id);
        expect([id, answer.ok && answer.value.reason === "human" && answer.value.status === "ready"]).toEqual([
          id,
          false,
        ]);
        const node = (await plan.nodes()).find((each) => each.id === id) as Node;
        expect([id, (await completeByPerson(context, node)).ok]).toEqual([id, false]);
      }
      await plan.store.close();
    }),
    { numRuns: RUNS },
  );
}, 600_000);
