// The one door: all or nothing, and nothing without a trace.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { doneFacts, edges, everything, find, freezeFacts, START, StorePlan } from "../../../test/store-plan.js";
import { changeFocus, changeNode, removeNode } from "../../model/operation/change.js";
import { ok, refused } from "../../model/result.js";
import type { Store } from "../store.js";

const ICE = { reason: "wait", by: "human:ada", at: START, from: 1, commit: null };
const INTENT = { actor: "human:ada", verb: "test", now: () => START, commit: "c0ffee" };

export function describeCommit(open: () => Promise<Store>): void {
  describe("commit", () => {
    let plan: StorePlan;

    beforeEach(async () => {
      plan = new StorePlan(await open());
      await plan.add(
        { id: "M", tier: "mission" },
        { id: "F", tier: "feature", parent: "M" },
        { id: "S", tier: "story", parent: "F" },
        { id: "A", parent: "S" },
        { id: "B", parent: "S", dependsOn: ["A"] },
      );
    });
    afterEach(async () => {
      expect((await plan.store.verify()).differences).toEqual([]);
      await plan.store.close();
    });

    const state = async (): Promise<unknown> => ({
      nodes: await plan.nodes(),
      operations: await plan.store.read((reader) => reader.operations({ limit: 99 })),
    });

    it("writes the rows, one revision further, and the operation that did it", async () => {
      const before = await plan.node("A");
      const op = await plan.set("A", { title: "Another title", body: "text" });
      const after = await plan.node("A");
      expect(after).toMatchObject({ title: "Another title", body: "text", revision: before.revision + 1 });
      expect(after.updatedAt).toBeGreaterThan(before.updatedAt);
      expect((await plan.node("B")).revision).toBe(1);
      expect(await plan.store.read((reader) => reader.changes(op))).toEqual([
        {
          entity: "node",
          key: after.nr,
          before: { title: before.title, body: "" },
          after: { title: "Another title", body: "text" },
        },
      ]);
    });

    it("is never earlier than the operation before it, whatever the clock says", async () => {
      await plan.attempt(async () => changeFocus("human:ada", null, 1), "human:ada", { now: () => START + 5_000 });
      let seen = 0;
      const late = await plan.attempt(
        async (writer) => {
          seen = writer.at;
          return changeNode(await find(writer, "A"), { body: "text" });
        },
        "human:ada",
        { now: () => START },
      );
      expect(seen).toBe(START + 5_000);
      const logged = await plan.store.read((reader) => reader.operation(late.ok ? (late.value.op ?? 0) : 0));
      expect(logged?.at).toBe(START + 5_000);
      expect((await plan.node("A")).updatedAt).toBe(START + 5_000);
    });

    it("is rehearsed, and nothing of that stays", async () => {
      const before = await state();
      const now = (): number => START;
      const look = (): Promise<unknown> =>
        plan.store.rehearse(now, async (writer) => {
          const rows = [await writer.allocate(3), await writer.allocate(1), await writer.mint("task", 2)];
          const hash = await writer.keep("a long text");
          return ok({ rows, text: await writer.document(hash), none: await writer.document("0"), op: writer.op });
        });
      const first = await look();
      expect(first).toMatchObject({ ok: true, value: { text: "a long text", none: undefined } });
      expect(await look()).toEqual(first);
      expect(await plan.store.rehearse(now, async () => refused("because", "It is so."))).toMatchObject({ ok: false });
      expect(await state()).toEqual(before);
      const kept = await plan.store.read((reader) => reader.document("1"));
      expect(kept).toBeUndefined();
    });

    it("draws random bytes, as many as were asked for, and never the same again", async () => {
      const sizes = Array.from({ length: 60 }, (_, i) => [16, 10, 600, 7][i % 4] as number);
      const drawn: string[] = [];
      await plan.store.commit(INTENT, async (writer) => {
        for (const bytes of sizes) drawn.push(await writer.random(bytes));
        return ok({ sentence: "", changes: [], value: null });
      });
      expect(drawn.map((digits) => digits.length)).toEqual(sizes.map((bytes) => bytes * 2));
      expect(new Set(drawn.map((digits) => digits.slice(0, 14))).size).toBe(sizes.length);
      for (const digits of drawn) expect(digits).toMatch(/^[0-9a-f]+$/);
    });

    it("hands out its own number, fresh rows and fresh ids, none of them twice", async () => {
      const committed = await plan.store.commit(INTENT, async (writer) => {
        const [row, next] = [await writer.allocate(3), await writer.allocate(1)];
        const [id, above] = [await writer.mint("task", 2), await writer.mint("task", 1, 40)];
        const [one, two] = [await writer.random(16), await writer.random(16)];
        const node = await find(writer, "A");
        const value = { op: writer.op, row, next, id, above, after: await writer.mint("task", 1), one, two };
        return ok({ sentence: "counted", changes: changeNode(node, { body: "x" }), value });
      });
      if (!committed.ok) throw new Error(committed.error.message);
      const { op, value } = committed.value;
      expect(value.op).toBe(op);
      expect(value.next).toBe(value.row + 3);
      expect([value.id, value.above, value.after]).toEqual([1, 41, 42]);
      expect(value.one).toMatch(/^[0-9a-f]{32}$/);
      expect(value.one).not.toBe(value.two);
      expect(await plan.store.read((reader) => reader.operation(op ?? 0))).toMatchObject({ commit: "c0ffee" });
    });

    it("takes back every counter when it is refused", async () => {
      const numbers: number[] = [];
      for (let i = 0; i < 2; i++) {
        await plan.store.commit(INTENT, async (writer) => {
          numbers.push(await writer.allocate(5), await writer.mint("story", 5), writer.op);
          return refused("no", "No.");
        });
      }
      expect(numbers.slice(0, 3)).toEqual(numbers.slice(3));
    });

    it("writes nothing when the decision is a refusal, and hands the refusal on", async () => {
      const before = await state();
      const result = await plan.store.commit(INTENT, async () => refused("because", "It is so."));
      expect(result).toMatchObject({ ok: false, error: { kind: "refused", reason: "because", message: "It is so." } });
      expect(await state()).toEqual(before);
    });

    it("writes nothing when the decision throws, and goes on working", async () => {
      const before = await state();
      const failing = plan.store.commit(INTENT, async (writer) => {
        await writer.allocate(7);
        throw new Error("a bug");
      });
      await expect(failing).rejects.toThrow("a bug");
      expect(await state()).toEqual(before);
      await plan.set("A", { body: "still fine" });
    });

    it("refuses to be asked through the store by its own decision, and goes on working", async () => {
      const asked: (() => Promise<unknown>)[] = [
        () => plan.store.read((reader) => reader.lastOperation()),
        () => plan.store.rehearse(INTENT.now, async () => ok(0)),
        () => plan.set("A", { body: "inside" }),
      ];
      const before = await state();
      for (const ask of asked) {
        const deciding = async (): Promise<never> => {
          await ask();
          throw new Error("It was answered.");
        };
        await expect(plan.attempt(deciding)).rejects.toThrow(/inside a transaction of its own/);
        await expect(plan.store.rehearse(INTENT.now, deciding)).rejects.toThrow(/inside a transaction of its own/);
      }
      expect(await state()).toEqual(before);
      let later = Promise.resolve(0);
      await plan.attempt(async () => {
        later = new Promise((resolve) => setTimeout(resolve, 20)).then(() => plan.set("A", { body: "afterwards" }));
        return [];
      });
      await later;
      expect((await plan.node("A")).body).toBe("afterwards");
    });

    it("can be verified whatever its sentence quotes", async () => {
      const committed = await plan.store.commit(INTENT, async (writer) => {
        const changes = changeNode(await find(writer, "A"), { body: "x" });
        return ok({ sentence: "git said: one\0two", changes, value: null });
      });
      expect(committed).toMatchObject({ ok: true, value: { sentence: "git said: one two" } });
      expect((await plan.store.verify()).log.broken).toBeNull();
    });

    it("records no operation when nothing changes", async () => {
      const before = await state();
      const nothing = await plan.store.commit(INTENT, async () => ok({ sentence: "nothing", changes: [], value: 7 }));
      expect(nothing).toEqual({ ok: true, value: { op: null, sentence: "nothing", value: 7 } });
      const [a, b] = [await plan.node("A"), await plan.node("B")];
      const same = await plan.attempt(async () => changeNode(a, { title: a.title, files: [] }));
      expect(same).toMatchObject({ ok: true, value: { op: null } });
      const thereAndBack = await plan.attempt(async () => [
        ...changeNode(b, { body: "x" }),
        ...changeNode({ ...b, body: "x" }, { body: "" }),
        ...changeFocus("human:ada", null, a.nr),
        ...changeFocus("human:ada", a.nr, null),
      ]);
      expect(thereAndBack).toMatchObject({ ok: true, value: { op: null } });
      expect(await state()).toEqual(before);
    });

    it("merges two changes of one row into one", async () => {
      const a = await plan.node("A");
      const op = await plan.commit(async () => [
        ...changeNode(a, { body: "one", priority: 3 }),
        ...changeNode({ ...a, body: "one", priority: 3 }, { body: "two" }),
      ]);
      expect(await plan.node("A")).toMatchObject({ body: "two", priority: 3, revision: 2 });
      expect(await plan.store.read((reader) => reader.changes(op))).toEqual([
        { entity: "node", key: a.nr, before: { body: "", priority: null }, after: { body: "two", priority: 3 } },
      ]);
    });

    it("forgets a row that was made and taken away in one operation", async () => {
      const before = (await plan.nodes()).length;
      const result = await plan.attempt(async (writer) => {
        const [made] = await plan.births(writer, [{ id: "SHORT", parent: "S" }]);
        return made ? [made, { ...made, before: made.after, after: made.before } as never] : [];
      });
      expect(result).toMatchObject({ ok: true, value: { op: null } });
      expect((await plan.nodes()).length).toBe(before);
    });

    it("puts a row that goes and comes back in one operation exactly as the new one says", async () => {
      await plan.set("B", { body: "old", priority: 2, files: ["a.ts"] });
      const b = await plan.node("B");
      const gone = removeNode(b);
      const { body: _, priority: __, ...again } = gone.before ?? {};
      await plan.commit(async () => [gone, { entity: "node", key: b.nr, before: null, after: again }]);
      expect(await plan.node("B")).toMatchObject({ body: "", priority: null, files: ["a.ts"] });
    });

    it("lets a new row have the id of one that goes", async () => {
      const b = await plan.node("B");
      await plan.commit(async (writer) => [...(await plan.births(writer, [{ id: "b", parent: "S" }])), removeNode(b)]);
      expect((await plan.node("B")).id).toBe("b");
    });

    it("keeps one order: commits wait for each other and see what came before", async () => {
      const seen = await Promise.all(
        Array.from({ length: 10 }, () =>
          plan.commit(async (writer) => {
            const a = await find(writer, "A");
            return changeNode(a, { attempts: a.attempts + 1 });
          }),
        ),
      );
      expect(new Set(seen).size).toBe(10);
      expect((await plan.node("A")).attempts).toBe(10);
    });

    it("keeps text as it is: emoji, right-to-left, quotes, line breaks", async () => {
      const body = "👩‍🚀 مرحبا \"quoted\" 'single' \\ \n\t% _ ' ; drop table node; --";
      await plan.set("A", { title: body.replace(/[\n\t]/g, " "), body, files: ["ü/ñ.ts"], symbols: ["λ"] });
      expect(await plan.node("A")).toMatchObject({ body, files: ["ü/ñ.ts"], symbols: ["λ"] });
    });

    describe("refuses in words what an invariant forbids, and leaves nothing", () => {
      const cases: readonly [string, RegExp, () => Promise<unknown>][] = [
        ["a parent of a lower tier", /cannot stand below/, () => plan.move("F", "S")],
        ["a parent of the same tier", /cannot stand below/, () => plan.tryAdd({ id: "X", tier: "story", parent: "S" })],
        ["no parent", /has no parent/, () => plan.tryAdd({ id: "X" })],
        ["a parent that does not exist", /has no parent/, () => plan.trySet("A", { parent: 999 })],
        ["a mission below something", /mission/, () => plan.tryAdd({ id: "X", tier: "mission", parent: "M" })],
        ["a dependency on itself", /itself/, () => plan.depend("A", ["A"])],
        ["a dependency on what contains it", /contains it/, () => plan.depend("A", ["F"])],
        ["a dependency on what it contains", /it contains/, () => plan.depend("F", ["A"])],
        ["a dependency on nothing", /does not exist/, () => plan.trySet("A", { dependsOn: edges([999]) })],
        ["a dependency twice", /twice/, () => plan.depend("B", ["A", "A"])],
        ["a cycle of two", /cycle: A → B → A/, () => plan.depend("A", ["B"])],
        ["a claim on a container", /not in progress/, () => claimOn("S")],
        ["a claim on what is settled", /not in progress/, () => claimOn("DONE")],
        ["a claim on what is frozen", /not in progress/, () => claimOn("ICE")],
        ["a freeze without a reason", /without a reason/, () => plan.trySet("A", freezeFacts(1, ""))],
        ["done without acceptance", /not accepted/, () => plan.trySet("A", { ...doneFacts(1), acceptance: null })],
        ["an approval by an agent's name", /not a person/, () => plan.trySet("A", approvedBy("agent:bot"))],
        ["a freeze of what is done", /is done/, () => plan.trySet("DONE", freezeFacts(1))],
        ["a drop of what is done", /is done/, () => plan.trySet("DONE", { outcome: dropped })],
        ["deleting a node with children", /is still in S/, async () => remove("S")],
        ["deleting a node with dependents", /still depends on/, async () => remove("A")],
      ];
      const dropped = { kind: "dropped", by: "human:ada", at: START, reason: null, op: 9 } as const;
      const approvedBy = (by: string) => ({ approval: { by, at: START, hash: "x" } });
      const claimOn = (id: string) =>
        plan.trySet(id, { claim: { by: "agent:bot", token: "t", epoch: 1, at: START, until: START } });
      const remove = async (id: string) => {
        const node = await plan.node(id);
        return plan.attempt(async () => [removeNode(node)]);
      };

      it.each(cases)("%s", async (_, message, attempt) => {
        await plan.add({ id: "DONE", parent: "S" }, { id: "ICE", parent: "S", freeze: ICE });
        await plan.done("DONE");
        const before = await state();
        expect(await attempt()).toMatchObject({
          ok: false,
          error: { kind: "invariant", reason: "invariant", message: expect.stringMatching(message) },
        });
        expect(await state()).toEqual(before);
      });

      it("an approval that is not a person's", async () => {
        const result = await plan.trySet("A", approvedBy("human:ada"), "agent:bot");
        expect(result).toMatchObject({ ok: false, error: { kind: "refused", reason: "needs-person" } });
        expect((await plan.node("A")).approval).toBeNull();
      });

      it("the whole operation, if one of many rows is wrong", async () => {
        const result = await plan.tryAdd({ id: "X", parent: "S" }, { id: "Y", parent: "S", dependsOn: ["Y"] });
        expect(result.ok).toBe(false);
        expect(await plan.store.read((reader) => reader.byId("X"))).toBeUndefined();
      });

      it("but lets a plan with an old violation be worked on", async () => {
        // A dropped dependency is no violation of the dependent; a stale approval is none either.
        await plan.approve("M");
        await plan.set("A", { title: "changed" });
        await plan.drop("A");
        await plan.set("B", { body: "goes on" });
        expect((await plan.node("B")).body).toBe("goes on");
      });
    });

    describe("focus", () => {
      const focus = async (actor = "human:ada"): Promise<string | null> =>
        plan.store.read(async (reader) => {
          const nr = await reader.focus(actor);
          return nr === null ? null : ((await reader.node(nr))?.id ?? "?");
        });

      it.each(["done", "waive", "drop", "freeze"] as const)(
        "leaves a node after %s for what contains it",
        async (verb) => {
          await plan.focus("human:ada", "A");
          await plan.focus("agent:bot", "A");
          await plan[verb]("A");
          expect([await focus(), await focus("agent:bot")]).toEqual(["S", "S"]);
        },
      );

      it("leaves a container with the last of its tasks, whoever looked at what", async () => {
        await plan.done("A");
        await plan.focus("human:ada", "B");
        await plan.focus("agent:bot", "S");
        const op = await plan.done("B");
        expect([await focus(), await focus("agent:bot")]).toEqual(["F", "F"]);
        await plan.undo(op);
        expect([await focus(), await focus("agent:bot")]).toEqual(["B", "S"]);
      });

      it("goes up as far as it must, and nowhere if everything is frozen", async () => {
        await plan.focus("human:ada", "A");
        await plan.freeze("S", "A", "B");
        expect(await focus()).toBe("F");
        await plan.freeze("F", "M");
        expect(await focus()).toBeNull();
      });

      it("comes back when the operation is undone", async () => {
        await plan.focus("human:ada", "A");
        const op = await plan.freeze("S", "A", "B");
        await plan.undo(op);
        expect(await focus()).toBe("A");
      });

      it("leaves a node that goes, even one that was frozen", async () => {
        const op = await plan.add({ id: "C", parent: "S", freeze: ICE });
        await plan.focus("human:ada", "C");
        expect(await plan.undo(op)).toMatchObject({ ok: true });
        expect(await focus()).toBe("S");
      });

      it("stays where the operation itself puts it", async () => {
        await plan.focus("human:ada", "A");
        await plan.commit(async (writer) => {
          const [a, b] = [await find(writer, "A"), await find(writer, "B")];
          return [...changeNode(a, doneFacts(writer.op)), ...changeFocus("human:ada", a.nr, b.nr)];
        });
        expect(await focus()).toBe("B");
      });
    });

    it("takes back a creation completely", async () => {
      const before = await plan.store.read(everything);
      const op = await plan.add(
        { id: "F2", tier: "feature", parent: "M" },
        { id: "S2", tier: "story", parent: "F2" },
        { id: "X", parent: "S2", dependsOn: ["A"] },
      );
      expect(await plan.undo(op)).toMatchObject({ ok: true });
      expect(await plan.store.read(everything)).toEqual(before);
    });
  });
}
