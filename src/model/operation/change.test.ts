import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AT, aNode } from "../../../test/node.js";
import { type Birth, BLANK, type Node, type NodeFields, newNode } from "../node/node.js";
import {
  type Change,
  changeFocus,
  changeNode,
  createNode,
  fieldsOf,
  invert,
  isItemChange,
  mergeChanges,
  type NodeChange,
  removeNode,
} from "./change.js";

/** Rows by what they hold: `null` stands for a row that is not there. */
type Rows = Record<string, Record<string, unknown> | null>;

function apply(rows: Rows, changes: readonly Change[]): Rows {
  const next = { ...rows };
  for (const { entity, key, before, after } of changes) {
    const name = `${entity}:${key}`;
    const blank = entity === "node" ? BLANK : {};
    if (after === null) next[name] = null;
    else next[name] = before === null ? { ...blank, ...after } : { ...next[name], ...after };
  }
  return next;
}

it("a change is of a node, of somebody's focus, or of an item beside the nodes", () => {
  const [node] = changeNode(aNode(), { title: "New" });
  const [focus] = changeFocus("human:ada", null, 7);
  const item: Change = { entity: "record", key: "DEC-001", before: null, after: {} };
  expect([node as Change, focus as Change, item].map(isItemChange)).toEqual([false, false, true]);
});

describe("changeNode", () => {
  it("keeps the fields that differ, as they were and as they become", () => {
    const node = aNode({ title: "Old", files: ["a"], priority: 2 });
    expect(changeNode(node, { title: "New", files: ["a"], priority: null })).toEqual([
      { entity: "node", key: 7, before: { title: "Old", priority: 2 }, after: { title: "New", priority: null } },
    ]);
  });

  it("is nothing when the patch says what is already so", () => {
    const node = aNode({ budgets: { attempts: 3 }, dependsOn: [{ on: 1, origin: "stated" }] });
    expect(changeNode(node, {})).toEqual([]);
    expect(changeNode(node, { budgets: { attempts: 3 }, dependsOn: [{ on: 1, origin: "stated" }] })).toEqual([]);
  });
});

describe("createNode", () => {
  const birth: Birth = {
    uuid: "u",
    id: "X",
    tier: "task",
    kind: "work",
    title: "T",
    createdAt: AT,
    createdBy: "human:ada",
  };

  it("leaves out what a blank node has too", () => {
    expect(createNode(9, { ...birth, body: "", files: [], budgets: {}, freeze: null, epoch: 0, inbox: false })).toEqual(
      {
        entity: "node",
        key: 9,
        before: null,
        after: birth,
      },
    );
  });

  it("keeps everything else", () => {
    const by = { by: "human:ada", at: AT };
    const said: { readonly [K in keyof typeof BLANK]: NodeFields[K] } = {
      kind: "gate",
      body: "b",
      parent: 0,
      dependsOn: [{ on: 3, origin: "stated" }],
      files: ["a"],
      symbols: ["s"],
      checks: [{ run: "x" }],
      profile: "",
      priority: 0,
      estimateHours: 0.5,
      budgets: { attempts: 1 },
      inbox: true,
      approval: { ...by, hash: "h" },
      freeze: { ...by, reason: "r", from: 1, commit: null },
      claim: { by: "agent:a", token: "t", epoch: 1, at: AT, until: AT },
      outcome: { ...by, kind: "done", reason: null, op: 1 },
      acceptance: { ...by, state: "accepted", reason: null },
      report: {
        ...by,
        startedAt: AT,
        durationMs: 1,
        commit: null,
        created: [],
        modified: [],
        checks: [],
        failure: null,
      },
      archive: { ...by, root: 1, summary: null },
      discoveries: [{ ...by, note: "n", from: 1 }],
      epoch: 2,
      attempts: 1,
      retries: 1,
      replans: 1,
      replansGranted: 1,
      awaitsPlan: { by: "human:ada", at: 7, reason: "too large" },
    };
    for (const [field, blank] of Object.entries(BLANK)) expect(said[field as keyof typeof said]).not.toEqual(blank);
    expect(createNode(9, { ...birth, ...said }).after).toEqual({ ...birth, ...said });
  });

  it("gives back the same node as its birth", () => {
    const full = { ...birth, checks: [{ run: "x" }], parent: 3 };
    expect(newNode(9, createNode(9, full).after as Birth, AT)).toEqual(newNode(9, full, AT));
  });
});

it("removeNode remembers the whole row, so that its inverse brings it back", () => {
  const node = aNode({ body: "b", attempts: 3, pending: 4 });
  const gone = removeNode(node);
  expect(gone).toMatchObject({ key: 7, after: null });
  const [back] = invert([gone]) as NodeChange[];
  expect(fieldsOf(newNode(7, back?.after as Birth, AT))).toEqual(fieldsOf(node));
});

it("fieldsOf leaves out what is derived", () => {
  const fields = fieldsOf(aNode({ pending: 3, hash: "h", revision: 9 })) as unknown as Record<string, unknown>;
  for (const name of ["nr", "pending", "hash", "revision", "updatedAt", "feature", "awaited"]) {
    expect(name in fields).toBe(false);
  }
  expect(Object.keys(fields).length).toBe(Object.keys(BLANK).length + 6);
});

describe("changeFocus", () => {
  it.each([
    [null, 3, { before: null, after: { node: 3 } }],
    [3, null, { before: { node: 3 }, after: null }],
    [3, 4, { before: { node: 3 }, after: { node: 4 } }],
  ] as const)("from %s to %s", (before, after, expected) => {
    expect(changeFocus("human:ada", before, after)).toEqual([{ entity: "focus", key: "human:ada", ...expected }]);
  });

  it("is nothing when it stays", () => {
    expect(changeFocus("human:ada", 3, 3)).toEqual([]);
    expect(changeFocus("human:ada", null, null)).toEqual([]);
  });
});

describe("sequences of changes", () => {
  const start = (): Map<number, Node> =>
    new Map([1, 2].map((nr) => [nr, aNode({ nr, id: `T-${nr}`, uuid: `u-${nr}`, body: "start", priority: 2 })]));

  const patches: Partial<NodeFields>[] = [
    { body: "one" },
    { body: "" },
    { body: "start", priority: null },
    { priority: 2 },
    { files: ["a"], freeze: { reason: "x", by: "human:ada", at: AT, from: 1, commit: null } },
    { files: [], freeze: null },
    { outcome: { kind: "waived", by: "human:ada", at: AT, reason: null, op: 3 }, attempts: 2 },
  ];

  const step = fc.record({ nr: fc.constantFrom(1, 2, 3), what: fc.nat(patches.length + 3), node: fc.nat(3) });

  /** Changes as verbs would make them, one after the other, on rows that come and go. */
  function build(steps: readonly { nr: number; what: number; node: number }[]): Change[] {
    const rows = start();
    let focus: number | null = null;
    const changes: Change[] = [];
    for (const { nr, what, node } of steps) {
      const row = rows.get(nr);
      const patch = patches[what];
      if (what === patches.length + 3) {
        const next = node === 0 ? null : node;
        changes.push(...changeFocus("human:ada", focus, next));
        focus = next;
      } else if (!row) {
        const birth = { ...fieldsOf(aNode({ id: `N-${nr}` })), ...(what % 2 ? { body: "born" } : {}) };
        changes.push(createNode(nr, birth));
        rows.set(nr, newNode(nr, birth, AT));
      } else if (patch) {
        changes.push(...changeNode(row, patch));
        rows.set(nr, { ...row, ...patch });
      } else {
        changes.push(removeNode(row));
        rows.delete(nr);
      }
    }
    return changes;
  }

  const rowsAtStart = (): Rows => ({
    "node:1": { ...fieldsOf(start().get(1) as Node) },
    "node:2": { ...fieldsOf(start().get(2) as Node) },
    "node:3": null,
    "focus:human:ada": null,
  });

  const sequences = fc.array(step, { maxLength: 12 }).map(build);

  it("come to the same when they are merged, with at most one change per row", () => {
    fc.assert(
      fc.property(sequences, (changes) => {
        const merged = mergeChanges(changes);
        expect(apply(rowsAtStart(), merged)).toEqual(apply(rowsAtStart(), changes));
        const keys = merged.map(({ entity, key }) => `${entity}:${key}`);
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 500 },
    );
  });

  it("are taken back exactly by their inverse, merged or not", () => {
    fc.assert(
      fc.property(sequences, (changes) => {
        for (const done of [changes, mergeChanges(changes)]) {
          expect(apply(apply(rowsAtStart(), done), invert(done))).toEqual(rowsAtStart());
          expect(invert(invert(done))).toEqual(done);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("that cancel each other out are nothing", () => {
    fc.assert(
      fc.property(sequences, (changes) => {
        expect(mergeChanges([...changes, ...invert(changes)])).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
