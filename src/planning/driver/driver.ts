// Drives a run: does what the reducer asks for, and stores each answer together with the state that follows
// from it. If this process is killed, the next one continues from the store.

import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Ending } from "../../agents/agent.js";
import { ok, type Result } from "../../graph/result.js";
import { present, reportOfStop } from "../apply/present.js";
import { type Failing, type RoleAsk, roundNumber } from "../machine/machine.js";
import type { reduce } from "../machine/reduce.js";
import type { Brief } from "../roles/brief.js";
import { judgeReply } from "../roles/contract.js";
import { isWholePrompt } from "../roles/prompt.js";
import { refusalsOf, whyNothing, withWarning } from "../roles/reply-notes.js";
import type { RoleReply, RoleRequest, RoleServer } from "../roles/server.js";
import { isTransient } from "../roles/transient.js";
import { absorb } from "./absorb.js";
import { saveArtifacts } from "./artifacts.js";
import { assume } from "./assume.js";
import { callsOf, closeCall, openCall, recoveryFrom, sessionFor, spent, toldBefore } from "./calls.js";
import { cleanReply } from "./clean.js";
import { conform, order } from "./conform.js";
import { gatherBrief } from "./gather.js";
import { learn } from "./learn.js";
import { settleQuestions } from "./questions.js";
import { type Driver, letGo, type Run, stepRun, stillHeld, takeRun } from "./runs.js";
import { type Hooks, OUTLINE, type PlanningServices } from "./services.js";
import { shortLine, shortText } from "./short-text.js";
import { watchRun } from "./watch-run.js";

/** Longer than a role call may take, so that no other process takes over during one. */
const LEASE_MARGIN_MS = 60_000;

const FAILINGS: Readonly<Partial<Record<Ending, Failing>>> = {
  refused: "refused",
  "over-budget": "over-budget",
  cancelled: "cancelled",
  timeout: "timeout",
  crashed: "crashed",
  unavailable: "unavailable",
};

export class RunDriver {
  readonly #services: PlanningServices;
  readonly #hooks: Hooks;
  readonly #key: string;
  readonly #driver: Driver;

  constructor(services: PlanningServices, hooks: Hooks, key: string, timeoutMs: number) {
    this.#services = services;
    this.#hooks = hooks;
    this.#key = key;
    this.#driver = { by: `${services.process}#${key}`, leaseMs: timeoutMs + LEASE_MARGIN_MS };
  }

  /** Until the run waits for a person, has stopped, or is over. */
  async drive(onTaken: (run: Run) => Promise<void>): Promise<Result<Run>> {
    const { context, isAlive } = this.#services;
    const taken = await takeRun(context, this.#key, this.#driver, isAlive);
    if (!taken.ok) return taken;
    await onTaken(taken.value);
    let current: Result<Run> = await this.#start(taken.value);
    while (current.ok) {
      const next: Result<Run> | undefined = await this.#next(current.value);
      if (next === undefined) break;
      current = next;
    }
    const released = await letGo(context, this.#key, this.#driver);
    return current.ok ? released : current;
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
    if (this.#hooks.signal.aborted && wait.for !== "role") return undefined;
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

  async #ask(run: Run, asked: RoleAsk): Promise<Result<Run>> {
    const { context, serverFor } = this.#services;
    if (this.#hooks.signal.aborted)
      return this.#step("was stopped", { type: "failed", call: asked.call, how: "cancelled" });
    const server = await serverFor(asked.role, run.intake);
    if (server === null) return this.#fail(asked, null, "unavailable", `No agent serves the role ${asked.role}.`);
    const limit = await this.#overLimit(run);
    if (limit !== undefined) return this.#fail(asked, null, "over-budget", limit.message, limit.recovery);

    const knowledge = await learn(this.#services, run, asked);
    const { feedback } = run.machine;
    const brief = await context.store.read((reader) =>
      gatherBrief(reader, run, asked, asked.role === "author" ? feedback : [], knowledge, this.#services.around),
    );
    for (const delayMs of [...this.#services.retryDelaysMs, null]) {
      const asking = await this.#askOnce(run, asked, server, brief);
      if (!asking.ok) return asking;
      const { key, reply } = asking.value;
      if (delayMs === null || !isTransient(reply) || this.#hooks.signal.aborted)
        return this.#settle(run, asked, { key, parts: brief.part.of, isOutline: server.agent === OUTLINE }, reply);
      const retried = await this.#retryLater(asked, key, reply, delayMs);
      if (!retried.ok) return retried;
    }
    return this.#fail(asked, null, "crashed", "The agent failed again and again.");
  }

  /** One call, and what came back. */
  async #askOnce(
    run: Run,
    asked: RoleAsk,
    server: RoleServer,
    brief: Brief,
  ): Promise<Result<{ key: string; reply: RoleReply }>> {
    const { context, redact } = this.#services;
    this.#hooks.onProgress({
      type: "asking",
      role: asked.role,
      stage: asked.stage,
      agent: server.agent,
      model: server.model,
      part: brief.part,
      repair: asked.repair,
    });
    const talk = await context.store.read(async (reader) => {
      const session = await sessionFor(reader, this.#key, asked, server.agent);
      const isOn = session !== null;
      return {
        session,
        told: isOn ? await toldBefore(reader, this.#key, asked.role, server.agent, isWholePrompt) : [],
      };
    });
    const opened = await this.#open(asked, server, redact(server.question(brief, talk.told)));
    if (!opened.ok) return opened;
    const key = opened.value;
    const putBack = await this.#services.watchFiles(server.agent, key);
    const reply = await this.#serve(run, server, brief, key, talk);
    const changed = await putBack();
    const held = await stillHeld(context, this.#key, this.#driver);
    return held.ok ? ok({ key, reply: withWarning(cleanReply(reply, brief.spec, redact), changed) }) : held;
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
    server: RoleServer,
    brief: Brief,
    call: string,
    talk: Pick<RoleRequest, "session" | "told">,
  ): Promise<RoleReply> {
    const ended = new AbortController();
    const unwatch = watchRun(this.#services.context, this.#key, this.#driver, () => ended.abort());
    try {
      return await server.serve({
        brief,
        ...talk,
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

  async #open(asked: RoleAsk, server: RoleServer, question: string): Promise<Result<string>> {
    const { context } = this.#services;
    const version = (await server.version()) ?? null;
    let key = "";
    const opened = await stepRun(context, this.#key, this.#driver, async (writer, _, now) => {
      const transcript = (call: string): string => this.#transcript(call);
      const call = await openCall(writer, this.#key, asked, server, question, { now, version, transcript });
      key = call.key;
      return ok({ sentence: `${this.#key} asks ${server.agent} as ${asked.role}`, changes: call.changes });
    });
    return opened.ok ? ok(key) : opened;
  }

  async #settle(
    run: Run,
    asked: RoleAsk,
    { key, parts, isOutline }: { readonly key: string; readonly parts: number; readonly isOutline: boolean },
    reply: RoleReply,
  ): Promise<Result<Run>> {
    const failing = FAILINGS[reply.ending];
    if (failing)
      return this.#fail(asked, { key, reply }, failing, reply.message ?? `The agent ended: ${reply.ending}.`);
    if (reply.ending === "no-output") return this.#sendBack(run, asked, key, reply, whyNothing(reply));
    const judged = judgeReply({ ...asked, isOutline }, reply.output);
    if (!judged.ok) return this.#sendBack(run, asked, key, reply, judged.problems);
    const { context, around, redact } = this.#services;
    const absorbed = await context.store.read((reader) => absorb(reader, run, asked, judged.value, around, parts));
    if (!absorbed.ok) return this.#sendBack(run, asked, key, reply, absorbed.problems);
    const { artifacts, assumptions, outcome, summary } = absorbed.value;
    const warning = this.#warningOf(asked, reply) ?? refusalsOf(reply);
    const stepped = await stepRun(context, this.#key, this.#driver, async (writer, now, at) => {
      const by = { actor: context.actor, at };
      const saved = await saveArtifacts(writer, now, artifacts, by);
      const changes = [
        ...(await closeCall(writer, key, reply, null, redact, warning)),
        ...saved.changes,
        ...(await assume(writer, now, assumptions, by)),
      ];
      const event = { type: "replied", call: asked.call, ...outcome } as const;
      return ok({ sentence: `${asked.role} answered ${this.#key}`, changes, patch: { current: saved.current }, event });
    });
    if (stepped.ok) {
      const { inputTokens, outputTokens, costUsd } = reply.usage;
      this.#hooks.onProgress({
        type: "answered",
        role: asked.role,
        stage: asked.stage,
        round: roundNumber(run.machine),
        summary,
        durationMs: reply.durationMs,
        tokens: inputTokens + outputTokens,
        costUsd,
      });
      const { machine } = stepped.value;
      if (roundNumber(machine) > roundNumber(run.machine)) {
        this.#hooks.onProgress({ type: "revising", round: roundNumber(machine), because: machine.feedback });
      }
    }
    return stepped;
  }

  /** For example, files changed although the agent may only read. The answer is used, with a warning. */
  #warningOf({ role, stage }: RoleAsk, { message = "" }: RoleReply): Parameters<typeof closeCall>[5] {
    if (message === "") return null;
    this.#hooks.onProgress({ type: "warned", role, stage, message: shortText(message) });
    return { message, recovery: "The answer was used. Look at what changed in the files.", settled: true };
  }

  #sendBack(
    run: Run,
    asked: RoleAsk,
    key: string,
    reply: RoleReply,
    problems: readonly string[],
  ): Promise<Result<Run>> {
    const { role, stage, repair } = asked;
    const isLast = repair >= run.machine.limits.repairs;
    const recovery = isLast ? recoveryFrom("unreadable") : "sent back with what was wrong";
    const message = isLast ? `The reply did not fit ${repair + 1} times: ${problems.join("; ")}` : "";
    this.#hooks.onProgress(
      isLast
        ? { type: "failed", role, stage, message: shortLine(message, 900), recovery }
        : { type: "sent-back", role, stage, problems },
    );
    const error = { message: problems.join("\n"), recovery, settled: false };
    return stepRun(this.#services.context, this.#key, this.#driver, async (writer) =>
      ok({
        sentence: isLast
          ? `the ${role} of ${this.#key} failed: ${shortLine(message, 200)}`
          : `the reply of the ${role} did not fit`,
        changes: await closeCall(writer, key, reply, error, this.#services.redact),
        event: { type: "misfit", call: asked.call },
      }),
    );
  }

  #fail(
    asked: RoleAsk,
    call: { readonly key: string; readonly reply: RoleReply } | null,
    how: Failing,
    words: string,
    recovery = recoveryFrom(how),
  ): Promise<Result<Run>> {
    const message = shortText(words);
    this.#hooks.onProgress({ type: "failed", role: asked.role, stage: asked.stage, message, recovery });
    return stepRun(this.#services.context, this.#key, this.#driver, async (writer) =>
      ok({
        sentence: `the ${asked.role} of ${this.#key} failed: ${shortLine(message, 200)}`,
        changes: call
          ? await closeCall(writer, call.key, call.reply, { message, recovery, settled: false }, this.#services.redact)
          : [],
        event: { type: "failed", call: asked.call, how },
      }),
    );
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
