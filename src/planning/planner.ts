// The planning engine: what interfaces can ask of it. Every answer is read back from the store, so it is what the
// next process would see too.

import { act } from "../actions/context.js";
import { requirePerson } from "../actions/require-person.js";
import { resolve } from "../actions/resolve.js";
import { isPerson } from "../graph/actor.js";
import { changeItem } from "../graph/item/item.js";
import { ambiguous, ok, type Result } from "../graph/result.js";
import type { Reader } from "../store/store.js";
import { decideApplication, diffOfRun, landsMadeBy } from "./apply/apply.js";
import { type Exported, exportRun } from "./apply/export.js";
import { type Dossier, gatherDossier, runOfDocument } from "./apply/present.js";
import { holdToRecords } from "./apply/run-records.js";
import { renamed } from "./apply/scope.js";
import type { DraftDiff } from "./draft/diff.js";
import { jsonArtifact, saveArtifacts } from "./driver/artifacts.js";
import { beginRun, type Request, readStart } from "./driver/begin.js";
import { callsOf } from "./driver/calls.js";
import { RunDriver } from "./driver/driver.js";
import { abortChanges } from "./driver/ending.js";
import type { Intake } from "./driver/intake.js";
import { draftOf, notNow, over } from "./driver/refusals.js";
import { listRuns, type Run, readRun, statusOf, stepRun } from "./driver/runs.js";
import { type Hooks, OUTLINE, type PlannerLimits, type Services } from "./driver/services.js";
import { type CallView, type RunView, toCallView, toRunView } from "./driver/view.js";
import type { Level } from "./lint/finding.js";
import { type GraphLint, lintGraph } from "./lint/lint-graph.js";
import { type Event, ROLES, type Role } from "./machine/machine.js";
import { reduce } from "./machine/reduce.js";

export interface Resumption {
  readonly timeoutMs?: number;
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  readonly agent?: string;
  readonly model?: string;
  readonly effort?: NonNullable<Intake["effort"]>;
  readonly level?: Level;
  readonly defaults?: boolean;
}

export interface AppliedView {
  readonly run: string;
  readonly op: number | null;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly dropped: readonly string[];
  readonly approved: readonly string[];
  /** What was committed to git, if the run was started with that wish. */
  readonly documents: (Exported & { readonly problem: string | null }) | null;
}

export interface Outlook {
  readonly node: string | null;
  readonly tier: string | null;
  /** What would be written. */
  readonly below: string;
  readonly roles: Readonly<Partial<Record<Role, string>>>;
}

const BELOW: Readonly<Record<string, string>> = {
  initiative: "features with their tasks",
  feature: "stories and tasks",
  story: "tasks",
};

export class Planner {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  get limits(): PlannerLimits {
    return this.#services.limits;
  }

  /** An agent, not the outline planner, writes plans here. */
  async hasAuthor(agent: string | null): Promise<boolean> {
    const server = await this.#services.serverFor("author", { agent, model: null, effort: null });
    return server !== null && server.agent !== OUTLINE;
  }

  /** What a request would lead to: nothing is started. */
  async outlook(request: Request): Promise<Result<Outlook>> {
    const { context, serverFor } = this.#services;
    const roles: Partial<Record<Role, string>> = {};
    for (const role of ROLES) {
      const server = role === "researcher" && !request.research ? null : await serverFor(role, request);
      if (server) roles[role] = server.agent;
    }
    return context.store.read(async (reader) => {
      const start = await readStart(reader, context, request);
      if (!start.ok) return start;
      const { node } = start.value;
      const below = BELOW[node?.tier ?? ""] ?? "features, stories and tasks";
      return ok({ node: node?.id ?? null, tier: node?.tier ?? null, below, roles });
    });
  }

  /** From the idea to a plan that waits for a person. */
  async plan(request: Request, hooks: Hooks): Promise<Result<RunView>> {
    const begun = await beginRun(this.#services, request);
    return begun.ok ? this.#drive(begun.value, hooks, false) : begun;
  }

  async resume(reference: string | undefined, changes: Resumption, hooks: Hooks): Promise<Result<RunView>> {
    const { context } = this.#services;
    const found = await context.store.read((reader) => this.#find(reader, reference));
    if (!found.ok) return found;
    const { key, machine, intake } = found.value;
    if (machine.end !== null) return over(found.value);
    if (Object.keys(changes).length > 0) {
      const patch: Intake = { ...intake, ...changes };
      const served = changes.agent === undefined ? machine.served : await this.#served(patch);
      const patched = await stepRun(context, key, null, async (_, { machine: now }) =>
        ok({ sentence: `${key} got other settings`, patch: { intake: patch, machine: { ...now, served } } }),
      );
      if (!patched.ok) return patched;
    }
    return this.#drive(key, hooks, true);
  }

  /** With another agent, others may be served. */
  async #served(intake: Intake): Promise<Run["machine"]["served"]> {
    const served: Partial<Record<Role, boolean>> = {};
    for (const role of ROLES) {
      const isWanted = role !== "researcher" || intake.research;
      served[role] = isWanted && (await this.#services.serverFor(role, intake)) !== null;
    }
    return served as Record<Role, boolean>;
  }

  /** The run that was named, or the only one that is not over: what ends a run must not hit another. */
  async #findOnly(reader: Reader, reference: string | undefined): Promise<Result<Run>> {
    const open = reference === undefined ? (await listRuns(reader)).filter(({ machine }) => machine.end === null) : [];
    if (open.length < 2) return this.#find(reader, reference);
    return ambiguous("ambiguous", `Several runs are not over: ${open.map(({ key }) => key).join(", ")}.`, {
      hint: "Name the one that is meant; `planwright plan list` shows them.",
    });
  }

  /** The run that was named, or the latest that is not over. */
  async #find(reader: Reader, reference: string | undefined): Promise<Result<Run>> {
    if (reference !== undefined) return readRun(reader, reference);
    const open = (await listRuns(reader)).find(({ machine }) => machine.end === null);
    return open ? ok(open) : readRun(reader, "that is not over");
  }

  async #drive(key: string, hooks: Hooks, resumed: boolean): Promise<Result<RunView>> {
    const { context } = this.#services;
    const run = await context.store.read((reader) => readRun(reader, key));
    if (!run.ok) return run;
    const driver = new RunDriver(this.#services, hooks, key, run.value.intake.timeoutMs);
    const driven = await driver.drive((taken) => this.#announce(taken, hooks, resumed));
    if (!driven.ok) return driven;
    return ok(await context.store.read((reader) => toRunView(reader, driven.value)));
  }

  async #announce({ key, machine, fields, intake }: Run, hooks: Hooks, resumed: boolean): Promise<void> {
    const agents: Partial<Record<Role, string>> = {};
    for (const role of ROLES.filter((each) => machine.served[each])) {
      const server = await this.#services.serverFor(role, intake);
      if (server) agents[role] = server.agent;
    }
    const unserved = ROLES.filter((role) => !machine.served[role] && role !== "researcher");
    hooks.onProgress({
      type: "started",
      run: key,
      mode: machine.mode,
      title: fields.title,
      resumed,
      unserved,
      agents,
      parts: machine.parts,
      standIn: await this.#services.isStandIn(intake.agent),
    });
  }

  list(): Promise<RunView[]> {
    return this.#services.context.store.read(async (reader) => {
      const views: RunView[] = [];
      for (const run of await listRuns(reader)) views.push(await toRunView(reader, run));
      return views;
    });
  }

  show(
    reference: string | undefined,
    texts: boolean,
  ): Promise<Result<RunView & { readonly roleCalls: readonly CallView[] }>> {
    return this.#services.context.store.read(async (reader) => {
      const run = await this.#find(reader, reference);
      if (!run.ok) return run;
      const roleCalls: CallView[] = [];
      for (const call of await callsOf(reader, run.value.key)) roleCalls.push(await toCallView(reader, call, texts));
      return ok({ ...(await toRunView(reader, run.value)), roleCalls });
    });
  }

  async abort(reference: string | undefined): Promise<Result<RunView>> {
    return this.#turn(reference, "plan-abort", { type: "aborted" }, async (writer, run) => ({
      sentence: `${this.#services.context.actor} ended ${run.key}`,
      changes: await abortChanges(writer, run.key),
      patch: { driver: null },
    }));
  }

  /** A person wants it otherwise: their words go to the author. */
  async requestChanges(reference: string | undefined, note: string, hooks: Hooks): Promise<Result<RunView>> {
    const { context } = this.#services;
    const said = await this.#turn(reference, "plan-changes", { type: "changes-requested" }, async (writer, run, at) => {
      const finding = { id: "person", severity: "high", title: "What the person asks for", description: note };
      const kept = {
        source: "person",
        round: run.machine.round,
        verdict: "revise",
        findings: [finding],
        questions: [],
        note,
      };
      const saved = await saveArtifacts(writer, run, [jsonArtifact("findings", kept)], { actor: context.actor, at });
      return {
        sentence: `${context.actor} asked for changes in ${run.key}`,
        changes: saved.changes,
        patch: { current: saved.current },
      };
    });
    return said.ok ? this.#drive(said.value.id, hooks, true) : said;
  }

  async #turn(
    reference: string | undefined,
    verb: string,
    event: Event,
    work: (...args: Parameters<Parameters<typeof stepRun>[3]>) => Promise<Omit<StepOf, "event">>,
  ): Promise<Result<RunView>> {
    const { context } = this.#services;
    const found = await context.store.read((reader) => this.#findOnly(reader, reference));
    if (!found.ok) return found;
    const { key, machine, fields } = found.value;
    if (machine.end !== null) return over(found.value);
    const isTheirs = event.type === "aborted" && isPerson(fields.createdBy);
    const may = isTheirs ? requirePerson(context.actor, "end a run that a person started") : ok(undefined);
    if (!may.ok) return may;
    const stepped = await stepRun(
      context,
      key,
      null,
      async (writer, run, at) => {
        if (reduce(run.machine, event).machine === run.machine) return notNow(run);
        return ok({ ...(await work(writer, run, at)), event });
      },
      verb,
    );
    if (!stepped.ok) return stepped;
    return ok(await context.store.read((reader) => toRunView(reader, stepped.value)));
  }

  /** What applying the plan would do. */
  diff(reference: string | undefined): Promise<Result<DraftDiff & { readonly run: string }>> {
    return this.#services.context.store.read(async (reader) => {
      const run = await this.#find(reader, reference);
      if (!run.ok) return run;
      const draft = await draftOf(reader, run.value);
      if (!draft.ok) return draft;
      return ok({ run: run.value.key, ...(await diffOfRun(reader, run.value, draft.value)) });
    });
  }

  /** Puts the plan into the graph as one operation; `approve` clears it to run as well, which only a person can. */
  async apply(reference: string | undefined, approve: boolean, despite?: string): Promise<Result<AppliedView>> {
    const { context } = this.#services;
    const may = requirePerson(context.actor, approve ? "approve" : "add a plan");
    if (!may.ok) return may;
    const dossier = await this.#dossier(reference);
    const committed = await act<Omit<AppliedView, "op" | "documents">>(
      context,
      approve ? "approve" : "plan-apply",
      async (writer, at) => {
        const run = await this.#findOnly(writer, reference);
        if (!run.ok) return run;
        const { key, machine, fields } = run.value;
        if (machine.wait.for !== "approval") return machine.end === null ? notNow(run.value) : over(run.value);
        const draft = await draftOf(writer, run.value);
        if (!draft.ok) return draft;
        const decided = await decideApplication(writer, context, run.value, draft.value, at, approve);
        if (!decided.ok) return decided;
        const held = approve ? await holdToRecords(writer, run.value, draft.value, despite) : ok("");
        if (!held.ok) return held;
        const { added, changed, dropped, approved, names, changes } = decided.value;
        const next = reduce(machine, { type: approve ? "approved" : "applied" }).machine;
        const by = { actor: context.actor, at };
        const approval = approve ? { by: context.actor, at } : undefined;
        const isSame = dossier !== undefined && dossier.from === fields.current.draft;
        const again = isSame ? dossier.documentsOf(renamed(draft.value, names), names, approval) : [];
        const saved = await saveArtifacts(writer, run.value, again, by);
        const applied = { ...fields.applied, ...names };
        const patch = { machine: next, status: statusOf(next), applied, current: saved.current, driver: null };
        const deed = approve ? "approved" : "applied";
        const sentence = `${context.actor} ${deed} ${key}: ${added.length} added, ${changed.length} changed, ${dropped.length} dropped${held.value}`;
        const value = { run: key, added, changed, dropped, approved };
        return ok({ sentence, changes: [...changes, ...saved.changes, ...changeItem(run.value, patch)], value });
      },
    );
    if (!committed.ok) return committed;
    const { op, value } = committed.value;
    const lands = op === null ? [] : await context.store.read((reader) => landsMadeBy(reader, op));
    return ok({
      op,
      ...value,
      added: [...value.added, ...lands.map(({ id }) => id)],
      approved: [...value.approved, ...lands.filter(({ approval }) => approval !== null).map(({ id }) => id)],
      documents: approve ? await this.#commitDocuments(value.run) : null,
    });
  }

  /** The plan is written again with the names that it gets; undefined if it is not the time for it. */
  async #dossier(reference: string | undefined): Promise<Dossier | undefined> {
    const run = await this.#services.context.store.read((reader) => this.#find(reader, reference));
    return run.ok && run.value.machine.wait.for === "approval" ? gatherDossier(this.#services, run.value) : undefined;
  }

  /** If the run was started with that wish. Trouble with git takes nothing back: it is said. */
  async #commitDocuments(key: string): Promise<AppliedView["documents"]> {
    const { context } = this.#services;
    const run = await context.store.read((reader) => readRun(reader, key));
    if (!run.ok || run.value.intake.commitTo === null) return null;
    const exported = await exportRun(context, run.value, run.value.intake.commitTo, true);
    return exported.ok
      ? { ...exported.value, problem: null }
      : { files: [], commit: null, problem: exported.error.message };
  }

  /** The form of the plan, or of one branch, as it is in the graph. */
  lint(reference: string | undefined, level: Level, fix: boolean): Promise<Result<GraphLint>> {
    return lintGraph(this.#services, reference, level, fix);
  }

  /** The documents of a run as files, committed on request with nothing but themselves. */
  async exportDocuments(reference: string | undefined, to: string | null, commit: boolean): Promise<Result<Exported>> {
    const { context } = this.#services;
    const run = await context.store.read((reader) => this.#find(reader, reference));
    return run.ok ? exportRun(context, run.value, to, commit) : run;
  }

  /** A plan document that is given as a spec asks for a revision of its run. */
  runOfDocument(text: string): string | undefined {
    return runOfDocument(text);
  }

  /** What a run was asked for, to ask it again. */
  requestOf(reference: string): Promise<Result<Omit<Request, "from" | "text">>> {
    return this.#services.context.store.read(async (reader) => {
      const run = await readRun(reader, reference);
      if (!run.ok) return run;
      const node = run.value.fields.node === null ? undefined : await reader.node(run.value.fields.node);
      return ok({ ...run.value.intake, mode: run.value.machine.mode, node: node?.id ?? null, earlier: run.value.key });
    });
  }

  /** The latest run from this file whose plan is in the graph: the file is then planned anew, not beside it. */
  plannedFrom(source: string): Promise<string | undefined> {
    return this.#services.context.store.read(async (reader) => {
      const runs = await listRuns(reader);
      return runs.find(({ intake, fields }) => intake.source === source && Object.keys(fields.applied).length > 0)?.key;
    });
  }

  /** Whether a word names a node, so that it is not taken for an idea. */
  namesNode(
    word: string,
  ): Promise<{ readonly id: string; readonly tier: string; readonly hasChildren: boolean } | undefined> {
    const { context } = this.#services;
    return context.store.read(async (reader) => {
      const { by, nodes } = await reader.match(word);
      const found = by === "title" ? undefined : await resolve(reader, word, context.actor);
      if (!found?.ok || nodes.length !== 1) return undefined;
      const { id, tier, nr } = found.value;
      return { id, tier, hasChildren: (await reader.children(nr)).some(({ kind }) => kind !== "land") };
    });
  }
}

type StepOf = Extract<Awaited<ReturnType<Parameters<typeof stepRun>[3]>>, { ok: true }>["value"];
