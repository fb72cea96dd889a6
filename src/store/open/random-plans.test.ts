/* oxlint-disable vitest/expect-expect -- each step of a walk looks at what it did. */
// Random plans, random operations: whatever is accepted keeps every invariant and every derived column,
// and whatever is refused changes nothing.

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applied, cycleIn, newPlan, pick, steps, violationsIn, Walk } from "../../../test/random-walk.js";
import { edges, everything, find, type StorePlan } from "../../../test/store-plan.js";
import { mayContain, type Node } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";

const RUNS = process.env["PLANWRIGHT_TEST_FULL"] ? 1_000 : 80;

describe("random operations", { timeout: 600_000 }, () => {
  it("keep every invariant and every derived column, or change nothing", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const walk = new Walk(await newPlan());
        for (const step of taken) await walk.take(step);
        await walk.expectLooksRight();
        await walk.plan.store.close();
      }),
      { numRuns: RUNS },
    );
  });

  it("are taken back exactly by their inverses, last first", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const plan = await newPlan();
        const walk = new Walk(plan);
        const start = await facts(plan);
        const first = (await plan.store.read((reader) => reader.operations({ limit: 1 })))[0]?.op ?? 0;
        for (const step of taken) await walk.take(step);
        const ops = await plan.store.read((reader) => reader.operations({ limit: 1000 }));
        for (const { op } of ops.filter(({ op }) => op > first)) {
          const undone = await plan.undo(op);
          expect(undone.ok ? "" : undone.error.message).toBe("");
        }
        expect(await facts(plan)).toEqual(start);
        expect((await plan.store.verify()).differences).toEqual([]);
        await plan.store.close();
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });
});

describe("a large batch on a random plan", { timeout: 600_000 }, () => {
  const number = fc.nat(1000);
  const few = fc.array(fc.tuple(number, number), { maxLength: 1 });
  const batch = fc.record({
    links: fc.array(fc.tuple(number, number), { maxLength: 4 }),
    added: fc.array(fc.record({ parent: number, on: fc.array(number, { maxLength: 2 }), wild: fc.nat(120) }), {
      minLength: 18,
      maxLength: 30,
    }),
    moved: few,
    linked: few,
  });
  const HOLDERS = ["F1", "S1", "F2", "S2", "S3"];

  const link = (all: readonly Node[], from: number, to: number): Change[] => {
    const [node, target] = [pick(all, from), pick(all, to)];
    const known = new Set(node?.dependsOn.map((edge) => edge.on));
    if (!node || !target || known.has(target.nr)) return [];
    return changeNode(node, { dependsOn: edges([...known, target.nr]) });
  };

  const move = (all: readonly Node[], which: number, where: number, taken: readonly Change[]): Change[] => {
    const node = pick(all, which);
    if (!node || taken.some((change) => change.key === node.nr)) return [];
    const parent = pick(
      all.filter((p) => mayContain(p.tier, node.tier)),
      where,
    );
    return parent ? changeNode(node, { parent: parent.nr }) : [];
  };

  it("is refused exactly when it breaks something", async () => {
    const seen = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(batch, async ({ links, added, moved, linked }) => {
        const plan = await newPlan();
        for (const [from, to] of links) await plan.attempt(async (writer) => link(await everything(writer), from, to));
        let wouldBe: Node[] = [];
        const result = await plan.attempt(async (writer) => {
          const all = (await everything(writer)).filter((node) => node.kind !== "land");
          const births = await plan.births(
            writer,
            added.map(({ parent, on, wild }, i) => {
              const holder = pick(HOLDERS, parent) ?? "F1";
              // Mostly from the second feature to the first and from later to earlier, so that it can succeed.
              const earlier = added.slice(0, i).flatMap((other, k) => {
                const goesBack = (pick(HOLDERS, other.parent) ?? "") < "F2" === holder < "F2" || holder >= "F2";
                return goesBack ? [`N-${k}`] : [];
              });
              const tame = holder === "F1" || holder === "S1" ? ["A", "B", ...earlier] : ["A", "B", "D", ...earlier];
              const known = wild === 0 ? [...all.map((node) => node.id), ...added.map((_, k) => `N-${k}`)] : tame;
              return { id: `N-${i}`, parent: holder, dependsOn: [...new Set(on.map((n) => pick(known, n) ?? "A"))] };
            }),
          );
          const changes: Change[] = [...births, ...linked.flatMap(([from, to]) => link(all, from, to))];
          for (const [which, where] of moved) changes.push(...move(all, which, where, changes));
          wouldBe = applied(await everything(writer), changes);
          return changes;
        });
        const broken = violationsIn(wouldBe).filter((message) => !message.includes("land task"));
        const isSound = broken.length === 0 && cycleIn(wouldBe) === undefined;
        expect([result.ok, result.ok || result.error.message]).toEqual([isSound, expect.anything()]);
        expect((await plan.store.verify()).differences).toEqual([]);
        seen[result.ok ? "accepted" : "refused"]++;
        await plan.store.close();
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(0);
  });
});

/** Everything but the two values that count operations. */
const facts = async (plan: StorePlan): Promise<unknown> => ({
  nodes: (await plan.nodes()).map((node) => ({ ...node, revision: 0, updatedAt: 0 })),
  ada: await plan.store.read((reader) => reader.focus("human:ada")),
  mission: (await plan.store.read((reader) => find(reader, "MISSION"))).nr,
});
