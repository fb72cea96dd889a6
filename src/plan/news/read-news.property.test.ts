// Whatever happens in whatever order, whenever somebody looks, and however often the program is started again: each
// thing is told exactly once. What there was to tell is counted by looking at the whole plan after every operation.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { array, asyncProperty, constantFrom, assert as holdsFor, nat, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { addAll, makePlan, must, type TestPlan } from "../../../test/plan.js";
import { changeItem, createItem } from "../../model/item/item.js";
import type { PlanningRun } from "../../model/item/planning-run.js";
import type { Node, Nr } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { factNews, type Standing, standingOf } from "../../model/rules/news.js";
import { deriveStatus } from "../../model/status/status.js";
import type { SqliteOptions } from "../../store/dialects/sqlite/sqlite.js";
import { createStore } from "../../store/open/create.js";
import { openStore } from "../../store/open/open.js";
import type { Store } from "../../store/store.js";
import { archive } from "../../verbs/branch/archive.js";
import { drop } from "../../verbs/branch/drop.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { thaw } from "../../verbs/branch/thaw.js";
import { unapprove } from "../../verbs/branch/unapprove.js";
import { waive } from "../../verbs/branch/waive.js";
import { redo, undo, undoable } from "../../verbs/history/take-back.js";
import { edit } from "../../verbs/node/edit.js";
import { move } from "../../verbs/node/move.js";
import { unlink } from "../../verbs/node/unlink.js";
import { replan } from "../../verbs/plan/replan.js";
import { failTask } from "../../verbs/task/fail.js";
import { complete } from "../../verbs/task/hand-in.js";
import { next } from "../../verbs/task/next.js";
import type { Context } from "../base/context.js";
import { act } from "../base/context.js";
import { accept, reset } from "../claim/settle-tasks.js";
import { add } from "../node/add.js";
import { approve } from "../node/approve.js";

import { readNews } from "./read-news.js";
import { activeSubscriptions, subscribe } from "./subscribe.js";

interface Picture {
  readonly node: Node;
  readonly standing: Standing;
}

type Count = Map<string, number>;

const count = (into: Count, name: string, times = 1): unknown => into.set(name, (into.get(name) ?? 0) + times);

const sorted = (counts: Count): [string, number][] => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));

/** The operations of the start: the plan, its approval, and two subscriptions. */
const STARTED = 4;
const USER = "human:ada";
const WATCHER = "agent:watcher";
const NARROW = "agent:narrow";

/** A plan in a file that can be closed and opened again, and what there was to tell in it. */
class Watched {
  readonly #folder = mkdtempSync(join(tmpdir(), "planwright-news-"));
  readonly #options: SqliteOptions = { path: join(this.#folder, "plan.db"), durability: "normal", engine: "auto" };
  #store!: Store;
  #template!: TestPlan;
  #seen = new Map<Nr, Picture>();
  #time = Date.UTC(2026, 0, 1);
  readonly happened: Count = new Map();
  /** In FEAT-A alone. */
  readonly happenedInA: Count = new Map();
  readonly told: Count = new Map();
  readonly toldOfA: Count = new Map();

  async open(): Promise<void> {
    this.#store = (await createStore(this.#options)).store;
    this.#template = await makePlan();
    await this.#template.store.close();
  }

  async restart(): Promise<void> {
    await this.#store.close();
    this.#store = await openStore(this.#options);
  }

  async close(): Promise<void> {
    await this.#store.close();
    rmSync(this.#folder, { recursive: true });
  }

  as(actor: string): Context {
    const store = this.#store;
    const watched: Store = {
      ...store,
      read: (work) => store.read(work),
      commit: async (intent, decide) => {
        const committed = await store.commit(intent, decide);
        if (committed.ok && committed.value.op !== null) await this.compare();
        return committed;
      },
      follow: (after, options) => store.follow(after, options),
      verify: () => store.verify(),
      size: () => store.size(),
      close: () => store.close(),
    };
    const settings = { ...this.#template.settings, maxRetries: 1 };
    const now = (): number => ++this.#time;
    return { ...this.#template, store: watched, actor, settings, root: "/tmp", cwd: "/tmp", now };
  }

  pass(ms: number): void {
    this.#time += ms;
  }

  nodes(): Promise<Node[]> {
    return this.#store.read(async (reader) => {
      const all: Node[] = [];
      for await (const node of reader.scan()) all.push(node);
      return all;
    });
  }

  async look(): Promise<void> {
    for (const { kind, id, times } of must(await readNews(this.as(WATCHER))).news)
      count(this.told, `${kind} ${id}`, times);
    const narrow = await readNews(this.as(NARROW));
    for (const { kind, id, times } of narrow.ok ? narrow.value.news : []) count(this.toldOfA, `${kind} ${id}`, times);
  }

  /** Everything again, from the stored columns. */
  async compare(): Promise<void> {
    const seen = new Map<Nr, Picture>();
    await this.#store.read(async (reader) => {
      for await (const node of reader.scan()) {
        const { reason } = deriveStatus(node, await reader.surroundings(node));
        seen.set(node.nr, { node, standing: node.tier === "task" ? standingOf(reason) : null });
      }
    });
    for (const { node, standing } of seen.values()) {
      if (node.tier !== "task") continue;
      const before = this.#seen.get(node.nr);
      const kinds: string[] = before ? factNews(before.node, node).map(({ kind }) => kind) : [];
      if (standing !== null && standing !== (before?.standing ?? null)) kinds.push(standing);
      const feature = seen.get(node.feature ?? 0)?.node;
      for (const kind of kinds) {
        const name = `${kind} ${kind === "landed" ? (feature?.id ?? "") : node.id}`;
        count(this.happened, name);
        if (feature?.id === "FEAT-A") count(this.happenedInA, name);
      }
    }
    this.#seen = seen;
  }

  forget(): void {
    for (const counts of [this.happened, this.happenedInA, this.told, this.toldOfA]) counts.clear();
  }
}

interface Step {
  readonly verb: string;
  readonly a: number;
  readonly b: number;
}

type Verb = (plan: Watched, nodes: readonly Node[], step: Step) => Promise<Result<unknown> | undefined | void>;

function pick(nodes: readonly Node[], n: number, matters: (node: Node) => boolean = () => true): string {
  const those = nodes.filter(matters);
  const from = those.length > 0 ? those : nodes;
  return from[n % from.length]?.id ?? "NOTHING";
}

const isTask = (node: Node): boolean => node.tier === "task";
const isOpenTask = (node: Node): boolean => node.tier === "task" && node.outcome === null;
const holds = (node: Node): boolean => (node.tier === "story" || node.tier === "feature") && node.outcome === null;

async function work(plan: Watched, { a, b }: Step): Promise<Result<unknown>> {
  const worker = plan.as("agent:bot");
  const claimed = await next(worker, {});
  const [given] = claimed.ok ? claimed.value : [];
  if (!given) return claimed;
  const { id: reference } = given.task;
  if (b % 5 === 0) return failTask(worker, { reference, token: given.token, reason: "it does not work" });
  const handedIn = await complete(worker, { reference, token: given.token });
  return a % 4 === 0 ? handedIn : accept(plan.as(USER), { references: [reference], reason: "looks right" });
}

/** Gives up what holds a feature in which something is done, and now and then lands it. */
async function wrapUp(plan: Watched, nodes: readonly Node[], { a, b }: Step): Promise<void> {
  const done = new Set(nodes.filter((n) => n.outcome?.kind === "done" && n.kind !== "land").map((n) => n.feature));
  const feature = nodes.find((node) => node.id === pick(nodes, a, (n) => n.tier === "feature" && done.has(n.nr)));
  const isHolding = (node: Node): boolean => node.feature === feature?.nr && node.kind !== "land" && node !== feature;
  const open = nodes.filter((node) => isHolding(node) && node.outcome === null);
  for (const { id, tier } of open.sort((x, y) => Number(x.tier === "story") - Number(y.tier === "story")))
    if (tier === "task") await waive(plan.as(USER), { references: [id], reason: "no need" });
    else await drop(plan.as(USER), { references: [id] });
  const land = nodes.find(({ parent, kind, outcome }) => parent === feature?.nr && kind === "land" && outcome === null);
  if (land && b % 3 > 0) await complete(plan.as(USER), { reference: land.id });
}

const VERBS: Readonly<Record<string, Verb>> = {
  "add task": (plan, nodes, { a, b }) => {
    const rest = b % 2 === 0 ? {} : { dependsOn: [pick(nodes, b)] };
    return add(plan.as(USER), [{ where: "task", input: { title: "More", parent: pick(nodes, a, holds), ...rest } }]);
  },
  "add gate": (plan, nodes, { a }) =>
    add(plan.as(USER), [{ where: "gate", input: { kind: "gate", title: "Gate", parent: pick(nodes, a, holds) } }]),
  "add story": (plan, nodes, { a }) => {
    const parent = pick(nodes, a, (node) => node.tier === "feature" && node.outcome === null);
    return add(plan.as(USER), [{ where: "story", input: { tier: "story", title: "Story", parent } }]);
  },
  link: (plan, nodes, { a, b }) =>
    add(plan.as(USER), [
      { where: "link", input: { id: pick(nodes, a, isOpenTask), title: "L", dependsOn: [pick(nodes, b)] } },
    ]),
  "link container": (plan, nodes, { a, b }) =>
    add(plan.as(USER), [
      { where: "link", input: { id: pick(nodes, a, holds), title: "L", dependsOn: [pick(nodes, b)] } },
    ]),
  unlink: (plan, nodes, { a }) => {
    const those = nodes.filter((node) => node.dependsOn.length > 0);
    const from = those[a % Math.max(1, those.length)];
    const on = nodes.filter((node) => from?.dependsOn.some((edge) => edge.on === node.nr)).map((node) => node.id);
    return unlink(plan.as(USER), { reference: from?.id ?? "NOTHING", on });
  },
  move: (plan, nodes, { a, b }) =>
    move(plan.as(USER), { references: [pick(nodes, a, isOpenTask)], to: pick(nodes, b, holds) }),
  "move story": (plan, nodes, { a, b }) =>
    move(plan.as(USER), {
      references: [pick(nodes, a, (node) => node.tier === "story")],
      to: pick(nodes, b, (node) => node.tier === "feature"),
    }),
  edit: (plan, nodes, { a, b }) =>
    edit(plan.as(USER), {
      reference: pick(nodes, a, isOpenTask),
      ...(b % 2 ? { title: `T ${b}` } : { priority: b % 5 }),
    }),
  "approve all": (plan) => approve(plan.as(USER), { references: ["MISSION"] }),
  "approve more": (plan) => approve(plan.as(USER), { references: ["MISSION"] }),
  unapprove: (plan, nodes, { a }) =>
    unapprove(plan.as(USER), { references: [pick(nodes, a, (node) => node.approval !== null)] }),
  freeze: (plan, nodes, { a }) => freeze(plan.as(USER), { references: [pick(nodes, a)] }),
  thaw: (plan, nodes, { a }) => thaw(plan.as(USER), { references: [pick(nodes, a, (node) => node.freeze !== null)] }),
  next: (plan, _, { a }) => next(plan.as("agent:bot"), { count: 1 + (a % 2) }),
  "next later": (plan, _, { a }) => {
    plan.pass(a % 2 === 0 ? 3_600_000 : 0);
    return next(plan.as("agent:bot"), {});
  },
  work: (plan, _, step) => work(plan, step),
  "work more": (plan, _, step) => work(plan, step),
  "work even more": (plan, _, step) => work(plan, step),
  gate: (plan, nodes, { a }) => complete(plan.as(USER), { reference: pick(nodes, a, (node) => node.kind === "gate") }),
  "wrap up": (plan, nodes, step) => wrapUp(plan, nodes, step),
  "wrap up more": (plan, nodes, step) => wrapUp(plan, nodes, step),
  /** A planning run begins in a node, or the latest one ends. */
  plan: (plan, nodes, { a, b }) =>
    act(plan.as(USER), "plan", async (writer) => {
      const [latest] = await writer.items("run", { newest: true, limit: 1 });
      const node = nodes[a % nodes.length];
      const features = node && node.feature !== null && b % 3 > 0 ? { features: [node.feature] } : {};
      const run = { status: "running", node: node?.nr ?? null, ...features } as unknown as PlanningRun;
      const changes =
        latest?.fields.status === "running"
          ? changeItem(latest, { status: b % 2 === 0 ? "finished" : "ready" })
          : latest?.fields.status === "ready"
            ? changeItem(latest, { status: "aborted" })
            : [createItem("run", `RUN-${writer.op}`, run)];
      return ok({ sentence: "planned", changes, value: null });
    }),
  land: (plan, nodes, { a }) => {
    const whole = new Set(nodes.filter((n) => n.tasksLive > 0 && n.tasksLive === n.tasksFinished).map((n) => n.nr));
    const reference = pick(nodes, a, (node) => node.kind === "land" && whole.has(node.parent ?? 0));
    return complete(plan.as(USER), { reference });
  },
  reset: (plan, nodes, { a }) =>
    reset(plan.as(USER), { references: [pick(nodes, a, (node) => node.acceptance !== null)], reason: "again" }),
  waive: (plan, nodes, { a }) => waive(plan.as(USER), { references: [pick(nodes, a, isOpenTask)], reason: "no need" }),
  "waive any": (plan, nodes, { a }) => waive(plan.as(USER), { references: [pick(nodes, a)], reason: "no need" }),
  drop: (plan, nodes, { a }) => drop(plan.as(USER), { references: [pick(nodes, a, isTask)] }),
  "drop any": (plan, nodes, { a }) => drop(plan.as(USER), { references: [pick(nodes, a)] }),
  replan: (plan, nodes, { a }) => replan(plan.as(USER), { reference: pick(nodes, a, holds), reason: "again" }),
  archive: (plan, nodes, { a }) => archive(plan.as(USER), { references: [pick(nodes, a, (node) => !isTask(node))] }),
  undo: async (plan) => {
    const latest = must(await undoable(plan.as(USER))).find(({ refused }) => refused === null);
    return latest && latest.op > STARTED ? undo(plan.as(USER), String(latest.op)) : undefined;
  },
  "undo any": async (plan, _, { a }) => undo(plan.as(USER), String(STARTED + 1 + (a % 60))),
  redo: (plan) => redo(plan.as(USER)),
  look: (plan) => plan.look(),
  "look again": (plan) => plan.look(),
  restart: (plan) => plan.restart(),
};

const steps = array(record({ verb: constantFrom(...Object.keys(VERBS)), a: nat(1000), b: nat(1000) }), {
  minLength: 15,
  maxLength: 60,
});

async function startingPlan(): Promise<Watched> {
  const plan = new Watched();
  await plan.open();
  await addAll(plan.as(USER), [
    { id: "MISSION", tier: "mission", title: "The mission" },
    { id: "FEAT-A", tier: "feature", title: "Feature A", parent: "MISSION" },
    { id: "STORY-A", tier: "story", title: "Story A", parent: "FEAT-A" },
    { id: "FEAT-B", tier: "feature", title: "Feature B", parent: "MISSION" },
    { id: "STORY-B", tier: "story", title: "Story B", parent: "FEAT-B", dependsOn: ["STORY-A"] },
    { id: "A-1", title: "A 1", parent: "STORY-A", budgets: { attempts: 2 } },
    { id: "A-2", title: "A 2", parent: "STORY-A", dependsOn: ["A-1"] },
    { id: "A-G", title: "A gate", kind: "gate", parent: "FEAT-A", dependsOn: ["A-1"] },
    { id: "B-1", title: "B 1", parent: "FEAT-B", dependsOn: ["A-1"] },
    { id: "B-2", title: "B 2", parent: "STORY-B" },
  ]);
  must(await approve(plan.as(USER), { references: ["MISSION"] }));
  must(await subscribe(plan.as(WATCHER), {}));
  must(await subscribe(plan.as(NARROW), { reference: "FEAT-A" }));
  await plan.compare();
  plan.forget();
  return plan;
}

describe("news", () => {
  it("are told exactly once, whatever happens and whenever somebody looks", { timeout: 600_000 }, async () => {
    const kinds = new Set<string>();
    const runs = process.env["PLANWRIGHT_TEST_FULL"] ? 600 : 60;
    await holdsFor(
      asyncProperty(steps, async (sequence) => {
        const plan = await startingPlan();
        try {
          for (const step of sequence) await (VERBS[step.verb] as Verb)(plan, await plan.nodes(), step);
          await plan.look();
          expect(sorted(plan.told)).toEqual(sorted(plan.happened));
          for (const name of plan.happened.keys()) kinds.add(name.split(" ")[0] ?? "");
          // A subscription to a feature ends with it; until then it is told all that happens in it.
          const isSubscribed = (await subscriptionsOf(plan, NARROW)) > 0;
          expect(isSubscribed ? sorted(plan.toldOfA) : sorted(plan.happenedInA)).toEqual(sorted(plan.happenedInA));
        } finally {
          await plan.close();
        }
      }),
      { numRuns: runs },
    );
    expect([...kinds].sort()).toEqual(["claimed", "completed", "landed", "needs-person", "ready", "rejected"]);
  });
});

const subscriptionsOf = (plan: Watched, actor: string): Promise<number> =>
  plan.as(actor).store.read(async (reader) => (await activeSubscriptions(reader, actor)).length);
