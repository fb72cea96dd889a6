/* oxlint-disable vitest/no-standalone-expect, vitest/expect-expect -- each step of a walk looks at what it did. */
// A random walk over a plan: one operation after the other, each held against what the rows alone say. The waiting graph is
// built here a second time, so that a cycle is neither missed nor imagined.

import * as fc from "fast-check";
import { expect } from "vitest";
import { changeItem, createItem } from "../src/model/item/item.js";
import type { PlanningRun } from "../src/model/item/planning-run.js";
import { KINDS, mayContain, type Node, type NodeFields, type Nr, newNode } from "../src/model/node/node.js";
import { type Change, changeFocus, changeNode, invert, mergeChanges } from "../src/model/operation/change.js";
import { checkEdges, checkFacts, checkParent } from "../src/model/operation/invariants.js";
import { findCycle } from "../src/model/order/cycle.js";
import { deriveStatus } from "../src/model/status/status.js";
import { createStore } from "../src/store/open/create.js";
import type { Writer } from "../src/store/store.js";
import { recompute } from "./recompute.js";
import {
  approval,
  claimFacts,
  doneFacts,
  edges,
  everything,
  freezeFacts,
  outcome,
  START,
  StorePlan,
} from "./store-plan.js";

const VERBS = [
  "add",
  "add",
  "add",
  "edit",
  "move",
  "move",
  "link",
  "link",
  "unlink",
  "claim",
  "release",
  "done",
  "done",
  "done",
  "done-all",
  "reject",
  "reset",
  "waive",
  "drop",
  "freeze",
  "thaw",
  "approve",
  "approve",
  "unapprove",
  "archive",
  "land",
  "land",
  "focus",
  "replan",
  "plan",
  "plan",
  "undo",
  "undo",
] as const;

interface Step {
  readonly verb: (typeof VERBS)[number];
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export const steps = fc.array(
  fc.record<Step>({ verb: fc.constantFrom(...VERBS), a: fc.nat(1000), b: fc.nat(1000), c: fc.nat(1000) }),
  { minLength: 5, maxLength: 30 },
);

export const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

type Decide = (writer: Writer, all: readonly Node[], step: Step) => Promise<readonly Change[]> | readonly Change[];

const onNode =
  (patch: (node: Node, writer: Writer, step: Step) => Partial<NodeFields>): Decide =>
  (writer, all, step) => {
    const node = pick(all, step.a);
    return node ? changeNode(node, patch(node, writer, step)) : [];
  };

const onTask =
  (patch: (node: Node, writer: Writer, step: Step) => Partial<NodeFields>): Decide =>
  (writer, all, step) =>
    onNode(patch)(
      writer,
      all.filter((node) => node.tier === "task"),
      step,
    );

const below = async (writer: Writer, node: Node | undefined): Promise<Node[]> =>
  node ? [node, ...(await writer.descendants(node.nr))] : [];

export class Walk {
  readonly plan: StorePlan;
  #count = 0;

  constructor(plan: StorePlan) {
    this.plan = plan;
  }

  readonly #decide: Readonly<Record<Step["verb"], Decide>> = {
    add: async (writer, all, { a, b, c }) => {
      const tier = pick(["task", "task", "task", "story", "feature", "initiative"] as const, c) ?? "task";
      const parent = pick(
        all.filter((node) => mayContain(node.tier, tier)),
        a,
      );
      const target = c % 3 === 0 ? pick(all, b) : undefined;
      const spec = { id: `N-${++this.#count}`, tier, priority: c % 7 > 4 ? null : c % 7 };
      return this.plan.births(writer, [
        {
          ...spec,
          ...(tier === "task" && { kind: pick(["work", "work", "work", "gate", "review"] as const, b) ?? "work" }),
          ...(parent && { parent: parent.id }),
          ...(target && { dependsOn: [target.id] }),
        },
      ]);
    },
    edit: onNode((node, _, { b, c }) => {
      if (b % 4 === 0) return { priority: c % 5 };
      if (b % 4 === 1) return { budgets: { attempts: 1 + (c % 3) } };
      if (b % 4 === 2 && node.tier === "task") return { kind: pick(KINDS, c) ?? "work" };
      return { title: `Title ${c}`, body: c % 2 ? "x" : "" };
    }),
    move: (_, all, { a, b, c }) => {
      const node = pick(
        all.filter((n) => (c % 2 ? n.tier === "story" : n.tier !== "mission")),
        a,
      );
      const parent = pick(
        all.filter((p) => node && (c % 9 === 0 || mayContain(p.tier, node.tier))),
        b,
      );
      return node && parent ? changeNode(node, { parent: parent.nr }) : [];
    },
    link: onNode((node, _, { b, c }) => {
      const on = [...node.dependsOn.map((edge) => edge.on), 1 + (b % 40)];
      return { dependsOn: edges(c % 9 === 0 ? on : [...new Set(on)], c % 4 === 0 ? "sequence" : "stated") };
    }),
    unlink: onNode((node) => ({ dependsOn: node.dependsOn.slice(1) })),
    claim: onTask((node) => claimFacts(node)),
    release: onTask(() => ({ claim: null })),
    done: onTask((_, writer) => doneFacts(writer.op)),
    "done-all": async (writer, all, { a }) => {
      const nodes = await below(writer, pick(all, a));
      const open = nodes.filter((node) => node.tier === "task" && node.kind !== "land" && node.outcome === null);
      return open.flatMap((node) => changeNode(node, { ...doneFacts(writer.op), freeze: null }));
    },
    reject: onTask(() => ({ claim: null, acceptance: { state: "rejected", by: "checks", at: START, reason: "red" } })),
    reset: onTask(() => ({ claim: null, acceptance: null, outcome: null })),
    waive: onNode((_, writer) => ({ claim: null, ...outcome("waived", writer.op) })),
    drop: async (writer, all, { a, b }) => {
      const nodes = await below(writer, pick(all, a));
      const some = b % 3 === 0 ? nodes.slice(0, 1) : nodes;
      return some
        .filter((node) => node.outcome?.kind !== "done")
        .flatMap((node) => changeNode(node, { claim: null, ...outcome("dropped", writer.op) }));
    },
    freeze: async (writer, all, { a }) => {
      const nodes = await below(writer, pick(all, a));
      return nodes
        .filter((node) => node.outcome === null)
        .flatMap((node) => changeNode(node, { claim: null, ...freezeFacts(nodes[0]?.nr ?? 0) }));
    },
    thaw: async (writer, all, { a }) =>
      (await below(writer, pick(all, a))).flatMap((node) => changeNode(node, { freeze: null })),
    approve: async (writer, all, { a }) => {
      const changes: Change[] = [];
      for (const node of await below(writer, pick(all, a))) {
        changes.push(...changeNode(node, await approval(writer, node)));
      }
      return changes;
    },
    unapprove: onNode(() => ({ approval: null })),
    archive: async (writer, all, { a, b }) => {
      const archive = b % 3 === 0 ? null : { by: "human:ada", at: START, root: 1, summary: null };
      return (await below(writer, pick(all, a))).flatMap((node) => changeNode(node, { claim: null, archive }));
    },
    land: (writer, all, { a, b }) => {
      const land = pick(
        all.filter((node) => node.kind === "land" && node.outcome === null),
        a,
      );
      if (!land) return [];
      const open = all.filter((n) => n.feature === land.feature && n.tier === "task" && n.outcome === null);
      // Now and then it lands before its time, which has to be refused.
      return (b % 4 === 0 ? [land] : [...open, land]).flatMap((node) =>
        changeNode(node, { ...doneFacts(writer.op), freeze: null }),
      );
    },
    replan: (_, all, { a }) => {
      const node = pick(
        all.filter(({ tier, outcome: settled }) => tier !== "task" && tier !== "mission" && settled === null),
        a,
      );
      const awaitsPlan = { by: "human:ada", at: START, reason: "too large" };
      return node ? changeNode(node, { awaitsPlan }) : [];
    },
    /** A planning run begins in a node, or the latest one goes on or ends. */
    plan: async (writer, all, { a, b, c }) => {
      const [latest] = await writer.items("run", { newest: true, limit: 1 });
      if (latest && c % 3 > 0) {
        return changeItem(latest, { status: pick(["ready", "finished", "aborted"] as const, b) ?? "ready" });
      }
      const node = pick(all, a);
      const features = c % 2 === 0 || !node || node.feature === null ? {} : { features: [node.feature] };
      const about = { node: node?.nr ?? null, ...features, asked: {}, title: "A plan", createdAt: START };
      const run = { status: "running", driver: null, ...about } as unknown as PlanningRun;
      return [createItem("run", `RUN-${writer.op}`, run)];
    },
    focus: async (writer, all, { a, b }) => {
      const actor = pick(["human:ada", "human:bob"], b) ?? "human:ada";
      const node = pick(
        all.filter((n) => n.outcome === null),
        a,
      );
      return node ? changeFocus(actor, await writer.focus(actor), node.nr) : [];
    },
    undo: async (writer, _, { a }) => {
      const op = 1 + (a % Math.max(1, writer.op - 1));
      // As `undo` does: only what no later operation has touched.
      for (const { key, entity } of await writer.changes(op)) {
        const [latest] = entity === "node" ? await writer.operations({ node: key, limit: 1 }) : [{ op }];
        if (latest?.op !== op) return [];
      }
      return invert((await writer.changes(op)).filter((change) => change.entity === "node"));
    },
  };

  async take(step: Step): Promise<void> {
    const before = await this.#state();
    let wouldBe: Node[] = [];
    const decide = async (writer: Writer): Promise<readonly Change[]> => {
      const all = await everything(writer);
      const changes = await this.#decide[step.verb](writer, all, step);
      wouldBe = applied(all, changes);
      return changes;
    };
    const result = await this.plan.attempt(decide, "human:ada", step.verb === "undo" ? { undoes: 1 } : {});
    const verification = await this.plan.store.verify();
    expect(verification.differences).toEqual([]);
    if (result.ok) {
      const all = await this.plan.nodes();
      if (step.verb !== "undo") expect(waitsThatEnded(before.nodes, all)).toEqual(plansApproved(before.nodes, all));
      expect(violationsIn(all)).toEqual([]);
      expect(cycleIn(all)).toBeUndefined();
    } else {
      expect(await this.#state()).toEqual(before);
      if (result.error.message.includes("cycle"))
        expect([result.error.message, cycleIn(wouldBe)]).toEqual([result.error.message, expect.any(Array)]);
    }
  }

  /** `ready` and the surroundings that a status is told agree with each other. */
  async expectLooksRight(): Promise<void> {
    const all = await this.plan.nodes();
    const claimable = new Set(await this.plan.claimable());
    await this.plan.store.read(async (reader) => {
      for (const node of all) {
        const { reason } = deriveStatus(node, await reader.surroundings(node));
        expect([node.id, reason === "claimable"]).toEqual([node.id, claimable.has(node.id)]);
        if (node.tier === "task" && node.kind !== "land") {
          const unmet = (await reader.dependencies(node)).filter((link) => link.state !== "met");
          expect([node.id, unmet.length]).toEqual([node.id, node.pending]);
        }
      }
      for (const actor of ["human:ada", "human:bob"]) {
        const nr = await reader.focus(actor);
        if (nr !== null) expect(all.some((node) => node.nr === nr)).toBe(true);
      }
    });
  }

  async #state(): Promise<{ readonly nodes: readonly Node[]; readonly operations: number[]; readonly focus: unknown }> {
    return this.plan.store.read(async (reader) => ({
      nodes: await everything(reader),
      operations: (await reader.operations({ limit: 1 })).map(({ op }) => op),
      focus: [await reader.focus("human:ada"), await reader.focus("human:bob")],
    }));
  }
}

/** Nodes that waited for a new plan, and no longer do. */
const waitsThatEnded = (before: readonly Node[], after: readonly Node[]): string[] =>
  after
    .filter(({ nr, awaitsPlan }) => awaitsPlan === null && before.find((node) => node.nr === nr)?.awaitsPlan)
    .map(({ id }) => id);

/** Nodes that waited for a new plan, and below which work was approved that was not. */
function plansApproved(before: readonly Node[], after: readonly Node[]): string[] {
  const was = new Map(before.map((node) => [node.nr, node]));
  const above = new Set<Nr | null>();
  for (const { nr, kind, approval: given, outcome: settled, parent } of after) {
    if ((kind !== "work" && kind !== "review") || settled !== null || !given || was.get(nr)?.approval) continue;
    for (let at = parent; at !== null; at = after.find((node) => node.nr === at)?.parent ?? null) above.add(at);
  }
  return after.filter(({ nr }) => above.has(nr) && was.get(nr)?.awaitsPlan).map(({ id }) => id);
}

/** The rows as the changes would leave them, with everything derived from nothing. */
export function applied(all: readonly Node[], changes: readonly Change[]): Node[] {
  const rows = new Map<Nr, Node>(all.map((node) => [node.nr, node]));
  for (const change of mergeChanges(changes)) {
    if (change.entity !== "node") continue;
    if (change.after === null) rows.delete(change.key);
    else if (change.before === null) rows.set(change.key, newNode(change.key, change.after as Node, START));
    else rows.set(change.key, { ...(rows.get(change.key) as Node), ...change.after });
  }
  // A cycle of parents has no derived values; it is refused for other reasons.
  const derived = recompute(rows.values());
  return [...rows.values()].map((node) => ({ ...node, ...derived.get(node.nr) }));
}

/** Who waits for whom, from the rows alone. */
export function cycleIn(all: readonly Node[]): Nr[] | undefined {
  const byNr = new Map(all.map((node) => [node.nr, node]));
  const children = new Map<Nr, Nr[]>();
  for (const { nr, parent } of all) if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), nr]);
  return findCycle(byNr.keys(), (nr) => {
    const node = byNr.get(nr) as Node;
    const waits = [...(children.get(nr) ?? [])];
    for (let at: Node | undefined = node; at; at = byNr.get(at.parent ?? -1)) {
      for (const { on } of at.dependsOn) {
        waits.push(on);
        const target = byNr.get(on);
        const landed = target && (target.kind === "work" || target.tier === "story");
        if (landed && target.feature !== null && target.feature !== at.feature) waits.push(target.feature);
      }
    }
    if (node.kind === "land" && node.outcome === null) {
      waits.push(...(children.get(node.parent as Nr) ?? []).filter((beside) => byNr.get(beside)?.kind !== "land"));
    }
    return waits;
  });
}

export function violationsIn(all: readonly Node[]): string[] {
  const byNr = new Map(all.map((node) => [node.nr, node]));
  const lookup = (nr: Nr): Node | undefined => byNr.get(nr);
  const found = all.flatMap((node) => [...checkParent(node, lookup), ...checkEdges(node, lookup), ...checkFacts(node)]);
  return [...found.map(({ message }) => message), ...all.filter((n) => n.tier === "feature").flatMap(landsOf(all))];
}

const landsOf =
  (all: readonly Node[]) =>
  (feature: Node): string[] => {
    const open = all.filter((n) => n.parent === feature.nr && n.kind === "land" && n.outcome === null).length;
    const works = !feature.inbox && feature.outcome === null && feature.archive === null;
    const needed = works && feature.tasksLive > feature.tasksFinished ? 1 : 0;
    return open >= needed && open <= 1 ? [] : [`${feature.id} has ${open} open land tasks.`];
  };

export async function newPlan(path = ":memory:"): Promise<StorePlan> {
  const { store } = await createStore({ path, durability: "normal", engine: "auto" });
  const plan = new StorePlan(store);
  await plan.add(
    { id: "MISSION", tier: "mission" },
    { id: "INIT", tier: "initiative", parent: "MISSION" },
    { id: "INBOX", tier: "feature", parent: "MISSION", inbox: true },
    { id: "F1", tier: "feature", parent: "INIT" },
    { id: "F2", tier: "feature", parent: "MISSION" },
    { id: "S1", tier: "story", parent: "F1" },
    { id: "S2", tier: "story", parent: "F2" },
    { id: "S3", tier: "story", parent: "F2" },
    { id: "A", parent: "S1" },
    { id: "B", parent: "S1", dependsOn: ["A"] },
    { id: "C", parent: "S2", dependsOn: ["A"] },
    { id: "D", parent: "S3", kind: "gate" },
    { id: "E", parent: "F2", dependsOn: ["S1", "D"] },
    { id: "G", parent: "INBOX" },
  );
  await plan.approve("MISSION");
  return plan;
}
