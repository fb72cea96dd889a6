// Following the log: every operation once and in order, from any point on.

import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followed } from "../../../test/followed.js";
import { StorePlan } from "../../../test/store-plan.js";
import { refused } from "../../model/result.js";
import type { Store } from "../store.js";

export function describeFollow(open: () => Promise<Store>): void {
  describe("follow", () => {
    let plan: StorePlan;

    beforeEach(async () => {
      plan = new StorePlan(await open());
      await plan.add({ id: "M", tier: "mission" });
    });
    afterEach(() => plan.store.close());

    const rename = (title: string): Promise<number> => plan.set("M", { title });

    it("gives what was committed before, then what is committed later", async () => {
      const first = await plan.store.read((reader) => reader.lastOperation());
      const second = await rename("Two");
      const following = followed(plan.store, first - 1, 3);
      const third = await rename("Three");
      expect(await following).toEqual([first, second, third]);
    });

    it("gives the whole operation", async () => {
      const op = await rename("Two");
      for await (const operation of plan.store.follow(op - 1)) {
        expect(operation).toEqual(await plan.store.read((reader) => reader.operation(op)));
        break;
      }
    });

    it("gives nothing for a commit that was refused or changed nothing", async () => {
      const last = await plan.store.read((reader) => reader.lastOperation());
      const following = followed(plan.store, last, 1);
      await plan.store.commit({ actor: "human:ada", verb: "test", now: () => 1, commit: null }, async () =>
        refused("no", "No."),
      );
      await plan.commit(async () => []);
      const op = await rename("Two");
      expect(await following).toEqual([op]);
    });

    it("ends when its signal is aborted, while it waits and before it starts", async () => {
      const ending = new AbortController();
      const seen: number[] = [];
      const following = (async () => {
        for await (const { op } of plan.store.follow(0, { signal: ending.signal })) {
          seen.push(op);
          ending.abort();
        }
      })();
      await following;
      for await (const { op } of plan.store.follow(0, { signal: ending.signal })) seen.push(op);
      expect(seen).toEqual([1]);
    });

    it("ends when the store is closed", async () => {
      const last = await plan.store.read((reader) => reader.lastOperation());
      const following = followed(plan.store, last, 1);
      await plan.store.close();
      expect(await following).toEqual([]);
      plan = new StorePlan(await open());
    });

    it("loses and repeats nothing, however followers come, go on and resume", async () => {
      const step = fc.oneof(
        fc.record({ kind: fc.constant("commit" as const), count: fc.integer({ min: 1, max: 5 }) }),
        fc.record({ kind: fc.constant("follow" as const), from: fc.nat(30), take: fc.integer({ min: 1, max: 12 }) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const start = await plan.store.read((reader) => reader.lastOperation());
          const followers: { from: number; take: number; seen: Promise<number[]> }[] = [];
          let commits = 0;
          for (const each of steps) {
            if (each.kind === "commit") {
              commits += each.count;
              await Promise.all(Array.from({ length: each.count }, (_, i) => rename(`${commits} ${i}`)));
            } else {
              const from = start + Math.min(each.from, commits);
              followers.push({ from, take: each.take, seen: resumed(plan.store, from, each.take) });
            }
          }
          // What the last follower still waits for.
          for (let i = 0; i < 12; i++) await rename(`last ${i}`);
          for (const { from, take, seen } of followers) {
            expect(await seen).toEqual(Array.from({ length: take }, (_, i) => from + 1 + i));
          }
        }),
        { numRuns: 25 },
      );
    });
  });
}

/** Breaks off half-way and goes on from the last number it saw. */
async function resumed(store: Store, after: number, count: number): Promise<number[]> {
  const first = await followed(store, after, Math.ceil(count / 2));
  return [...first, ...(await followed(store, first.at(-1) ?? after, count - first.length))];
}
