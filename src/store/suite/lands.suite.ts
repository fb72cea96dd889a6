// Land tasks: minted with the feature, open as long as something in it is, and what other features wait for.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { find, START, StorePlan } from "../../../test/store-plan.js";
import { changeNode, removeNode } from "../../model/operation/change.js";
import type { Store } from "../store.js";

export function describeLands(open: () => Promise<Store>): void {
  describe("landing", () => {
    let plan: StorePlan;

    beforeEach(async () => {
      plan = new StorePlan(await open());
      await plan.add(
        { id: "M", tier: "mission" },
        { id: "F1", tier: "feature", parent: "M", title: "First" },
        { id: "F2", tier: "feature", parent: "M" },
        { id: "S1", tier: "story", parent: "F1" },
        { id: "A", parent: "S1" },
        { id: "X", parent: "F2", dependsOn: ["A"] },
      );
      await plan.approve("M");
    });
    afterEach(async () => {
      expect((await plan.store.verify()).differences).toEqual([]);
      await plan.store.close();
    });

    const lands = async (feature: string): Promise<string[]> => {
      const { nr } = await plan.node(feature);
      const children = await plan.store.read((reader) => reader.children(nr));
      return children
        .filter((node) => node.kind === "land")
        .map((node) => `${node.id} ${node.outcome?.kind ?? "open"}`);
    };

    it("is minted with the feature, in the same operation", async () => {
      expect(await lands("F1")).toEqual(["F1-LAND open"]);
      const op = await plan.add({ id: "F3", tier: "feature", parent: "M", title: "Third" });
      const land = await plan.node("F3-LAND");
      expect(land).toMatchObject({ kind: "land", title: "Land: Third", createdBy: "human:ada", revision: 1 });
      const changes = await plan.store.read((reader) => reader.changes(op));
      expect(changes.map(({ key }) => key)).toEqual([(await plan.node("F3")).nr, land.nr]);
    });

    it("is not minted for an inbox", async () => {
      await plan.add({ id: "IN", tier: "feature", parent: "M", inbox: true }, { id: "Y", parent: "IN" });
      expect(await lands("IN")).toEqual([]);
    });

    it("waits for the feature's tasks, and is a person's to do", async () => {
      expect(await plan.status("F1-LAND")).toMatchObject({ reason: "deps-pending", because: ["A"] });
      await plan.done("A");
      expect(await plan.status("F1-LAND")).toMatchObject({ status: "ready", reason: "human" });
      await plan.drop("X");
      expect(await plan.status("F2-LAND")).toMatchObject({ reason: "deps-pending", because: ["F2"] });
    });

    it("names what changed above it after its approval, until only the landing is missing", async () => {
      await plan.set("F1", { body: "changed" });
      expect(await plan.status("A")).toMatchObject({ reason: "approval-stale", because: ["F1"] });
      expect(await plan.status("F1-LAND")).toMatchObject({
        status: "planned",
        reason: "approval-stale",
        because: ["F1"],
      });
      await plan.done("A");
      expect(await plan.status("F1-LAND")).toMatchObject({ status: "ready", reason: "human" });
    });

    it("meets what other features wait for, and not before", async () => {
      await plan.done("A");
      expect(await plan.status("X")).toMatchObject({ reason: "deps-pending", because: ["F1-LAND"] });
      await plan.done("F1-LAND");
      expect((await plan.status("X")).reason).toBe("claimable");
      expect((await plan.status("F1")).status).toBe("done");
    });

    it("counts as landed when it is waived", async () => {
      await plan.done("A");
      await plan.waive("F1-LAND");
      expect(await plan.pending("X")).toBe(0);
    });

    it("is minted again when work is added, moved in (with its story, too) or opened after a landing", async () => {
      await plan.done("A");
      const landed = await plan.done("F1-LAND");
      const added = await plan.add({ id: "B", parent: "S1" });
      expect(await lands("F1")).toEqual(["F1-LAND done", "F1-LAND-2 open"]);
      expect(await plan.pending("X")).toBe(0);
      expect(await plan.undo(added)).toMatchObject({ ok: true });
      expect(await lands("F1")).toEqual(["F1-LAND done"]);
      await plan.set("A", { outcome: null, acceptance: null });
      expect(await lands("F1")).toEqual(["F1-LAND done", "F1-LAND-2 open"]);
      expect(landed).toBeGreaterThan(0);
    });

    it("is minted again when a story with open work moves in", async () => {
      await plan.done("A");
      await plan.done("F1-LAND");
      await plan.add({ id: "S2", tier: "story", parent: "F2" }, { id: "Y", parent: "S2" });
      await plan.move("S2", "F1");
      expect(await lands("F1")).toEqual(["F1-LAND done", "F1-LAND-2 open"]);
    });

    it("is minted again when a waived story with open work moves in", async () => {
      await plan.done("A");
      await plan.done("F1-LAND");
      await plan.add({ id: "S2", tier: "story", parent: "F2" }, { id: "Y", parent: "S2" });
      await plan.waive("S2");
      await plan.move("S2", "F1");
      expect(await lands("F1")).toEqual(["F1-LAND done", "F1-LAND-2 open"]);
    });

    it("is not minted again when the rest of a feature is waived with it", async () => {
      await plan.done("A");
      await plan.add({ id: "S2", tier: "story", parent: "F1" }, { id: "Y", parent: "S2" });
      await plan.waive("S2", "Y", "F1-LAND");
      expect(await lands("F1")).toEqual(["F1-LAND waived"]);
    });

    it("is not minted again for work that moves in finished", async () => {
      await plan.done("A", "X");
      await plan.done("F1-LAND");
      await plan.move("X", "F1");
      expect(await lands("F1")).toEqual(["F1-LAND done"]);
    });

    it("is minted again when a dropped feature with open work comes back", async () => {
      await plan.drop("F1");
      await plan.drop("F1-LAND");
      await plan.set("F1", { outcome: null });
      expect(await lands("F1")).toEqual(["F1-LAND dropped", "F1-LAND-2 open"]);
    });

    it("has to happen again for code that was finished since, and for no other reason", async () => {
      await plan.done("A");
      await plan.done("F1-LAND");
      await plan.add({ id: "Y", parent: "F2", dependsOn: ["S1"] });
      await plan.approve("F2");
      expect(await plan.pending("Y")).toBe(0);
      await plan.add({ id: "B", parent: "S1" }, { id: "C", parent: "S1" }, { id: "G", parent: "S1", kind: "gate" });
      expect(await plan.pending("Y")).toBe(1);
      await plan.drop("B");
      await plan.waive("C");
      await plan.done("G");
      expect(await plan.pending("Y")).toBe(0);
      await plan.add({ id: "D", parent: "S1" });
      await plan.done("D");
      expect(await plan.status("Y")).toMatchObject({ because: ["F1-LAND-2"] });
      await plan.done("F1-LAND-2");
      expect(await plan.pending("Y")).toBe(0);
    });

    it("has to happen again when finished code moves into a finished story", async () => {
      await plan.done("A");
      await plan.done("F1-LAND");
      await plan.add({ id: "Y", parent: "F2", dependsOn: ["S1"] });
      await plan.add({ id: "B", parent: "F1" });
      await plan.done("B");
      expect(await plan.pending("Y")).toBe(0);
      await plan.move("B", "S1");
      expect(await plan.pending("Y")).toBe(1);
      await plan.move("B", "F1");
      expect(await plan.pending("Y")).toBe(0);
    });

    it("has to happen again when code comes finished, and not once that is taken away", async () => {
      await plan.done("A");
      await plan.done("F1-LAND");
      await plan.add({ id: "Y", parent: "F2", dependsOn: ["S1"] });
      const born = await plan.add({
        id: "B",
        parent: "S1",
        outcome: { kind: "done", by: "human:ada", at: 1, reason: null, op: 99 },
        acceptance: { state: "accepted", by: "checks", at: 1, reason: null },
      });
      expect(await plan.pending("Y")).toBe(1);
      expect(await plan.undo(born)).toMatchObject({ ok: true });
      expect(await plan.pending("Y")).toBe(0);
    });

    it("is not asked of a story without code", async () => {
      await plan.add(
        { id: "S2", tier: "story", parent: "F1" },
        { id: "G", parent: "S2", kind: "gate" },
        { id: "R", parent: "S2", kind: "review" },
        { id: "W", parent: "S2" },
        { id: "Y", parent: "F2", dependsOn: ["S2", "G"] },
      );
      await plan.done("G", "R");
      await plan.waive("W");
      expect(await plan.pending("Y")).toBe(0);
    });

    it("is undone, and then others wait again", async () => {
      await plan.done("A");
      const op = await plan.done("F1-LAND");
      expect(await plan.pending("X")).toBe(0);
      await plan.undo(op);
      expect(await plan.pending("X")).toBe(1);
      expect((await plan.node("F1")).landedOp).toBeNull();
    });

    it("counts by the latest of several landings", async () => {
      await plan.done("A");
      await plan.done("F1-LAND");
      await plan.add({ id: "B", parent: "F1" });
      await plan.done("B");
      const second = await plan.done("F1-LAND-2");
      expect((await plan.node("F1")).landedOp).toBe(second);
      await plan.undo(second);
      expect((await plan.node("F1")).landedOp).toBeLessThan(second);
      expect(await plan.pending("X")).toBe(0);
    });

    describe("is kept by the store", () => {
      const refusal = async (attempt: Promise<{ ok: boolean; error?: { message: string } }>): Promise<string> => {
        const result = await attempt;
        return result.ok ? "accepted" : (result.error?.message ?? "");
      };

      it("and is not settled while something is open", async () => {
        for (const verb of ["done", "waive", "drop"] as const) {
          await expect(plan[verb]("F1-LAND")).rejects.toThrow(/F1-LAND stays open as long as something in F1 is/);
        }
        const land = await plan.node("F1-LAND");
        expect(await refusal(plan.attempt(async () => [removeNode(land)]) as never)).toMatch(/stays open/);
      });

      it("and goes with the rest of its feature", async () => {
        await plan.drop("F1", "S1", "A", "F1-LAND");
        expect(await lands("F1")).toEqual(["F1-LAND dropped"]);
      });

      it("and is one: no second one is added or opened again", async () => {
        const second = plan.tryAdd({ id: "MINE", kind: "land", parent: "F1" });
        expect(await refusal(second as never)).toMatch(/MINE cannot be open: F1-LAND is/);
        await plan.done("A");
        const op = await plan.done("F1-LAND");
        await plan.add({ id: "B", parent: "F1" });
        expect(await refusal(plan.undo(op) as never)).toMatch(/F1-LAND cannot be open: F1-LAND-2 is/);
      });

      it("and two new ones in one operation are one too many", async () => {
        const both = plan.tryAdd(
          { id: "F3", tier: "feature", parent: "M" },
          { id: "L1", kind: "land", parent: "F3" },
          { id: "L2", kind: "land", parent: "F3" },
        );
        expect(await refusal(both as never)).toMatch(/L2 cannot be open/);
      });

      it("and neither moves nor changes its kind, nor stands anywhere else", async () => {
        expect(await refusal(plan.move("F1-LAND", "F2") as never)).toMatch(/stays with its feature/);
        expect(await refusal(plan.trySet("F1-LAND", { kind: "work" }) as never)).toMatch(/cannot change/);
        expect(await refusal(plan.trySet("A", { kind: "land" }) as never)).toMatch(/cannot change/);
        const astray = plan.tryAdd({ id: "L", kind: "land", parent: "S1" });
        expect(await refusal(astray as never)).toMatch(/directly below a feature/);
      });

      it("even when its name is taken, too long, or cut through a character", async () => {
        await plan.add({ id: "F9-LAND", parent: "F2" }, { id: "f9-land-2", parent: "F2" });
        await plan.add({ id: "F9", tier: "feature", parent: "M" });
        expect(await lands("F9")).toEqual(["F9-LAND-3 open"]);
        const long = "L".repeat(64);
        await plan.add({ id: long, tier: "feature", parent: "M", title: `${"x".repeat(493)}👍` });
        const [land] = await lands(long);
        expect(land?.split(" ")[0]?.length).toBeLessThanOrEqual(64);
        expect((await plan.node(land?.split(" ")[0] ?? "")).title).toMatch(/x$/);
      });

      it("through an undo: a land task that is still needed stays, and comes back only once", async () => {
        await plan.done("A");
        await plan.done("F1-LAND");
        const first = await plan.add({ id: "B", parent: "F1" });
        await plan.add({ id: "C", parent: "F1" });
        expect(await plan.undo(first)).toMatchObject({ ok: true });
        expect(await lands("F1")).toEqual(["F1-LAND done", "F1-LAND-2 open"]);
        const redone = await plan.attempt((writer) => writer.changes(first), "human:ada", { redoes: first });
        expect(redone).toMatchObject({ ok: true });
        expect(await lands("F1")).toEqual(["F1-LAND done", "F1-LAND-2 open"]);
        expect((await plan.node("B")).outcome).toBeNull();
      });

      it("through an undo: what a feature got when it was opened again goes when that is taken back", async () => {
        await plan.set("F1", { archive: { by: "human:ada", at: START, root: 1, summary: null } });
        const settled = await plan.waive("F1-LAND");
        const opened = await plan.set("F1", { archive: null });
        expect(await lands("F1")).toEqual(["F1-LAND waived", "F1-LAND-2 open"]);
        expect(await plan.undo(opened)).toMatchObject({ ok: true });
        expect(await lands("F1")).toEqual(["F1-LAND waived"]);
        expect(await plan.undo(settled)).toMatchObject({ ok: true });
        expect(await lands("F1")).toEqual(["F1-LAND open"]);
      });
    });

    it("may happen in the same operation as the last of the work", async () => {
      await plan.set(["A", "F1-LAND"], (_, op) => ({
        outcome: { kind: "done", by: "human:ada", at: 1, reason: null, op },
        acceptance: { state: "accepted", by: "checks", at: 1, reason: null },
      }));
      expect(await plan.pending("X")).toBe(0);
    });

    it("counts code again that is finished again in one step", async () => {
      await plan.done("A");
      await plan.done("F1-LAND");
      await plan.commit(async (writer) => {
        const a = await find(writer, "A");
        const outcome = a.outcome && { ...a.outcome, op: writer.op };
        return changeNode(a, { outcome });
      });
      expect(await plan.pending("X")).toBe(1);
    });
  });
}
