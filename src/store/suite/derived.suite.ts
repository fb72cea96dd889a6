// Derived columns follow every kind of change: after each, `verify` recomputes them all from nothing.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimFacts, edges, find, freezeFacts, START, StorePlan } from "../../../test/store-plan.js";
import type { Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import type { Store } from "../store.js";

export function describeDerived(open: () => Promise<Store>): void {
  describe("derived columns", () => {
    let plan: StorePlan;

    beforeEach(async () => {
      plan = new StorePlan(await open());
      await plan.add(
        { id: "M", tier: "mission" },
        { id: "IN", tier: "feature", parent: "M", inbox: true },
        { id: "F1", tier: "feature", parent: "M" },
        { id: "F2", tier: "feature", parent: "M" },
        { id: "S1", tier: "story", parent: "F1" },
        { id: "S2", tier: "story", parent: "F2" },
        { id: "A", parent: "S1" },
        { id: "B", parent: "S1", dependsOn: ["A"] },
        { id: "C", parent: "S2", dependsOn: ["A", "S1"] },
        { id: "D", parent: "S2", dependsOn: ["C"] },
        { id: "E", parent: "F1", kind: "gate" },
      );
      await plan.approve("M");
    });
    afterEach(async () => {
      expect((await plan.store.verify()).differences).toEqual([]);
      await plan.store.close();
    });

    const look = async (id: string, ...fields: (keyof Node)[]): Promise<unknown[]> => {
      const node = await plan.node(id);
      return fields.map((field) => node[field]);
    };

    it("count children and tasks, the finished, and what waits from outside", async () => {
      expect(await look("S1", "live", "finished")).toEqual([2, 0]);
      expect(await look("F1", "live", "finished", "tasksLive", "tasksFinished", "awaited")).toEqual([3, 0, 3, 0, 2]);
      await plan.done("A");
      await plan.waive("B");
      expect(await look("S1", "live", "finished")).toEqual([2, 2]);
      expect(await look("F1", "live", "finished", "tasksLive", "tasksFinished")).toEqual([3, 1, 3, 2]);
      await plan.drop("E");
      expect(await look("F1", "live", "finished", "tasksLive", "tasksFinished")).toEqual([2, 1, 2, 2]);
    });

    it("do not call a container done whose children are all dropped, nor one without children", async () => {
      await plan.drop("A", "B");
      expect(await look("S1", "live", "finished")).toEqual([0, 0]);
      expect((await plan.status("S1")).status).not.toBe("done");
      expect(await plan.pending("C")).toBe(2);
      await plan.add({ id: "S9", tier: "story", parent: "F1" });
      expect((await plan.status("S9")).status).not.toBe("done");
    });

    const changes: readonly [string, () => Promise<unknown>][] = [
      ["an edit of the content", () => plan.set("A", { title: "New", body: "b", files: ["x.ts"], profile: "api" })],
      ["an edit of the priority", () => plan.set("A", { priority: 0, estimateHours: 2 })],
      ["a new kind", () => plan.set("A", { kind: "review" })],
      ["a budget that is spent", () => plan.set("A", { budgets: { attempts: 1 }, attempts: 1 })],
      ["a dependency more", () => plan.depend("D", ["C", "B"])],
      ["a dependency less", () => plan.depend("C", ["S1"])],
      [
        "a sequence edge",
        () => plan.commit(async (w) => changeNode(await find(w, "D"), sequenced(await find(w, "E")))),
      ],
      ["a claim", () => plan.claim("A")],
      [
        "a rejection",
        () => plan.set("A", { acceptance: { state: "rejected", by: "checks", at: START, reason: null } }),
      ],
      ["work that waits for a person", () => plan.set("A", { acceptance: pendingAcceptance })],
      ["done", () => plan.done("A")],
      ["waived", () => plan.waive("A")],
      ["dropped", () => plan.drop("A")],
      ["a waived container", () => plan.waive("S1")],
      ["a dropped container", () => plan.drop("S1", "A", "B")],
      ["a freeze", () => plan.freeze("S1", "A", "B")],
      ["an approval taken back", () => plan.set("A", { approval: null })],
      ["an archive", () => plan.set("A", { archive: { by: "human:ada", at: START, root: 1, summary: "x" } })],
      ["a discovery", () => plan.set("A", { discoveries: [{ note: "n", from: 1, by: "human:ada", at: START }] })],
      ["a move within the feature", () => plan.move("A", "F1")],
      ["a move into another feature", () => plan.move("B", "F2")],
      ["a move of a whole story", () => plan.move("S1", "F2")],
      ["a move out of every feature", () => plan.move("S1", "M")],
      ["a move into the inbox", () => plan.move("S1", "IN")],
      [
        "a move of a feature",
        () => plan.add({ id: "I", tier: "initiative", parent: "M" }).then(() => plan.move("F1", "I")),
      ],
      ["a feature that becomes an inbox", () => plan.set("F1", { inbox: true })],
      ["a new task in a finished story", () => plan.done("A", "B").then(() => plan.add({ id: "X", parent: "S1" }))],
      ["a task that is born done", () => plan.add({ id: "X", parent: "S1", ...bornDone })],
    ];
    const sequenced = (target: Node) => ({ dependsOn: [...edges([target.nr], "sequence")] });
    const pendingAcceptance = { state: "pending", by: "agent:bot", at: START, reason: null } as const;
    const bornDone = {
      outcome: { kind: "done", by: "human:ada", at: START, reason: null, op: 3 },
      acceptance: { state: "accepted", by: "checks", at: START, reason: null },
    } as const;

    it.each(changes)("are right after %s, and as before once it is undone", async (_, change) => {
      const plain = async (): Promise<unknown> =>
        (await plan.nodes()).map((node) => ({ ...node, revision: 0, updatedAt: 0 }));
      const first = await latest();
      const before = await plain();
      const result = await change();
      expect(typeof result === "number" || (result as { ok: boolean }).ok).toBe(true);
      expect((await plan.store.verify()).differences).toEqual([]);
      for (let op = await latest(); op > first; op--) expect(await plan.undo(op)).toMatchObject({ ok: true });
      expect(await plain()).toEqual(before);
    });

    const latest = async (): Promise<number> =>
      (await plan.store.read((reader) => reader.operations({ limit: 1 })))[0]?.op ?? 0;

    it("keep the hash of what is approved alone, and make an approval stale when the content changes", async () => {
      expect((await plan.node("A")).hash).toBe((await plan.node("A")).approval?.hash);
      await plan.set("A", { body: "changed" });
      expect(await plan.status("A")).toMatchObject({ status: "planned", reason: "approval-stale" });
      await plan.set("A", { body: "" });
      expect((await plan.status("A")).reason).toBe("claimable");
      await plan.set("A", { approval: null });
      expect((await plan.node("A")).hash).toBe("");
    });

    it("keep nothing claimable inside an inbox, however it got there", async () => {
      expect(await plan.claimable()).toEqual(["A"]);
      await plan.move("S1", "IN");
      expect(await look("A", "feature", "shelved")).toEqual([(await plan.node("IN")).nr, true]);
      expect(await plan.claimable()).toEqual([]);
      await plan.add({ id: "X", parent: "IN" });
      expect((await plan.status("X")).reason).toBe("inbox");
    });

    describe("dependencies", () => {
      it("in progress are not met", async () => {
        await plan.claim("A");
        expect(await plan.pending("B")).toBe(1);
        await plan.set("A", { claim: null, acceptance: pendingAcceptance });
        expect(await plan.pending("B")).toBe(1);
      });

      it("within a feature are met once they are done", async () => {
        await plan.done("A");
        expect(await plan.pending("B")).toBe(0);
        expect((await plan.status("B")).reason).toBe("claimable");
      });

      it("of several kinds are told apart", async () => {
        await plan.set("A", { acceptance: { state: "rejected", by: "checks", at: START, reason: "red" } });
        expect(await plan.status("B")).toMatchObject({ reason: "dep-rejected", because: ["A"] });
        await plan.drop("A");
        expect(await plan.status("B")).toMatchObject({ reason: "dep-dropped", because: ["A"] });
      });

      it("on a container are met when it is done", async () => {
        await plan.add({ id: "G", parent: "F1", dependsOn: ["S1"] });
        await plan.done("A");
        expect(await plan.pending("G")).toBe(1);
        await plan.waive("B");
        expect(await plan.pending("G")).toBe(0);
        await plan.add({ id: "H", parent: "S1" });
        expect(await plan.pending("G")).toBe(1);
        await plan.drop("H");
        expect(await plan.pending("G")).toBe(0);
        await plan.waive("S1");
        expect(await plan.pending("G")).toBe(0);
      });

      it("on a feature or a mission's whole branch are met when that is done, landing included", async () => {
        await plan.add({ id: "W", parent: "F2", dependsOn: ["F1"] });
        await plan.done("A", "B", "E");
        expect(await plan.pending("W")).toBe(1);
        await plan.done("F1-LAND");
        expect(await plan.pending("W")).toBe(0);
      });

      it("that are waived are met at once and everywhere", async () => {
        await plan.waive("A", "B");
        expect([await plan.pending("B"), await plan.pending("C")]).toEqual([0, 0]);
        expect(await plan.pending("C")).toBe(0);
      });

      it("move with a task between features, for those who wait on either side", async () => {
        await plan.depend("C", ["A"]);
        await plan.done("A");
        expect([await plan.pending("B"), await plan.pending("C")]).toEqual([0, 1]);
        await plan.depend("D", []);
        expect(await plan.move("C", "M")).toMatchObject({ ok: true });
        expect(await plan.move("A", "F2")).toMatchObject({ ok: true });
        // For B it is on the other side now, and has not landed with F2.
        expect([await plan.pending("B"), await plan.pending("C")]).toEqual([1, 1]);
        expect(await plan.move("S1", "F2")).toMatchObject({ ok: true });
        expect([await plan.pending("B"), await plan.pending("C")]).toEqual([0, 1]);
        await plan.done("B", "D");
        await plan.done("F2-LAND");
        expect(await plan.pending("C")).toBe(0);
      });
    });

    it("survive a freeze of a whole branch, its thaw, and a claim afterwards", async () => {
      const nodes = ["F1", "S1", "A", "B", "E"];
      await plan.set(nodes, freezeFacts(3));
      expect(await plan.claimable()).toEqual([]);
      expect((await plan.status("A")).status).toBe("frozen");
      await plan.set(nodes, { freeze: null });
      await plan.set("A", (node) => claimFacts(node));
      expect((await plan.status("F1")).status).toBe("in_progress");
    });
  });
}
