// The reads: each answers for one moment, in a stable order, and finds exactly what it was asked for.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimFacts, everything, find, START, StorePlan } from "../../../test/store-plan.js";
import type { Claim, Node } from "../../model/node/node.js";
import { countsForParent, isFinished } from "../../model/status/rollup.js";
import type { Reader, Store } from "../store.js";

const ids = (nodes: readonly Node[]): string[] => nodes.map((node) => node.id);

export function describeReads(open: () => Promise<Store>): void {
  describe("reads", () => {
    let plan: StorePlan;
    const read = <T>(work: (reader: Reader) => Promise<T>): Promise<T> => plan.store.read(work);

    beforeEach(async () => {
      plan = new StorePlan(await open());
      await plan.add(
        { id: "MISSION", tier: "mission", title: "Ship it" },
        { id: "INIT-1", tier: "initiative", parent: "MISSION", title: "Grow" },
        { id: "FEAT-A", tier: "feature", parent: "INIT-1", title: "Log in" },
        { id: "FEAT-B", tier: "feature", parent: "MISSION", title: "Log out" },
        { id: "STORY-A", tier: "story", parent: "FEAT-A", title: "Password" },
        { id: "T-1", parent: "STORY-A", title: "Hash the password", priority: 4 },
        { id: "T-2", parent: "STORY-A", title: "Über 100% sicher_machen", dependsOn: ["T-1"] },
        { id: "T-3", parent: "FEAT-A", title: "Добавить кэш", priority: 0 },
        { id: "T-4", parent: "FEAT-B", title: "Forget the session", priority: 2, dependsOn: ["T-1", "T-3"] },
      );
    });
    afterEach(() => plan.store.close());

    it("give back exactly what was written", async () => {
      const said = {
        title: `"quoted", \\ and 🚀`,
        body: "two\nlines\tand \u2028 more",
        files: ["a b.ts", 'c"d.ts'],
        checks: [{ run: "echo '\\n'", timeoutS: 0.1 + 0.2 }],
        estimateHours: 0.1 + 0.2,
        budgets: { attempts: 3 },
      };
      await plan.add({ id: "T-9", parent: "FEAT-B", ...said });
      expect(await plan.node("T-9")).toMatchObject(said);
    });

    describe("match", () => {
      it("finds an id in any case, before anything else", async () => {
        await plan.add({ id: "T-9", parent: "FEAT-B", title: "not feat-a" });
        const found = await read((reader) => reader.match("feat-a"));
        expect([found.by, ids(found.nodes)]).toEqual(["id", ["FEAT-A"]]);
      });

      it("finds an id without its zeros, or with others, and lists all that a number may mean", async () => {
        const parent = "FEAT-B";
        await plan.add({ id: "FEAT-007", tier: "feature", parent: "MISSION" }, { id: "TASK-00007", parent });
        await plan.add({ id: "TASK-00012", parent }, { id: "JIRA-0003", parent, title: "7 of 9" });
        const said = async (reference: string) => {
          const { by, nodes } = await read((reader) => reader.match(reference));
          return [by, ...ids(nodes)];
        };
        expect(await said("task-7")).toEqual(["id", "TASK-00007"]);
        expect(await said("TASK-0012")).toEqual(["id", "TASK-00012"]);
        expect(await said("12")).toEqual(["id", "TASK-00012"]);
        expect(await said("jira-3")).toEqual(["id", "JIRA-0003"]);
        expect(await said("7")).toEqual(["id", "FEAT-007", "TASK-00007"]);
        expect(await said("9")).toEqual(["title", "JIRA-0003"]);
      });

      it("finds the leading hex of a UUID, with or without dashes, in any case", async () => {
        const { uuid } = await plan.node("T-2");
        for (const reference of [uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), uuid.slice(0, 14)]) {
          const found = await read((reader) => reader.match(reference));
          expect([found.by, ids(found.nodes)]).toEqual(["uuid", ["T-2"]]);
        }
      });

      it("lists every node whose UUID begins so", async () => {
        const { uuid } = await plan.node("T-1");
        const found = await read((reader) => reader.match(uuid.slice(0, 8)));
        expect(found.by).toBe("uuid");
        expect(found.nodes.length).toBeGreaterThan(1);
      });

      it("does not find the middle of a UUID", async () => {
        const { uuid } = await plan.node("T-1");
        expect((await read((reader) => reader.match(uuid.slice(9)))).nodes).toEqual([]);
      });

      it.each([
        ["log ", ["FEAT-A", "FEAT-B"]],
        ["log-in", ["FEAT-A"]],
        ["Hash_The-Pass", ["T-1"]],
        ["PASSWORD", ["STORY-A"]],
        ["passwor", ["STORY-A", "T-1"]],
        ["land: log", []],
        ["the pass", ["T-1"]],
        ["100%", ["T-2"]],
        ["r_m", ["T-2"]],
        ["%", ["T-2"]],
        ["über", ["T-2"]],
        ["ÜBER", ["T-2"]],
        ["добавить", ["T-3"]],
        ["ДОБАВИТЬ КЭШ", ["T-3"]],
        ["  forget  ", ["T-4"]],
        ["üb_r", []],
        ["nothing like it", []],
        ["", []],
        ["   ", []],
      ])("finds words of the title: %s", async (reference, expected) => {
        const found = await read((reader) => reader.match(reference));
        expect([found.by, ids(found.nodes)]).toEqual(["title", expected]);
      });

      it("finds nothing for a reference that no title could hold", async () => {
        expect((await read((reader) => reader.match("x".repeat(200_000)))).nodes).toEqual([]);
      });

      it("leaves archived nodes out of the search by title, not by id", async () => {
        await plan.set("T-4", { archive: { by: "human:ada", at: START, root: 1, summary: null } });
        expect((await read((reader) => reader.match("forget"))).nodes).toEqual([]);
        expect(ids((await read((reader) => reader.match("t-4"))).nodes)).toEqual(["T-4"]);
      });
    });

    it("gives a node by number, id and nothing else", async () => {
      const { nr } = await plan.node("T-1");
      expect((await read((reader) => reader.node(nr)))?.id).toBe("T-1");
      expect((await read((reader) => reader.byId("t-1")))?.nr).toBe(nr);
      expect(await read((reader) => reader.byId("T"))).toBeUndefined();
      expect(await read((reader) => reader.node(0))).toBeUndefined();
    });

    it("walks up, down and across in a stable order", async () => {
      const { nr: feature } = await plan.node("FEAT-A");
      const { nr: task } = await plan.node("T-1");
      const { nr: mission } = await plan.node("MISSION");
      expect(ids(await read((reader) => reader.children(null)))).toEqual(["MISSION"]);
      expect(ids(await read((reader) => reader.children(feature)))).toEqual(["STORY-A", "T-3", "FEAT-A-LAND"]);
      expect(ids(await read((reader) => reader.descendants(feature)))).toEqual([
        "STORY-A",
        "T-3",
        "FEAT-A-LAND",
        "T-1",
        "T-2",
      ]);
      expect(ids(await read((reader) => reader.ancestors(task)))).toEqual(["STORY-A", "FEAT-A", "INIT-1", "MISSION"]);
      expect(await read((reader) => reader.ancestors(mission))).toEqual([]);
      expect(await read((reader) => reader.descendants(task))).toEqual([]);
      expect(ids(await read(everything)).slice(0, 3)).toEqual(["MISSION", "INIT-1", "FEAT-A"]);
    });

    it("tells the state of each dependency, and who waits", async () => {
      const states = (id: string, limit?: number): Promise<string[]> =>
        read(async (reader) =>
          (await reader.dependencies(await find(reader, id), limit)).map((link) => `${link.target.id} ${link.state}`),
        );
      expect(await states("T-4")).toEqual(["T-1 pending", "T-3 pending"]);
      expect(await states("T-4", 1)).toEqual(["T-1 pending"]);
      await plan.set("T-1", { acceptance: { state: "rejected", by: "checks", at: START, reason: "red" } });
      await plan.drop("T-3");
      expect(await states("T-4")).toEqual(["T-1 rejected", "T-3 dropped"]);
      await plan.waive("T-1");
      expect(await states("T-4")).toEqual(["T-1 met", "T-3 dropped"]);
      const { nr } = await plan.node("T-1");
      expect(ids(await read((reader) => reader.dependents(nr)))).toEqual(["T-2", "T-4"]);
      expect(ids(await read((reader) => reader.dependents(nr, 1)))).toEqual(["T-2"]);
    });

    it("gives a land task its feature's tasks, open ones first, without the dropped", async () => {
      await plan.done("T-1");
      await plan.drop("T-3");
      const links = await read(async (reader) => reader.dependencies(await find(reader, "FEAT-A-LAND")));
      expect(links.map((link) => [link.id, link.state])).toEqual([
        ["T-2", "pending"],
        ["T-1", "met"],
      ]);
    });

    it("names the land task while a finished dependency has not landed", async () => {
      await plan.done("T-3");
      const links = await read(async (reader) => reader.dependencies(await find(reader, "T-4")));
      expect(links.map((link) => [link.target.id, link.id, link.node.id, link.state])).toEqual([
        ["T-1", "T-1", "T-1", "pending"],
        ["T-3", "FEAT-A-LAND", "FEAT-A-LAND", "pending"],
      ]);
    });

    describe("surroundings", () => {
      it("list open children, and whether anything below was begun or could be", async () => {
        const around = (id: string) => read(async (reader) => reader.surroundings(await find(reader, id)));
        expect(await around("FEAT-A")).toMatchObject({
          openChildren: ["STORY-A", "T-3", "FEAT-A-LAND"],
          begun: false,
          startable: false,
        });
        await plan.approve("MISSION");
        for (const id of ["STORY-A", "FEAT-A", "INIT-1", "MISSION"]) expect((await around(id)).startable).toBe(true);
        expect((await around("FEAT-B")).startable).toBe(false);
        await plan.claim("T-1");
        for (const id of ["STORY-A", "FEAT-A", "INIT-1", "MISSION"]) expect((await around(id)).begun).toBe(true);
        expect((await around("FEAT-B")).begun).toBe(false);
      });

      it("name the children that count for their parent and are not finished, as the roll-up says", async () => {
        await plan.add(
          { id: "IN", tier: "feature", parent: "MISSION", inbox: true },
          { id: "BUGS", tier: "feature", parent: "MISSION" },
          { id: "FEAT-C", tier: "feature", parent: "MISSION" },
          { id: "FEAT-D", tier: "feature", parent: "MISSION" },
          ...["STORY-B", "STORY-C", "STORY-D"].map((id) => ({ id, tier: "story" as const, parent: "FEAT-A" })),
          { id: "T-5", parent: "STORY-B" },
          { id: "T-6", parent: "STORY-C" },
        );
        await plan.done("T-5", "T-6");
        await plan.set("STORY-C", { awaitsPlan: { by: "human:ada", at: START, reason: "again" } });
        await plan.drop("FEAT-C");
        await plan.waive("FEAT-D");
        const compare = async (): Promise<string[]> => {
          const all = await plan.nodes();
          for (const container of all.filter(({ tier }) => tier !== "task")) {
            const open = all.filter(
              (node) => node.parent === container.nr && countsForParent(node) && !isFinished(node),
            );
            const { openChildren } = await read((reader) => reader.surroundings(container));
            expect([container.id, openChildren]).toEqual([container.id, ids(open)]);
          }
          return (
            await read(async (reader) => reader.surroundings(await find(reader, "MISSION")))
          ).openChildren.slice();
        };
        expect(await compare()).toEqual(["INIT-1", "FEAT-B"]);
        await plan.add({ id: "BUG-1", parent: "BUGS" });
        expect(await compare()).toEqual(["INIT-1", "FEAT-B", "BUGS"]);
      });

      it("find work that stands below an initiative or a mission without a feature", async () => {
        await plan.add(
          { id: "INIT-2", tier: "initiative", parent: "MISSION" },
          { id: "INIT-3", tier: "initiative", parent: "MISSION" },
          { id: "STORY-X", tier: "story", parent: "INIT-3" },
          { id: "T-7", parent: "INIT-2" },
          { id: "T-8", parent: "STORY-X" },
        );
        await plan.approve("INIT-2", "INIT-3");
        expect((await plan.status("INIT-2")).status).toBe("ready");
        expect((await plan.status("INIT-3")).status).toBe("ready");
      });

      it("do not overlook an unmet dependency behind many met ones", async () => {
        const many = Array.from({ length: 25 }, (_, i) => ({ id: `M-${i}`, parent: "FEAT-B" }));
        await plan.add(...many);
        await plan.done(...many.map(({ id }) => id));
        await plan.add({ id: "LAST", parent: "FEAT-B" });
        await plan.depend("T-4", [...many.map(({ id }) => id), "LAST"]);
        await plan.approve("FEAT-B");
        expect(await plan.status("T-4")).toMatchObject({ reason: "deps-pending", because: ["LAST"] });
        const partly = await read(async (reader) => {
          const node = await find(reader, "T-4");
          return reader.surroundings(node, await reader.dependencies(node, 5));
        });
        expect(partly.dependencies).toEqual([{ id: "LAST", state: "pending" }]);
      });

      it("do not overlook what a land task itself depends on", async () => {
        const permits = Array.from({ length: 25 }, (_, i) => ({
          id: `G-${i}`,
          parent: "MISSION",
          kind: "gate" as const,
        }));
        await plan.add(...permits);
        await plan.depend(
          "FEAT-A-LAND",
          permits.map(({ id }) => id),
        );
        await plan.done(...permits.slice(0, 24).map(({ id }) => id));
        await plan.done("T-1", "T-2", "T-3");
        const { dependencies } = await read(async (reader) => reader.surroundings(await find(reader, "FEAT-A-LAND")));
        expect(dependencies).toEqual([{ id: "G-24", state: "pending" }]);
      });
    });

    describe("claimable", () => {
      beforeEach(async () => {
        await plan.add(
          { id: "U-1", parent: "STORY-A" },
          { id: "U-2", parent: "FEAT-A", priority: 4 },
          { id: "U-3", parent: "FEAT-B", priority: 0 },
          { id: "U-4", parent: "INIT-1", priority: 1 },
          { id: "U-5", parent: "MISSION", priority: 3 },
          { id: "U-6", parent: "FEAT-B" },
        );
        await plan.approve("MISSION");
      });

      it("goes by priority, 0 before 4 before none, and ties go by age", async () => {
        expect(await plan.claimable()).toEqual(["T-3", "U-3", "U-4", "U-5", "T-1", "U-2", "U-1", "U-6"]);
      });

      it.each([
        ["T-1", ["T-1"]],
        ["T-2", []],
        ["STORY-A", ["T-1", "U-1"]],
        ["FEAT-A", ["T-3", "T-1", "U-2", "U-1"]],
        ["INIT-1", ["T-3", "U-4", "T-1", "U-2", "U-1"]],
        ["MISSION", ["T-3", "U-3", "U-4", "U-5", "T-1", "U-2", "U-1", "U-6"]],
      ])("stays within %s", async (within, expected) => {
        expect(await plan.claimable(within)).toEqual(expected);
      });

      it("finds work in stories and initiatives that have no feature", async () => {
        await plan.add(
          { id: "STORY-Y", tier: "story", parent: "INIT-1" },
          { id: "V-1", parent: "STORY-Y", priority: 0 },
        );
        await plan.approve("STORY-Y");
        expect(await plan.claimable("STORY-Y")).toEqual(["V-1"]);
        expect(await plan.claimable("INIT-1")).toEqual(["T-3", "V-1", "U-4", "T-1", "U-2", "U-1"]);
        expect((await plan.claimable("MISSION"))[2]).toBe("V-1");
      });

      it("gives no more than asked for", async () => {
        const within = await plan.node("MISSION");
        expect(ids(await read((reader) => reader.claimable({ limit: 2 })))).toEqual(["T-3", "U-3"]);
        expect(ids(await read((reader) => reader.claimable({ within, limit: 2 })))).toEqual(["T-3", "U-3"]);
      });

      it("leaves out what is claimed, settled, frozen, shelved, a gate, or waits", async () => {
        await plan.claim("T-3");
        await plan.done("U-3");
        await plan.freeze("U-4");
        await plan.set("U-5", { title: "changed after the approval" });
        await plan.set("U-2", { kind: "gate" });
        expect(await plan.claimable()).toEqual(["T-1", "U-1", "U-6"]);
      });
    });

    it("lists claims, and those whose lease has ended", async () => {
      await plan.approve("MISSION");
      const until = (at: number) => (node: Node) => ({ claim: { ...(claimFacts(node).claim as Claim), until: at } });
      await plan.set("T-1", until(START + 50));
      await plan.set("T-3", until(START + 20));
      expect(ids(await read((reader) => reader.claimed({ limit: 9 })))).toEqual(["T-3", "T-1"]);
      expect(ids(await read((reader) => reader.claimed({ limit: 1 })))).toEqual(["T-3"]);
      expect(ids(await read((reader) => reader.claimed({ expiredBy: START + 20, limit: 9 })))).toEqual([]);
      expect(ids(await read((reader) => reader.claimed({ expiredBy: START + 21, limit: 9 })))).toEqual(["T-3"]);
      const [{ nr, kind, files, symbols }] = [await plan.node("T-3")];
      expect(await read((reader) => reader.inFlight(1))).toEqual([
        { nr, id: "T-3", kind, files, symbols, by: "agent:bot", until: START + 20 },
      ]);
      expect(await read((reader) => reader.inFlight(9))).toHaveLength(2);
    });

    it("finds a chain of waiting", async () => {
      const nr = async (id: string): Promise<number> => (await plan.node(id)).nr;
      const path = async (from: string, to: string): Promise<string[] | undefined> => {
        const [start, end] = [await nr(from), await nr(to)];
        const found = await read((reader) => reader.path([start], [end]));
        const names = new Map((await plan.nodes()).map((node) => [node.nr, node.id]));
        return found?.map((each) => names.get(each) ?? "?");
      };
      expect(await path("T-2", "T-1")).toEqual(["T-2", "T-1"]);
      expect(await path("FEAT-B", "T-3")).toEqual(["FEAT-B", "T-4", "T-3"]);
      expect(await path("T-4", "T-2")).toEqual(["T-4", "FEAT-A", "STORY-A", "T-2"]);
      expect(await path("T-1", "T-2")).toBeUndefined();
      expect(await path("T-1", "T-1")).toEqual(["T-1"]);
    });

    it("remembers each actor's focus", async () => {
      await plan.focus("human:ada", "T-1");
      await plan.focus("agent:bot", "T-3");
      expect(await read((reader) => reader.focus("human:ada"))).toBe((await plan.node("T-1")).nr);
      expect(await read((reader) => reader.focus("agent:bot"))).toBe((await plan.node("T-3")).nr);
      expect(await read((reader) => reader.focus("human:eve"))).toBeNull();
    });

    it("reads the log, latest first", async () => {
      const first = await plan.set("T-1", { body: "one" });
      const second = await plan.set("T-3", { body: "two" });
      const third = await plan.set("T-1", { body: "three" }, "agent:bot");
      const { nr } = await plan.node("T-1");
      const ops = (query: object): Promise<number[]> =>
        read(async (reader) => (await reader.operations({ limit: 10, ...query })).map(({ op }) => op));
      expect(await ops({})).toEqual([third, second, first, 1]);
      expect(await ops({ limit: 1 })).toEqual([third]);
      expect(await ops({ before: second })).toEqual([first, 1]);
      expect(await ops({ node: nr })).toEqual([third, first, 1]);
      expect(await ops({ node: nr, before: third, limit: 1 })).toEqual([first]);
      expect(await read((reader) => reader.operation(third))).toMatchObject({
        op: third,
        actor: "agent:bot",
        verb: "test",
        sentence: "a test did it",
        commit: null,
        undoes: null,
        redoes: null,
      });
      expect(await read((reader) => reader.operation(99))).toBeUndefined();
      expect(await read((reader) => reader.changes(third))).toEqual([
        { entity: "node", key: nr, before: { body: "one" }, after: { body: "three" } },
      ]);
      expect(await read((reader) => reader.changes(99))).toEqual([]);
      expect(await read((reader) => reader.nodeChange(third, nr))).toMatchObject({ after: { body: "three" } });
      expect(await read((reader) => reader.nodeChange(second, nr))).toBeUndefined();
    });

    it("find who waits for any of many nodes, without what is finished or dropped", async () => {
      const byId = async (id: string) => (await plan.node(id)).nr;
      const waiting = async (targets: readonly number[], limit = 10) =>
        (await read((reader) => reader.waiters(targets, limit))).map(({ id }) => id).sort();
      const both = [await byId("T-1"), await byId("T-3")];
      expect(await waiting(both)).toEqual(["T-2", "T-4"]);
      expect(await waiting(both, 1)).toHaveLength(1);
      expect(await waiting([])).toEqual([]);
      // More than one statement takes.
      const nobody = Array.from({ length: 1_500 }, (_, index) => 1_000_000 + index);
      expect(await waiting([...nobody, ...both])).toEqual(["T-2", "T-4"]);
      await plan.set("T-2", { outcome: { kind: "dropped", by: "human:ada", at: START, reason: null, op: 1 } });
      expect(await waiting(both)).toEqual(["T-4"]);
      expect(await read((reader) => reader.waiters(both, 10))).toMatchObject([
        { id: "T-4", tier: "task", kind: "work", parent: await byId("FEAT-B"), estimateHours: null },
      ]);
    });

    it("stop when whoever asked is gone, and do not begin afterwards", async () => {
      const gone = new AbortController();
      const endless = plan.store.read(async (reader) => {
        for (;;) {
          await reader.lastOperation();
          gone.abort();
        }
      }, gone.signal);
      await expect(endless).rejects.toMatchObject({ failure: { kind: "interrupted", reason: "left" } });
      let begun = false;
      const late = plan.store.read(async () => {
        begun = true;
      }, gone.signal);
      await expect(late).rejects.toMatchObject({ failure: { reason: "left" } });
      expect(begun).toBe(false);
      expect(await read((reader) => reader.lastOperation())).toBeGreaterThan(0);
    });

    it("answers for one moment", async () => {
      let writing = Promise.resolve(0);
      await read(async (reader) => {
        const before = await everything(reader);
        writing = plan.set("T-1", { body: "meanwhile" });
        expect(await everything(reader)).toEqual(before);
      });
      await writing;
      expect((await plan.node("T-1")).body).toBe("meanwhile");
    });
  });
}
