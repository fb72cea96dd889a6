// Random plans: what is read of all nodes at once is what reading each of them gives.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { newPlan, steps, Walk } from "../../../test/random-walk.js";
import { orderOf } from "../../model/order/order.js";
import { Waiting } from "../../model/order/waiting.js";
import { deriveStatus } from "../../model/status/status.js";
import { readAll } from "../base/resolve.js";
import { gatherSurroundings } from "../base/surroundings.js";
import { Standings } from "./standings.js";

const RUNS = process.env["PLANWRIGHT_TEST_FULL"] ? 300 : 20;

it("every node has the standing that it has by itself, and the outline gives the same order", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const folder = mkdtempSync(join(tmpdir(), "planwright-standings-"));
      const plan = await newPlan(join(folder, "plan.db"));
      const walk = new Walk(plan);
      for (const step of taken) await walk.take(step);
      await plan.store.read(async (reader) => {
        const nodes = await readAll(reader);
        const standings = new Standings(reader);
        const all = await standings.of(nodes);
        expect(all.size).toBe(nodes.length);
        for (const node of nodes) {
          const { status, reason } = deriveStatus(node, await gatherSurroundings(reader, node));
          expect([node.id, all.get(node.nr)]).toEqual([node.id, { status, reason }]);
          const sorts = await standings.sortsWith([status]);
          const found = new Set<number>();
          for await (const page of reader.listings({ ...(sorts && { sorts }) }))
            for (const { nr } of page) found.add(nr);
          expect([node.id, found.has(node.nr)]).toEqual([node.id, true]);
        }
        const [whole, light] = [new Waiting(nodes), new Waiting(await reader.outline())];
        const numbers = nodes.map(({ nr }) => nr);
        expect(orderOf(numbers, (nr) => light.openFor(nr))).toEqual(orderOf(numbers, (nr) => whole.openFor(nr)));
      });
      await plan.store.close();
      rmSync(folder, { recursive: true, force: true });
    }),
    { numRuns: RUNS },
  );
}, 600_000);
