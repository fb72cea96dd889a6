// Whom a plan knows, and what it makes of what they sign.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { must, mustFail } from "../../../test/plan.js";
import { SECRET } from "../../../test/secret.js";
import type { Node } from "../../model/node/node.js";
import type { Context } from "../../plan/base/context.js";
import { add } from "../../plan/node/add.js";
import { approve, previewApproval } from "../../plan/node/approve.js";
import { unapprove } from "../../verbs/branch/unapprove.js";
import { redo, undo } from "../../verbs/history/take-back.js";
import { edit } from "../../verbs/node/edit.js";
import { addPerson } from "../../verbs/people/add.js";
import { listPeople } from "../../verbs/people/list.js";
import { removePerson } from "../../verbs/people/remove.js";
import { replan } from "../../verbs/plan/replan.js";
import { createStore } from "../open/create.js";
import type { WorkDone } from "../progress.js";
import { idOfKey, idOfSecret, idOfSignature, isSignedBy, signerFrom } from "../signer.js";
import type { Sign, Store } from "../store.js";

const OTHER = "0e1e".padEnd(64, "7");

describe("a signature", () => {
  const ada = signerFrom(SECRET);

  it("is checked with the public half of the key, which says nothing about the secret", () => {
    const signature = ada.sign("hello");
    expect(isSignedBy(ada.key, "hello", signature)).toBe(true);
    expect(isSignedBy(ada.key, "hello!", signature)).toBe(false);
    expect(isSignedBy(signerFrom(OTHER).key, "hello", signature)).toBe(false);
    expect(isSignedBy("pwk_no", "hello", signature)).toBe(false);
    expect(`${ada.key} ${signature}`).not.toContain(SECRET.slice(0, 12));
  });

  it("is the same from the same secret, on every machine", () => {
    expect(signerFrom(SECRET).key).toBe(ada.key);
    expect([idOfKey(ada.key), idOfSignature(ada.sign("x"))]).toEqual([idOfSecret(SECRET), ada.id]);
    expect([idOfKey("pwk_x"), idOfSignature("nothing")]).toEqual([undefined, ""]);
  });
});

let store: Store;
let now = 0;

const signing = (secret: string | null, always = false): Sign => ({
  always,
  signer: async (isKnown) => (secret !== null && (await isKnown(idOfSecret(secret))) ? signerFrom(secret) : null),
  first: async () => (secret === null ? null : signerFrom(secret)),
  name: "human:ada",
});

/** The plan for somebody with this secret. */
function as(actor: string, secret: string | null): Context {
  const sign = signing(secret);
  const signed: Store = { ...store, commit: (intent, decide) => store.commit({ ...intent, sign }, decide) };
  return { store: signed, actor, now: () => ++now, head: () => null, root: "/w", cwd: "/w" } as unknown as Context;
}

const ada = (): Context => as("human:ada", SECRET);
const eve = (): Context => as("human:eve", OTHER);
const bot = (): Context => as("agent:bot", null);

const node = async (id: string): Promise<Node> => (await store.read((reader) => reader.byId(id))) as Node;
const doubt = async (id: string) => store.read(async (reader) => reader.people.doubt((await reader.byId(id)) as Node));

const NODES = [
  { id: "MISSION", tier: "mission", title: "M" },
  { id: "F", tier: "feature", title: "F", parent: "MISSION" },
  { id: "T-1", title: "T-1", parent: "F" },
  { id: "T-2", title: "T-2", parent: "F" },
] as const;

beforeEach(async () => {
  ({ store } = await createStore({ path: ":memory:", durability: "normal", engine: "auto" }, {}));
  must(
    await add(
      ada(),
      NODES.map((input) => ({ input, where: input.id })),
    ),
  );
});
afterEach(() => store.close());

const problems = async (): Promise<unknown> => {
  const { log, differences } = await store.verify();
  const { broken, signatures } = log;
  const { wrong, unknownKey, unsigned } = signatures;
  return { broken, differences, wrong, unknownKey, unsigned };
};
const NONE = { broken: null, differences: [], wrong: [], unknownKey: [], unsigned: [] };

describe("a plan", () => {
  it("knows whoever wrote to it first", async () => {
    expect(await listPeople(ada())).toEqual([
      {
        id: idOfSecret(SECRET),
        key: signerFrom(SECRET).key,
        name: "human:ada",
        since: expect.any(String),
        addedBy: null,
        approves: true,
      },
    ]);
  });

  it("takes an approval from nobody else", async () => {
    expect(mustFail(await approve(eve(), { references: ["T-1"] })).reason).toBe("no-secret");
    must(await approve(ada(), { references: ["F"] }));
    expect([await doubt("T-1"), await doubt("F")]).toEqual([null, null]);
    expect(await problems()).toEqual(NONE);
  });

  it("knows whom they add, and whom those add, and takes nobody else's word for it", async () => {
    expect(mustFail(await addPerson(eve(), { key: signerFrom(OTHER).key })).reason).toBe("no-secret");
    must(await addPerson(ada(), { key: signerFrom(OTHER).key, name: "eve" }));
    expect(mustFail(await addPerson(ada(), { key: signerFrom(OTHER).key })).reason).toBe("known-already");
    const third = "3d".padEnd(64, "5");
    must(await addPerson(eve(), { key: signerFrom(third).key, name: "human:tom" }));
    must(await approve(as("human:tom", third), { references: ["T-1"] }));
    expect(await doubt("T-1")).toBeNull();
    expect((await listPeople(ada())).map(({ name, addedBy }) => [name, addedBy])).toEqual([
      ["human:ada", null],
      ["human:eve", "human:ada"],
      ["human:tom", "human:eve"],
    ]);
    expect(await problems()).toEqual(NONE);
  });

  it("takes no secret for a key, and no name of an agent", async () => {
    expect(mustFail(await addPerson(ada(), { key: OTHER })).reason).toBe("is-secret");
    expect(mustFail(await addPerson(ada(), { key: "eve" })).reason).toBe("usage");
    expect(mustFail(await addPerson(ada(), { key: signerFrom(OTHER).key, name: " " })).reason).toBe("usage");
  });
});

describe("the key of a machine", () => {
  const key = signerFrom(OTHER).key;

  it("is added and removed by a person, and approves nothing", async () => {
    expect(mustFail(await addPerson(ada(), { key, machine: true })).reason).toBe("usage");
    expect(mustFail(await addPerson(eve(), { key, name: "ci", machine: true })).reason).toBe("no-secret");
    expect(must(await addPerson(ada(), { key, name: "ci", machine: true })).name).toBe("daemon:ci");
    expect((await listPeople(ada())).map(({ name, approves }) => [name, approves])).toEqual([
      ["human:ada", true],
      ["daemon:ci", false],
    ]);
    expect(mustFail(await approve(eve(), { references: ["T-1"] })).reason).toBe("no-secret");
    expect(mustFail(await addPerson(ada(), { key, name: "eve" })).reason).toBe("known-already");
    expect(must(await removePerson(ada(), key))).toMatchObject({ name: "daemon:ci", unconfirmed: [] });
    expect(await problems()).toEqual(NONE);
  });

  it("adds no one, removes no one, and never becomes the key of a person", async () => {
    const third = signerFrom("3d".padEnd(64, "5")).key;
    must(await addPerson(ada(), { key, name: "ci", machine: true }));
    expect(mustFail(await addPerson(eve(), { key: third })).reason).toBe("no-secret");
    expect(mustFail(await removePerson(eve(), signerFrom(SECRET).key)).reason).toBe("last-person");
    must(await removePerson(ada(), key));
    expect(mustFail(await addPerson(ada(), { key, name: "eve" })).reason).toBe("other-kind");
    must(await addPerson(ada(), { key, name: "ci", machine: true }));
    expect(await problems()).toEqual(NONE);
  });
});

describe("somebody who is removed", () => {
  beforeEach(async () => {
    must(await addPerson(ada(), { key: signerFrom(OTHER).key, name: "eve" }));
    must(await approve(eve(), { references: ["T-1"] }));
    must(await approve(ada(), { references: ["T-2"] }));
  });

  it("approves nothing more, and what they approved waits until somebody confirms it", async () => {
    const removed = must(await removePerson(ada(), idOfSecret(OTHER)));
    expect(removed).toMatchObject({ name: "human:eve", unconfirmed: ["T-1"] });
    expect((await node("T-1")).approval).toEqual({ by: "human:eve", at: expect.any(Number), hash: "" });
    expect(mustFail(await approve(eve(), { references: ["F"] })).reason).toBe("no-secret");
    expect(must(await approve(ada(), { references: [], unknown: true })).approved).toEqual(["T-1"]);
    expect([await doubt("T-1"), await doubt("T-2")]).toEqual([null, null]);
    expect(await problems()).toEqual(NONE);
  });

  it("may have removed the one who started the plan, and can be added again", async () => {
    must(await removePerson(eve(), signerFrom(SECRET).key));
    expect(mustFail(await removePerson(eve(), idOfSecret(OTHER))).reason).toBe("last-person");
    expect(mustFail(await removePerson(eve(), idOfSecret(SECRET))).reason).toBe("not-found");
    expect(mustFail(await approve(ada(), { references: ["F"] })).reason).toBe("no-secret");
    must(await addPerson(eve(), { key: signerFrom(SECRET).key, name: "ada" }));
    must(await approve(ada(), { references: ["F"] }));
    expect(await doubt("F")).toBeNull();
    expect(await problems()).toEqual(NONE);
  });

  it("comes back under the name that they had, and the log says so", async () => {
    must(await removePerson(ada(), idOfSecret(OTHER)));
    expect(must(await addPerson(ada(), { key: signerFrom(OTHER).key, name: "grace" })).name).toBe("human:eve");
    const last = await store.read(async (reader) => (await reader.operations({ limit: 1 }))[0]?.sentence);
    expect(last).toContain("added human:eve");
    expect((await listPeople(ada())).map(({ name }) => name)).toEqual(["human:ada", "human:eve"]);
    expect(await problems()).toEqual(NONE);
  });

  it("is not brought back by another key with the same digits", async () => {
    const { key, id } = signerFrom(OTHER);
    const other = `pwk_${id}_${signerFrom(SECRET).key.slice(-43)}`;
    expect(mustFail(await addPerson(ada(), { key: other })).reason).toBe("other-key");
    must(await removePerson(ada(), id));
    const refused = mustFail(await addPerson(ada(), { key: other }));
    expect([refused.reason, refused.message]).toEqual(["other-key", expect.stringContaining(key)]);
    expect(await listPeople(ada())).toHaveLength(1);
  });

  it("is not brought back by an undo, and nobody who was added goes by one", async () => {
    must(await removePerson(ada(), idOfSecret(OTHER)));
    for (const op of ["2", "5"]) expect(mustFail(await undo(ada(), op)).reason).toBe("people");
    expect(mustFail(await undo(ada()))).toMatchObject({ reason: "people" });
    expect(await listPeople(ada())).toHaveLength(1);
  });
});

describe("an undo", () => {
  it("brings an approval back with the signature that it had, whoever undoes", async () => {
    must(await approve(ada(), { references: ["T-1"] }));
    const before = await node("T-1");
    must(await unapprove(ada(), { references: ["T-1"] }));
    must(await undo(ada()));
    expect((await node("T-1")).approval).toEqual(before.approval);
    expect(await doubt("T-1")).toBeNull();
    expect(await problems()).toEqual(NONE);
  });

  it("brings the approval of a whole feature back, and its land task needs no signature", async () => {
    must(await approve(ada(), { references: ["F"] }));
    must(await unapprove(ada(), { references: ["F"] }));
    must(await undo(ada()));
    expect(await doubt("F")).toBeNull();
    expect(await problems()).toEqual(NONE);
  });

  it("of an operation that the first person came with leaves them known", async () => {
    must(await edit(bot(), { reference: "T-1", title: "Other" }));
    must(await undo(bot()));
    expect(await listPeople(ada())).toHaveLength(1);
  });
});

describe("an approval of more nodes than are in memory at once", () => {
  const MANY = 1_300;
  const tasks = Array.from({ length: MANY }, (_, n) => ({ id: `B-${n}`, title: `Part ${n}`, parent: "S" }));

  beforeEach(async () => {
    const made = [{ id: "S", tier: "story", title: "S", parent: "F" } as const, ...tasks];
    must(
      await add(
        ada(),
        made.map((input) => ({ input, where: input.id })),
      ),
    );
  });

  const changesOf = (op: number | null) => store.read((reader) => reader.changes(op ?? 0));

  it("is one operation that is signed once, and that one undo takes back and one redo does again", async () => {
    const done = must(await approve(ada(), { references: ["MISSION"] }));
    expect(done.approved).toHaveLength(MANY + 6);
    expect(await changesOf(done.op)).toHaveLength(MANY + 6);
    expect([await doubt("MISSION"), await doubt("B-0"), await doubt(`B-${MANY - 1}`)]).toEqual([null, null, null]);
    expect(await problems()).toEqual(NONE);

    must(await undo(ada()));
    expect((await node(`B-${MANY - 1}`)).approval).toBeNull();
    expect(await problems()).toEqual(NONE);
    must(await redo(ada()));
    expect([await doubt("B-0"), await doubt(`B-${MANY - 1}`)]).toEqual([null, null]);
    expect(await problems()).toEqual(NONE);
  });

  it("changes a story that waited for a plan once, with what it approves of it", async () => {
    const settings = { replans: { initiative: 1, feature: 1, story: 1 } } as Context["settings"];
    must(await replan({ ...ada(), settings }, { reference: "S", reason: "too large" }));
    must(
      await add(
        ada(),
        tasks.map(({ id, ...input }) => ({ input: { ...input, id: `C${id}` }, where: id })),
      ),
    );
    expect((await node("S")).awaitsPlan).not.toBeNull();
    const { op } = must(await approve(ada(), { references: ["MISSION"] }));
    const changed = (await changesOf(op)).map(({ key }) => key);
    expect(new Set(changed).size).toBe(changed.length);
    expect(await node("S")).toMatchObject({ awaitsPlan: null, approval: { by: "human:ada" } });
    expect(await problems()).toEqual(NONE);
  });

  it("is refused whole if the plan is not what was shown, and if nobody whom the plan knows signs it", async () => {
    const { hash } = must(await previewApproval(ada(), { references: ["MISSION"] }));
    const seen = { hash, settings: { setup: [], env: [] } };
    must(await edit(ada(), { reference: `B-${MANY - 1}`, title: "Something else" }));
    expect(mustFail(await approve(ada(), { references: ["MISSION"] }, seen)).reason).toBe("preview-outdated");
    expect(mustFail(await approve(eve(), { references: ["MISSION"] })).reason).toBe("no-secret");
    expect([(await node("MISSION")).approval, (await node("B-0")).approval]).toEqual([null, null]);
    const again = must(await previewApproval(ada(), { references: ["MISSION"] }));
    must(await approve(ada(), { references: ["MISSION"] }, { ...seen, hash: again.hash }));
    expect(await problems()).toEqual(NONE);
  });

  it("leaves nothing behind when it is stopped in the middle, and the plan open for others", async () => {
    for (const doing of ["Comparing", "Reading", "Writing"]) {
      const report = (work: WorkDone): void => {
        if (work.doing === doing && work.done >= 500) throw new Error("stopped");
      };
      await expect(approve({ ...ada(), report }, { references: ["MISSION"] })).rejects.toThrow("stopped");
    }
    expect([(await node("MISSION")).approval, (await node("B-0")).approval]).toEqual([null, null]);
    expect(await problems()).toEqual(NONE);
    must(await approve(ada(), { references: ["MISSION"] }));
  });
});
