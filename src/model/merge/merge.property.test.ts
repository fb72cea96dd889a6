import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { born, Clone, edit, gone, TOP } from "../../../test/clones.js";
import { mergePlans } from "./merge.js";
import { presentNodes } from "./merged-node.js";
import { readyOperations, type SharedChange } from "./shared-operation.js";

const NAMES = ["ada", "kim", "lee"] as const;
const NODES = ["f", "g", "s", "t", "u", "v", "w"] as const;

const node = fc.constantFrom(...NODES);
const word = fc.constantFrom("a", "b", "c");
const outcome = fc.constantFrom("done", "waived", "dropped").map((kind) => ({ kind }));

const change: fc.Arbitrary<SharedChange> = fc.oneof(
  fc.tuple(node, word).map(([id, title]) => edit(id, { title })),
  fc.tuple(node, fc.array(word)).map(([id, lines]) => edit(id, { body: lines.join("\n") })),
  fc.tuple(node, fc.array(word), fc.array(word)).map(([id, was, is]) => edit(id, { files: is }, { files: was })),
  fc.tuple(node, node).map(([id, on]) => edit(id, { dependsOn: [{ on, origin: "stated" }] }, { dependsOn: [] })),
  fc.tuple(node, fc.option(outcome)).map(([id, is]) => edit(id, { outcome: is })),
  fc.tuple(node, fc.option(word)).map(([id, reason]) => edit(id, { freeze: reason === null ? null : { reason } })),
  fc.tuple(node, fc.constantFrom("f", "g", "s")).map(([id, parent]) => edit(id, { parent })),
  node.map((id) => edit(id, { attempts: 1 }, { attempts: 0 })),
  fc.tuple(node, fc.constantFrom("TASK-00001", "TASK-00002")).map(([id, name]) => born(id, { id: name, parent: "f" })),
  node.map(gone),
);

const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ who: fc.nat(2), change }) },
  { weight: 1, arbitrary: fc.record({ who: fc.nat(2), hears: fc.nat(2) }) },
);

const begun = [
  TOP,
  born("f", { tier: "feature", kind: null }),
  born("l", { parent: "f", kind: "land" }),
  born("g", { tier: "feature", kind: null }),
  born("s", { tier: "story", kind: null, parent: "g" }),
];

function play(actions: readonly ({ who: number; change: SharedChange } | { who: number; hears: number })[]): Clone[] {
  const clones = NAMES.map((name, i) => new Clone(name, i * 10_000));
  (clones[0] as Clone).does(...begun);
  for (const each of actions) {
    const clone = clones[each.who] as Clone;
    if ("change" in each) clone.does(each.change);
    else clone.hears(clones[each.hears] as Clone);
  }
  return clones;
}

describe("random work in three clones whose clocks are wrong", () => {
  it("comes to the same plan in whatever order, however often and in whatever parts it arrives", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (actions, random) => {
        const clones = play(actions);
        const all = new Clone("all").hears(...clones).known;
        const plan = mergePlans(readyOperations(all).ready);
        const shuffled = [...all, ...all].map((op) => ({ op, place: random.next().value }));
        const again = shuffled.sort((a, b) => a.place - b.place).map(({ op }) => JSON.parse(JSON.stringify(op)));
        expect(JSON.stringify(mergePlans(readyOperations(again).ready))).toBe(JSON.stringify(plan));
        for (const clone of clones) {
          clone.hears(...clones);
          expect(JSON.stringify(clone.plan)).toBe(JSON.stringify(plan));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("leaves every id to one node, every parent there, and nothing waiting for itself", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const clones = play(actions);
        const { nodes } = (clones[0] as Clone).hears(...clones).plan;
        const there = presentNodes(new Map(nodes));
        const ids = there.map(({ fields }) => String(fields["id"]).toLowerCase());
        expect(new Set(ids).size).toBe(ids.length);
        const uuids = new Set(there.map(({ uuid }) => uuid));
        for (const { fields } of there) {
          for (const { on } of (fields["dependsOn"] ?? []) as { on: string }[]) expect(uuids).toContain(on);
        }
        expect(mergePlans([]).nodes.size).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it("is what the last one said, where each knew the others", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), node, word), { minLength: 1, maxLength: 20 }), (writes) => {
        const clones = NAMES.map((name, i) => new Clone(name, i * 10_000));
        const said = new Map<string, string>();
        for (const [who, id, title] of writes) {
          (clones[who] as Clone).hears(...clones).does(edit(id, { title }));
          said.set(id, title);
        }
        const { nodes, differences } = (clones[0] as Clone).hears(...clones).plan;
        for (const [id, title] of said) expect(nodes.get(id)?.fields["title"]).toBe(title);
        expect(differences).toEqual([]);
      }),
    );
  });
});
