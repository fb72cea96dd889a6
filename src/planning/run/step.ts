// Drives a run.

import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ok, type Result } from "../../model/result.js";
import { shortLine, shortText } from "../contracts/common.js";
import type { RoleAsk } from "../machine/machine.js";
import type { reduce } from "../machine/reduce.js";
import { OUTLINE } from "../roles/agents.js";
import type { Brief } from "../roles/brief.js";
import { isWholePrompt } from "../roles/prompt.js";
import {
  isServing,
  isTransient,
  type RoleReply,
  type RoleRequest,
  type RoleServer,
  type ServingServer,
} from "../roles/server.js";
import { settleQuestions } from "./ask-person.js";
import { ReadingDesk, watchRun } from "./ask-role.js";
import { callsOf, closeCall, openCall, openHostCall, sessionFor, spent, toldBefore } from "./calls.js";
import { conform, order } from "./conform.js";
import { briefFor } from "./gather-brief.js";
import { present, reportOfStop } from "./present.js";
import type { Hooks, PlanningServices } from "./services.js";
import { type Driver, letGo, type Run, saveArtifacts, stepRun, stillHeld, takeRun } from "./stored-run.js";
import { cleanReply, type Driving, failCall, settleCall } from "./take-answer.js";

/** Longer than a role call may take, so that no other process takes over during one. */
const LEASE_MARGIN_MS = 60_000;

/** What a driver does first, once the run is its own. */
export type FirstMove = (run: Run, driving: Driving) => Promise<Result<Run>>;

export class RunDriver {
  readonly #services: PlanningServices;
  readonly #hooks: Hooks;
  readonly #key: string;
  readonly #driver: Driver;
  readonly #desk: ReadingDesk;

  constructor(services: PlanningServices, hooks: Hooks, key: string, timeoutMs: number) {
    this.#services = services;
    this.#hooks = hooks;
    this.#key = key;
    this.#driver = { by: `${services.process}#${key}`, leaseMs: timeoutMs + LEASE_MARGIN_MS };
    this.#desk = new ReadingDesk(services, hooks, key);
  }

  /** Until the run waits for a person, has stopped, or is over. */
  async drive(
    onTaken: (run: Run) => Promise<void>,
    first: FirstMove = (run) => this.#start(run),
  ): Promise<Result<Run>> {
    const { context, isAlive } = this.#services;
    const taken = await takeRun(context, this.#key, this.#driver, isAlive);
    if (!taken.ok) return taken;
    await onTaken(taken.value);
    const current = await this.#run(taken.value, first).finally(() => this.#desk.letGo());
    const released = await letGo(context, this.#key, this.#driver);
    await this.#desk.clear();
    return current.ok ? released : current;
  }

  async #run(taken: Run, first: FirstMove): Promise<Result<Run>> {
    let current: Result<Run> = await first(taken, this.#driving);
    while (current.ok) {
      const next: Result<Run> | undefined = await this.#next(current.value);
      if (next === undefined) break;
      current = next;
    }
    return current;
  }

  get #driving(): Driving {
    return { services: this.#services, hooks: this.#hooks, key: this.#key, driver: this.#driver };
  }

  async #start(run: Run): Promise<Result<Run>> {
    const { wait, end } = run.machine;
    if (end !== null) return ok(run);
    if (wait.for === "resume") return this.#step("goes on", { type: "resumed" });
    return wait.for === "nothing" ? this.#step("starts", { type: "started" }) : ok(run);
  }

  /** Undefined when there is nothing more to do here. */
  async #next(run: Run): Promise<Result<Run> | undefined> {
    const { wait } = run.machine;
    // An interrupted call is closed, and its stop is reported like any other.
    if (this.#hooks.signal.aborted && wait.for !== "role" && wait.for !== "resume") return undefined;
    switch (wait.for) {
      case "role":
        return this.#ask(run, wait);
      case "program":
        return wait.task === "lint"
          ? conform(this.#services, this.#hooks, run, this.#driver)
          : order(this.#services, this.#hooks, run, this.#driver);
      case "answers":
      case "choice":
        return settleQuestions(this.#services, this.#hooks, run, this.#driver);
      case "approval":
        return present(this.#services, run, this.#driver);
      case "resume":
        return this.#reportStop(run);
      case "nothing":
      default:
        return undefined;
    }
  }

  /** Undefined when the report is there, or there is nothing to report. */
  async #reportStop(run: Run): Promise<Result<Run> | undefined> {
    const { context } = this.#services;
    const report = await reportOfStop(this.#services, run);
    if (report.length === 0) return undefined;
    return stepRun(context, run.key, this.#driver, async (writer, now, at) => {
      const saved = await saveArtifacts(writer, now, report, { actor: context.actor, at });
      return ok({ sentence: `${run.key} stopped`, changes: saved.changes, patch: { current: saved.current } });
    });
  }

  #step(what: string, event: Parameters<typeof reduce>[1]): Promise<Result<Run>> {
    return stepRun(this.#services.context, this.#key, this.#driver, async () =>
      ok({ sentence: `${this.#key} ${what}`, event }),
    );
  }

  async #ask(run: Run, asked: RoleAsk): Promise<Result<Run> | undefined> {
    const { serverFor } = this.#services;
    const server = await serverFor(asked.role, run.intake);
    const isHosts = server !== null && !isServing(server);
    if (this.#hooks.signal.aborted)
      return isHosts ? undefined : this.#step("was stopped", { type: "failed", call: asked.call, how: "cancelled" });
    if (server === null)
      return failCall(this.#driving, asked, null, "unavailable", `No agent serves the role ${asked.role}.`);
    const limit = await this.#overLimit(run);
    if (limit !== undefined) return failCall(this.#driving, asked, null, "over-budget", limit.message, limit.recovery);
    if (!isServing(server)) return this.#handOver(run, asked, server);

    const project = await this.#desk.open(run);
    const brief = await briefFor(this.#services, run, asked, project);
    const served = { project, parts: brief.part.of, isOutline: server.agent === OUTLINE };
    for (const delayMs of [...this.#services.retryDelaysMs, null]) {
      const folder = await this.#desk.layOut(server.agent, project);
      if (!folder.ok) return failCall(this.#driving, asked, null, "crashed", folder.error.message);
      const asking = await this.#askOnce(run, asked, server, { brief, folder: folder.value });
      if (!asking.ok) return asking;
      const { key, reply } = asking.value;
      if (delayMs === null || !isTransient(reply) || this.#hooks.signal.aborted)
        return settleCall(this.#driving, run, asked, { key, reply, ...served });
      const retried = await this.#retryLater(asked, key, reply, delayMs);
      if (!retried.ok) return retried;
    }
    return failCall(this.#driving, asked, null, "crashed", "The agent failed again and again.");
  }

  /** The question is stored once, and waits there for a host. Undefined: there is nothing to do here until the answer is in. */
  async #handOver(run: Run, asked: RoleAsk, server: RoleServer): Promise<Result<Run> | undefined> {
    const waiting = await this.#services.context.store.read((reader) => openHostCall(reader, run));
    if (waiting) return undefined;
    const brief = await briefFor(this.#services, run, asked, await this.#services.readProject("checkout"));
    const opened = await this.#openAsked(asked, server, brief);
    return opened.ok ? undefined : opened;
  }

  /** One call, and what came back. */
  async #askOnce(
    run: Run,
    asked: RoleAsk,
    server: ServingServer,
    given: Pick<RoleRequest, "brief" | "folder">,
  ): Promise<Result<{ key: string; reply: RoleReply }>> {
    const { context, redact } = this.#services;
    const { brief } = given;
    const opened = await this.#openAsked(asked, server, brief);
    if (!opened.ok) return opened;
    const { key, talk } = opened.value;
    const reply = await this.#serve(run, server, key, { ...given, ...talk });
    const wrote = await this.#desk.written(asked);
    const held = await stillHeld(context, this.#key, this.#driver);
    return held.ok ? ok({ key, reply: { ...cleanReply(reply, brief.spec, redact), wrote } }) : held;
  }

  /** The call as it is stored, and the conversation that it goes on with. */
  async #openAsked(
    asked: RoleAsk,
    server: RoleServer,
    brief: Brief,
  ): Promise<Result<{ key: string; talk: Pick<RoleRequest, "session" | "told"> }>> {
    const { context, redact } = this.#services;
    const { role, stage, repair } = asked;
    const { agent, model } = server;
    this.#hooks.onProgress({ type: "asking", role, stage, agent, model, part: brief.part, repair });
    const talk = await context.store.read(async (reader) => {
      const session = await sessionFor(reader, this.#key, asked, agent);
      const told = session === null ? [] : await toldBefore(reader, this.#key, role, agent, isWholePrompt);
      return { session, told };
    });
    const opened = await this.#open(asked, server, brief.commit, redact(server.question(brief, talk.told)));
    return opened.ok ? ok({ key: opened.value, talk }) : opened;
  }

  /** The call is closed with its error; the same is asked again after a while. */
  async #retryLater(asked: RoleAsk, key: string, reply: RoleReply, delayMs: number): Promise<Result<Run>> {
    const { role, stage } = asked;
    const message = shortText(reply.message ?? `The agent ended: ${reply.ending}.`);
    this.#hooks.onProgress({ type: "retrying", role, stage, message: shortLine(message, 300), delayMs });
    const error = { message, recovery: `asked again after ${delayMs / 1_000} s`, settled: true };
    const closed = await stepRun(this.#services.context, this.#key, this.#driver, async (writer) =>
      ok({
        sentence: `the ${role} of ${this.#key} failed for the moment: ${shortLine(message, 200)}`,
        changes: await closeCall(writer, key, reply, error, this.#services.redact),
      }),
    );
    await wait(delayMs, undefined, { signal: this.#hooks.signal }).catch(() => undefined);
    return closed;
  }

  async #serve(
    run: Run,
    server: ServingServer,
    call: string,
    asking: Pick<RoleRequest, "brief" | "folder" | "session" | "told">,
  ): Promise<RoleReply> {
    const ended = new AbortController();
    const unwatch = watchRun(this.#services.context, this.#key, this.#driver, () => ended.abort());
    try {
      return await server.serve({
        ...asking,
        timeoutMs: run.intake.timeoutMs,
        maxCostUsd: await this.#left(run),
        signal: AbortSignal.any([this.#hooks.signal, ended.signal]),
        transcript: this.#transcript(call),
        onEvent: (event) => this.#hooks.onProgress({ type: "agent", event }),
      });
    } finally {
      unwatch();
    }
  }

  #transcript(call: string): string {
    return join(this.#services.transcripts, this.#key, `${call}.jsonl`);
  }

  async #open(asked: RoleAsk, server: RoleServer, commit: string | null, question: string): Promise<Result<string>> {
    const { context } = this.#services;
    const version = (await server.version()) ?? null;
    let key = "";
    const opened = await stepRun(context, this.#key, this.#driver, async (writer, _, now) => {
      const transcript = (call: string): string | null => (isServing(server) ? this.#transcript(call) : null);
      const call = await openCall(writer, this.#key, asked, server, question, { now, version, commit, transcript });
      key = call.key;
      return ok({ sentence: `${this.#key} asks ${server.agent} as ${asked.role}`, changes: call.changes });
    });
    return opened.ok ? ok(key) : opened;
  }

  /** Which limit of the run has been reached; undefined if none. */
  async #overLimit({
    intake: { maxCostUsd, maxTokens },
  }: Run): Promise<{ readonly message: string; readonly recovery: string } | undefined> {
    const { tokens, costUsd } = spent(await this.#services.context.store.read((reader) => callsOf(reader, this.#key)));
    if (maxCostUsd !== null && costUsd >= maxCostUsd)
      return {
        message: `The run has cost $${costUsd.toFixed(2)}, and its limit is $${maxCostUsd}.`,
        recovery: "Resume the run with a higher cost limit.",
      };
    if (maxTokens !== null && tokens >= maxTokens)
      return {
        message: `The run has used ${tokens} tokens, and its limit is ${maxTokens}.`,
        recovery: "Resume the run with a higher token limit.",
      };
    return undefined;
  }

  async #left({ intake: { maxCostUsd } }: Run): Promise<number | null> {
    if (maxCostUsd === null) return null;
    const { costUsd } = spent(await this.#services.context.store.read((reader) => callsOf(reader, this.#key)));
    return Math.max(0.01, maxCostUsd - costUsd);
  }
}
