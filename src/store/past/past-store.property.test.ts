// Random plans, random operations: the plan at any past moment is, row by row, what it was then.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newPlan, steps, Walk } from "../../../test/random-walk.js";
import { openBeside } from "../dialects/sqlite/plan-beside.js";
import type { Reader } from "../store.js";
import { KeptStates } from "./kept-states.js";
import { PastMoments } from "./past-store.js";

const RUNS = process.env["PLANWRIGHT_TEST_FULL"] ? 300 : 25;

/** Everything that a reader can see of the plan. */
async function seen(reader: Reader): Promise<unknown> {
  const nodes = [];
  for await (const node of reader.scan()) {
    nodes.push({ node, around: await reader.surroundings(node), dependents: await reader.dependents(node.nr) });
  }
  return {
    nodes,
    op: await reader.lastOperation(),
    latest: await reader.operations({ limit: 3 }),
    claimable: await reader.claimable({ limit: 100 }),
    census: await reader.census(),
    comments: await reader.items("comment", {}),
    levels: await reader.items("level", {}),
    focus: await reader.focus("human:ada"),
  };
}

describe("the plan at a past moment", { timeout: 600_000 }, () => {
  it("is what it was then, in whatever order moments are looked at", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(fc.nat(1000), { minLength: 3, maxLength: 12 }), async (taken, looks) => {
        const folder = mkdtempSync(join(tmpdir(), "planwright-past-"));
        const plan = await newPlan(join(folder, "plan.db"));
        const { store } = plan;
        const walk = new Walk(plan);
        const known = new Map<number, unknown>();
        const note = async (): Promise<void> =>
          store.read(async (reader) => void known.set(await reader.lastOperation(), await seen(reader)));
        await note();
        for (const step of taken) {
          await walk.take(step);
          await note();
        }
        const ops = [...known.keys()];
        const path = join(folder, "plan.db");
        const moments = new PastMoments({
          open: (file) => openBeside(path, file),
          states: new KeptStates(`${path}-past`),
          distances: { near: 0, changesApart: 6 },
        });
        mkdirSync(`${path}-past`);
        await moments.prepare(new AbortController().signal);
        for (const look of looks) {
          const op = ops[look % ops.length] as number;
          const past = await store.past(op);
          expect(await past.read(seen)).toEqual(known.get(op));
          expect(await moments.read(op, seen)).toEqual(known.get(op));
        }
        const wanted = looks.map((look) => ops[look % ops.length] as number);
        expect(await Promise.all(wanted.map((op) => moments.read(op, seen)))).toEqual(
          wanted.map((op) => known.get(op)),
        );
        expect(readdirSync(`${path}-past`).filter((name) => !name.endsWith(".state"))).toEqual([]);
        await moments.close();
        await store.close();
        rmSync(folder, { recursive: true, force: true });
      }),
      { numRuns: RUNS },
    );
  });
});
