// Cycles of waiting, over dependencies, containment and landings together: each is found, none is imagined.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { edges, find, type Spec, StorePlan } from "../../../test/store-plan.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import type { Result } from "../../model/result.js";
import type { Store, Writer } from "../store.js";

const said = (result: Result<unknown>): string => (result.ok ? "accepted" : result.error.message);

export function describeCycles(open: () => Promise<Store>): void {
  describe("cycles", () => {
    let plan: StorePlan;

    beforeEach(async () => {
      plan = new StorePlan(await open());
      await plan.add(
        { id: "M", tier: "mission" },
        { id: "F1", tier: "feature", parent: "M" },
        { id: "F2", tier: "feature", parent: "M" },
        { id: "S1", tier: "story", parent: "F1" },
        { id: "S2", tier: "story", parent: "F2" },
        { id: "A", parent: "S1" },
        { id: "B", parent: "S1", dependsOn: ["A"] },
        { id: "C", parent: "S2" },
        { id: "D", parent: "F2" },
      );
    });
    afterEach(async () => {
      expect((await plan.store.verify()).differences).toEqual([]);
      await plan.store.close();
    });

    it("through a chain of dependencies are named in order", async () => {
      await plan.add({ id: "E", parent: "S1", dependsOn: ["B"] });
      expect(said(await plan.depend("A", ["E"]))).toBe("That would make a cycle: A → E → B → A. Nothing was changed.");
    });

    it("through containment", async () => {
      await plan.depend("C", ["S1"]);
      expect(said(await plan.depend("A", ["S2"]))).toMatch(/cycle: A → .*S2.* → A/);
    });

    it("through a landing: two features cannot wait for each other's code", async () => {
      expect(said(await plan.depend("C", ["A"]))).toBe("accepted");
      expect(said(await plan.depend("B", ["D"]))).toMatch(/cycle: B → F2 → S2 → C → F1 → S1 → B/);
    });

    it("but not through gates and reviews, which do not land", async () => {
      await plan.add({ id: "G", parent: "F2", kind: "gate" }, { id: "R", parent: "F2", kind: "review" });
      expect(said(await plan.depend("C", ["A"]))).toBe("accepted");
      expect(said(await plan.depend("B", ["A", "G", "R"]))).toBe("accepted");
      expect(said(await plan.depend("D", ["B"]))).toBe("accepted");
    });

    it("through a task's own land task", async () => {
      expect(said(await plan.depend("A", ["F1-LAND"]))).toMatch(/cycle: A → F1-LAND → S1 → A/);
      expect(said(await plan.depend("D", ["F1-LAND"]))).toBe("accepted");
      expect(said(await plan.depend("A", ["F2-LAND"]))).toMatch(/cycle/);
    });

    it("that a move closes for those who wait for the moved task", async () => {
      await plan.add({ id: "X", parent: "F1", dependsOn: ["A"] }, { id: "Y", parent: "F2", dependsOn: ["X"] });
      // X would wait for F2 to land, which waits for Y, which waits for X.
      expect(said(await plan.move("A", "F2"))).toMatch(/cycle/);
    });

    it("that a move closes for those who wait for something inside a moved story", async () => {
      await plan.add(
        { id: "S3", tier: "story", parent: "F1" },
        { id: "T", parent: "S3" },
        { id: "X", parent: "F1", dependsOn: ["T"] },
        { id: "Y", parent: "F2", dependsOn: ["X"] },
      );
      expect(said(await plan.move("S3", "F2"))).toMatch(/cycle/);
    });

    it("that a move closes for a gate inside a moved story", async () => {
      await plan.add(
        { id: "S3", tier: "story", parent: "F1" },
        { id: "G", parent: "S3", kind: "gate", dependsOn: ["A"] },
        { id: "X", parent: "F1", dependsOn: ["G"] },
      );
      // In F2, G would wait for F1 to land, and X in F1 waits for G.
      expect(said(await plan.move("S3", "F2"))).toMatch(/cycle/);
    });

    it("that a new kind closes", async () => {
      await plan.add(
        { id: "G", parent: "F1", kind: "gate" },
        { id: "X", parent: "F2", dependsOn: ["G"] },
        { id: "Y", parent: "F1", dependsOn: ["X"] },
      );
      expect(said(await plan.trySet("G", { kind: "work" }))).toMatch(/cycle/);
      expect((await plan.node("G")).kind).toBe("gate");
    });

    it("that a move below what waits for it closes", async () => {
      await plan.depend("C", ["D"]);
      await plan.depend("S2", ["B"]);
      expect(said(await plan.move("S1", "F2"))).toBe("accepted");
      expect(said(await plan.move("B", "S2"))).toMatch(/S2 cannot depend on B, which it contains/);
    });

    it("through what a container depends on, which binds everything inside it", async () => {
      await plan.add({ id: "X", parent: "F1", dependsOn: ["A"] });
      expect(said(await plan.depend("S1", ["X"]))).toMatch(/cycle/);
      await plan.add({ id: "I", tier: "initiative", parent: "M", dependsOn: ["X"] });
      expect(said(await plan.move("F1", "I"))).toMatch(/cycle|contains/);
      await plan.add({ id: "S4", tier: "story", parent: "F1" }, { id: "Y", parent: "F1", dependsOn: ["B"] });
      expect(said(await plan.depend("S4", ["Y"]))).toBe("accepted");
      // B would wait for Y, as S4 does, and Y waits for B.
      expect(said(await plan.move("B", "S4"))).toMatch(/cycle/);
    });

    it("through what a container depends on that a whole story moves into", async () => {
      await plan.add(
        { id: "I", tier: "initiative", parent: "M" },
        { id: "F4", tier: "feature", parent: "I" },
        { id: "S4", tier: "story", parent: "F4" },
        { id: "T", parent: "S4" },
        { id: "G", parent: "M", kind: "gate", dependsOn: ["T"] },
        { id: "I2", tier: "initiative", parent: "M", dependsOn: ["G"] },
      );
      expect(said(await plan.move("F4", "I2"))).toMatch(/cycle/);
      expect(said(await plan.depend("I", ["G"]))).toMatch(/cycle/);
    });

    it("neither from nor to a task that is moved out of the way in the same operation", async () => {
      const result = await plan.attempt(async (writer) => {
        const all = await Promise.all(["A", "B"].map((id) => writer.byId(id)));
        const [a, b] = all;
        if (!a || !b) return [];
        return [
          {
            entity: "node",
            key: a.nr,
            before: { dependsOn: [] },
            after: { dependsOn: [{ on: b.nr, origin: "stated" }] },
          },
          { entity: "node", key: b.nr, before: { dependsOn: b.dependsOn }, after: { dependsOn: [] } },
        ];
      });
      expect(said(result)).toBe("accepted");
    });

    describe("in a large batch", () => {
      const many = (parent: string, rest: Partial<Spec> = {}): Spec[] =>
        Array.from({ length: 30 }, (_, i) => ({ id: `N-${i}`, parent, ...rest }));
      const chain = (parent: string, first: readonly string[]): Spec[] =>
        many(parent).map((spec, i) => ({ ...spec, dependsOn: i === 0 ? first : [`N-${i - 1}`] }));

      it("are found inside the batch", async () => {
        expect(said(await plan.tryAdd(...chain("S1", ["N-29"])))).toMatch(/cycle/);
      });

      it("are found from the batch through the plan into a container of the batch", async () => {
        await plan.depend("C", ["S1"]);
        expect(said(await plan.tryAdd(...chain("S1", ["C"])))).toMatch(/cycle/);
      });

      it("are found through a new story in an old feature", async () => {
        await plan.depend("D", ["F1"]);
        const story: Spec = { id: "S9", tier: "story", parent: "F1" };
        expect(said(await plan.tryAdd(story, ...chain("S9", ["D"])))).toMatch(/cycle/);
      });

      it("are found through the landing of an old feature that new work goes into", async () => {
        await plan.depend("B", ["A", "F2"]);
        // N-0 waits for NEW in F1, so for F1 to land; B in F1 waits for F2, which holds N-0.
        const batch: Spec[] = [{ id: "NEW", parent: "F1" }, ...chain("F2", ["NEW"])];
        expect(said(await plan.tryAdd(...batch))).toMatch(/cycle/);
      });

      it("are found when existing nodes are moved with it", async () => {
        await plan.depend("A", ["D"]);
        const ids = many("F1").map(({ id }) => id);
        await plan.add(...many("F1").map((spec) => ({ ...spec, dependsOn: ["A"] })));
        await plan.depend("D", ["N-0"]).then((result) => expect(said(result)).toMatch(/cycle/));
        const { nr } = await plan.node("F2");
        // The new ones wait for A, in F1, which waits for D, in F2, and F2 would wait for them.
        const moved = await plan.trySet(ids, { parent: nr });
        expect(said(moved)).toMatch(/cycle/);
      });

      const withBatch = (change: (writer: Writer) => Promise<readonly Change[]>) =>
        plan.attempt(async (writer) => [...(await plan.births(writer, chain("S1", ["B"]))), ...(await change(writer))]);

      it("are found through what a story contains that moves with it", async () => {
        await plan.add({ id: "S3", tier: "story", parent: "M" }, { id: "T", parent: "S3", dependsOn: ["D"] });
        await plan.depend("D", ["F1"]);
        const moved = await withBatch(async (writer) =>
          changeNode(await find(writer, "S3"), { parent: (await find(writer, "F1")).nr }),
        );
        expect(said(moved)).toMatch(/cycle: .*S3 → T → .*D/);
      });

      it("are found from an old task through the plan and back to it", async () => {
        await plan.add({ id: "X", parent: "S1", dependsOn: ["A"] }, { id: "Y", parent: "S1", dependsOn: ["X"] });
        const linked = await withBatch(async (writer) =>
          changeNode(await find(writer, "A"), { dependsOn: edges([(await find(writer, "Y")).nr]) }),
        );
        expect(said(linked)).toMatch(/cycle: A → Y → X → A/);
      });

      it("are not imagined", async () => {
        expect(said(await plan.tryAdd(...chain("S2", ["B"])))).toBe("accepted");
        expect(
          said(
            await plan.tryAdd(
              ...chain("S2", ["C"]).map((spec) => ({ ...spec, id: `X${spec.id}`, dependsOn: ["C", "A"] })),
            ),
          ),
        ).toBe("accepted");
        expect((await plan.node("N-29")).pending).toBe(1);
      });
    });

    it("are not sought among ten thousand links of a chain one by one", async () => {
      const length = 10_000;
      await plan.add(
        ...Array.from({ length }, (_, i) => ({ id: `L-${i}`, parent: "S1", dependsOn: i === 0 ? [] : [`L-${i - 1}`] })),
      );
      expect(said(await plan.depend("L-0", [`L-${length - 1}`]))).toMatch(/cycle/);
      expect(said(await plan.tryAdd({ id: "L-X", parent: "S1", dependsOn: [`L-${length - 1}`] }))).toBe("accepted");
    });
  });
}
