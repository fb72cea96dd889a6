// A plan with something to lose, and a planning run whose roles are hostile: driven as far as it goes with the most
// dangerous answers, and held to what must never happen.

import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { contentProblem } from "../src/model/node/content.js";
import type { Node } from "../src/model/node/node.js";
import { answer } from "../src/plan/answer/answer.js";
import { approve } from "../src/plan/node/approve.js";
import type { LintFinding } from "../src/planning/contracts/findings.js";
import { behavioursOf } from "../src/planning/contracts/maps.js";
import { surroundingsOf } from "../src/planning/project.js";
import type { Brief } from "../src/planning/roles/brief.js";
import type { RoleReply } from "../src/planning/roles/server.js";
import type { Request } from "../src/planning/run/begin.js";
import type { PlanningServices } from "../src/planning/run/services.js";
import type { PlanningRunView } from "../src/planning/run/view.js";
import { archive } from "../src/verbs/branch/archive.js";
import { drop } from "../src/verbs/branch/drop.js";
import { verifyPlan } from "../src/verbs/history/verify.js";
import { makeStyle } from "../src/verbs/kit/style.js";
import { complete } from "../src/verbs/task/hand-in.js";
import { runLines } from "../src/verbs/text/plan-lines.js";
import { progressLines } from "../src/verbs/text/progress-lines.js";
import { addAll, addInbox, makePlan, must, type TestPlan, task } from "./plan.js";
import { ANSWERS, MAP, objection, planningRig, type Rig, reply, request } from "./planning.js";

/** What a hostile role says, again and again. */
export interface Hostile {
  /** `author tasks`, `critic`, …: the others answer as they should. */
  readonly topic: string;
  /** What is handed in; a function makes what is large only when it is needed. */
  readonly says?: unknown;
  /** Only the first time. */
  readonly once?: boolean;
  /** How the call itself goes, if not well. */
  readonly reply?: Partial<RoleReply>;
  readonly request?: Partial<Request>;
  /** The first words of the critic, if it has to object so that the author is asked again. */
  readonly objects?: boolean;
  readonly limits?: Partial<PlanningServices["limits"]>;
  /** Nodes that are there before. */
  readonly prepare?: (plan: TestPlan) => Promise<unknown>;
  readonly served?: readonly ("researcher" | "clarifier" | "author" | "critic" | "overviewer")[];
}

/** What came of it. */
export interface Aftermath {
  readonly view: PlanningRunView;
  /** Problems that a reply was sent back with. */
  readonly sentBack: readonly string[];
  /** Codes of everything that the lint of any round has found. */
  readonly codes: ReadonlySet<string>;
  /** Citations that were doubted. */
  readonly against: readonly LintFinding[];
  /** How the person was asked. */
  readonly asked: readonly string[];
  /** `applied`, the reason why not, or null if it never came to that. */
  readonly applied: string | null;
  /** What it dropped, each after a yes: without one, nothing changed. */
  readonly dropped: readonly string[];
  readonly added: readonly Node[];
  readonly document: string;
  readonly rig: Rig;
}

/** A workspace's folder with a file beside it that is not ours; nobody may write to either. */
const FOLDER = join(realpathSync(tmpdir()), `planwright-hostile-${process.pid}`);
const ROOT = join(FOLDER, "root");

/** For all tests of a file. */
export function withHostileFolder(): void {
  beforeAll(() => {
    mkdirSync(join(ROOT, "src"), { recursive: true });
    writeFileSync(join(ROOT, "src/there.ts"), "line\n".repeat(9));
    writeFileSync(join(FOLDER, "outside.txt"), "not ours\n");
  });
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));
}

const AROUND = surroundingsOf({ root: ROOT, home: undefined, hasTool: () => true });

/** Open, approved, done, dropped and archived work, and an inbox. */
async function makeWorld(): Promise<TestPlan> {
  const made = await makePlan([
    task("A-DONE", { kind: "gate" }),
    task("A-OPEN", { dependsOn: ["A-DONE"] }),
    task("A-DROPPED"),
    { id: "FEAT-B", tier: "feature", title: "Feature B", parent: "MISSION" },
    { id: "STORY-OLD", tier: "story", title: "Old", parent: "FEAT-B" },
    task("OLD-1", { parent: "STORY-OLD", kind: "gate" }),
    { id: "FEAT-GONE", tier: "feature", title: "Gone", parent: "MISSION" },
  ]);
  const plan: TestPlan = { ...made, root: ROOT, cwd: ROOT };
  await addInbox(plan);
  must(await approve(plan, { references: ["FEAT-A", "STORY-OLD"] }));
  for (const reference of ["A-DONE", "OLD-1"]) must(await complete(plan, { reference }));
  must(await archive(plan, { references: ["STORY-OLD"] }));
  must(await drop(plan, { references: ["A-DROPPED"] }));
  must(await drop(plan, { references: ["FEAT-GONE"] }));
  await addAll(plan, [task("B-1", { parent: "FEAT-B" }), task("B-2", { parent: "FEAT-B", dependsOn: ["B-1"] })]);
  return plan;
}

const nodesOf = (plan: TestPlan): Promise<Node[]> =>
  plan.store.read(async (reader) => {
    const nodes: Node[] = [];
    for await (const node of reader.scan()) nodes.push(node);
    return nodes;
  });

/** Everything below a folder, with its bytes. */
function filesIn(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    found[path] = entry.isFile() ? readFileSync(path, "utf8") : "(folder)";
  }
  return found;
}

const LIMITS: PlanningServices["limits"] = {
  roleTimeoutMinutes: 30,
  windowTokens: 60_000,
  answerHours: 0,
  maxCostUsd: null,
  maxTokens: null,
  revisions: 5,
  overviews: 3,
};

const value = (says: unknown): unknown => (typeof says === "function" ? (says as () => unknown)() : says);

/** Says of every finding that it is fixed, and writes other words. */
const attempt = ({ feedback }: Brief, count: number): object => ({
  overview: `Attempt ${count}.`,
  responses: feedback.flatMap(({ findings }) =>
    (findings as readonly { id?: string }[]).flatMap(({ id }) => (id ? [{ finding: id, action: "fixed" }] : [])),
  ),
});

/** An author who maps what stands in this part of the spec, and gives a file to all of it. */
function honest(topic: string, { spec, map, part }: Brief): unknown {
  if (topic === "author capabilities" && part.of > 1) {
    const isThere = ({ quote }: { readonly quote: string }): boolean => spec.text.includes(quote);
    const domains = MAP.domains.flatMap((domain) => {
      const capabilities = domain.capabilities.filter(isThere);
      const mapped = capabilities.map((each) => ({ ...each, behaviours: each.behaviours.filter(isThere) }));
      return mapped.length === 0 ? [] : [{ ...domain, capabilities: mapped }];
    });
    return { ...MAP, domains, flows: part.number === 1 ? MAP.flows : [] };
  }
  if (topic === "author files" && map !== null && part.of > 1) {
    const files = [{ path: "src/greet.sh", action: "create", purpose: "greets" }];
    return { behaviours: behavioursOf(map).map(({ id }) => ({ behaviour: id, files })) };
  }
  return ANSWERS[topic];
}

function rigFor(plan: TestPlan, hostile: Hostile): Rig {
  let objected = hostile.objects !== true;
  let said = false;
  let attempts = 0;
  return planningRig(plan, {
    ...(hostile.served ? { served: hostile.served } : {}),
    services: {
      readProject: async () => AROUND,
      ...(hostile.limits ? { limits: { ...LIMITS, ...hostile.limits } } : {}),
    },
    answer: (topic, { brief }) => {
      if (topic === hostile.topic && !(hostile.once && said)) {
        said = true;
        return reply(value(hostile.says), hostile.reply);
      }
      if (topic === "author revise" && said) {
        // An author who has said something hostile fixes nothing; another one answers, and tries something each time.
        return reply(hostile.topic.startsWith("author") ? {} : attempt(brief, ++attempts));
      }
      if (topic !== "critic" || objected) return reply(honest(topic, brief));
      objected = true;
      return reply(objection("K1", "high"));
    },
  });
}

/** As a person would who says yes to everything. */
const DANGEROUS = ["accept", "skip", "a", "abort"];

async function yesToAll(plan: TestPlan, view: PlanningRunView): Promise<string[]> {
  const asked: string[] = [];
  for (const { id } of view.questions) {
    const item = await plan.store.read((reader) => reader.item("question", id));
    const options = item?.fields.options.map((option) => option.id) ?? [];
    asked.push(`${item?.fields.kind}: ${item?.fields.question}`);
    must(await answer(plan, { id, option: DANGEROUS.find((each) => options.includes(each)) ?? options[0] ?? "yes" }));
  }
  return asked;
}

/** Drives a run with a hostile role to its end, and holds it to what must never happen. */
export async function withstand(hostile: Hostile): Promise<Aftermath> {
  const plan = await makeWorld();
  await hostile.prepare?.(plan);
  const files = filesIn(FOLDER);
  const before = await nodesOf(plan);
  const rig = rigFor(plan, hostile);
  const asked: string[] = [];
  let view = must(await rig.plan(request(hostile.request)));
  for (let turns = 0; view.status === "waiting" && turns < 12; turns++) {
    asked.push(...(await yesToAll(plan, view)));
    view = must(await rig.resume(view.id));
  }
  expect(["ready", "halted", "aborted", "finished"]).toContain(view.status);
  expect(JSON.stringify(await nodesOf(plan))).toBe(JSON.stringify(before));
  showsHarmlessly(rig, view);
  const seen = await whatWasFound(plan, view);
  const document = await documentOf(plan, view);
  const { applied, dropped, added } = await applyIfReady(
    plan,
    rig,
    view,
    before,
    branchOf(before, hostile.request?.node),
  );
  expect(must(await verifyPlan(plan)).differences).toEqual([]);
  expect(filesIn(FOLDER)).toEqual(files);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  must(await rig.show(view.id));
  must({ ok: true, value: await rig.list() });
  await plan.store.close();
  const sentBack = rig.progress.flatMap((each) =>
    each.type === "sent-back" ? each.problems : each.type === "failed" ? [each.message] : [],
  );
  return { view, sentBack, ...seen, asked, applied, dropped, added, document, rig };
}

/** Without anybody's approval: the plan grows by unapproved nodes, and nothing else is changed. */
async function applyIfReady(
  plan: TestPlan,
  rig: Rig,
  view: PlanningRunView,
  before: readonly Node[],
  branch: ReadonlySet<string>,
): Promise<Pick<Aftermath, "applied" | "dropped" | "added">> {
  const byAgent = planningRig(plan.as("agent:hostile"));
  expect(await byAgent.approve(view.id)).toMatchObject({ ok: false, error: { reason: "needs-person" } });
  if (view.status !== "ready") return { applied: null, dropped: [], added: [] };
  must(await rig.diff(view.id));
  const unasked = await rig.apply(view.id);
  const needsYes = !unasked.ok && unasked.error.reason === "needs-yes";
  if (needsYes) expect(JSON.stringify(await nodesOf(plan))).toBe(JSON.stringify(before));
  const result = needsYes ? await rig.apply(view.id, { yes: true }) : unasked;
  const after = await nodesOf(plan);
  if (!result.ok) {
    expect(JSON.stringify(after)).toBe(JSON.stringify(before));
    expect(result.error.message.length).toBeLessThan(20_000);
    return { applied: result.error.reason, dropped: [], added: [] };
  }
  const { dropped } = result.value;
  expect(needsYes).toBe(dropped.length > 0);
  const old = new Map(before.map((node) => [node.nr, node]));
  const scope = new Set([...result.value.changed, ...dropped]);
  expect([...scope].filter((id) => !branch.has(id))).toEqual([]);
  for (const node of after) {
    const was = old.get(node.nr);
    if (!was) expect([node.id, node.approval, node.outcome, node.claim]).toEqual([node.id, null, null, null]);
    else if (was.outcome !== null || was.archive !== null) expect(factsOf(node)).toEqual(factsOf(was));
    else if (!scope.has(node.id) && node.kind !== "land") expect(factsOf(node)).toEqual(factsOf(was));
    if (was) expect(node.approval).toEqual(was.approval);
  }
  const added = after.filter(({ nr }) => !old.has(nr));
  for (const node of added) parsesAsContent(node);
  return { applied: "applied", dropped, added };
}

/** What a run about a node may change: nothing, if it is about none. */
function branchOf(nodes: readonly Node[], id: string | null | undefined): Set<string> {
  const inside = new Set(nodes.filter((node) => node.id === id).map(({ nr }) => nr));
  for (let size = -1; size !== inside.size; ) {
    size = inside.size;
    for (const { nr, parent } of nodes) if (parent !== null && inside.has(parent)) inside.add(nr);
  }
  return new Set(nodes.filter(({ nr }) => inside.has(nr)).map((node) => node.id));
}

/** What a person could not have typed, no model gets into the plan either. */
function parsesAsContent({ title, body, files, symbols, checks }: Node): void {
  expect(contentProblem({ title, body, files, symbols, checks })).toBeUndefined();
}

/** Everything that is stored, without what is computed and what sequencing may add. */
const factsOf = (node: Node): object => {
  const { uuid, id, tier, kind, title, body, parent, files, symbols, checks, profile, priority, budgets } = node;
  const { approval, freeze, claim, outcome, acceptance, report, archive: archived, discoveries, epoch } = node;
  const content = { uuid, id, tier, kind, title, body, parent, files, symbols, checks, profile, priority, budgets };
  const stated = node.dependsOn.filter(({ origin }) => origin === "stated");
  return { ...content, approval, freeze, claim, outcome, acceptance, report, archived, discoveries, epoch, stated };
};

async function whatWasFound(plan: TestPlan, view: PlanningRunView): Promise<Pick<Aftermath, "codes" | "against">> {
  const codes = new Set<string>();
  const against: LintFinding[] = [];
  await plan.store.read(async (reader) => {
    for (const { fields } of await reader.items("artifact", { owner: view.id, state: "findings" })) {
      const kept = JSON.parse((await reader.document(fields.hash)) ?? "{}") as Record<string, unknown>;
      const findings = (kept["findings"] ?? []) as readonly LintFinding[];
      if (kept["source"] === "conformance") for (const { code } of findings) codes.add(code);
      against.push(...((kept["against"] ?? []) as readonly LintFinding[]));
    }
  });
  return { codes, against };
}

const documentOf = (plan: TestPlan, view: PlanningRunView): Promise<string> =>
  plan.store.read(async (reader) => {
    const item = view.artifacts.plan === undefined ? undefined : await reader.item("artifact", view.artifacts.plan);
    return (item && (await reader.document(item.fields.hash))) ?? "";
  });

// oxlint-disable-next-line no-control-regex -- a terminal would obey these.
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** One line each, and nothing in it that a terminal obeys. */
function showsHarmlessly(rig: Rig, view: PlanningRunView): void {
  const style = makeStyle(false, 80);
  const lines = [...rig.progress.flatMap((each) => progressLines(each, style)), ...runLines(view, style)];
  expect(lines.filter((line) => OBEYED.test(line))).toEqual([]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(3_000);
}
