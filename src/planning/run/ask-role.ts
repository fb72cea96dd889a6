// Asks the role that a run waits for: an agent that is started in a folder of its own, the outline planner, or a host, for which
// the question is stored until it hands the answer in. What fails only for the moment is asked again.

import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ok, type Result } from "../../model/result.js";
import { firstOf } from "../../model/words.js";
import { watchChanges } from "../../plan/history/watch-changes.js";
import { shortLine, shortText } from "../contracts/common.js";
import type { RoleAsk } from "../machine/machine.js";
import type { Project } from "../project.js";
import { OUTLINE } from "../roles/agents.js";
import type { Brief } from "../roles/brief.js";
import type { ReadingFolder } from "../roles/reading-folder.js";
import {
  isServing,
  isTransient,
  type RoleReply,
  type RoleRequest,
  type RoleServer,
  type ServingServer,
} from "../roles/server.js";
import { callsOf, conversationFor, openCall, openHostCall, type RunCost, spent } from "./calls.js";
import { briefFor } from "./gather-brief.js";
import { type Drive, type PlanningServices, saveStep } from "./services.js";
import { type Run, stillHeld } from "./stored-run.js";
import { cleanReply, closeFailed, failCall, type MadeCall, settleCall } from "./take-answer.js";

const MAX_FILES_KEPT = 20;
const MAX_FILES_NAMED = 5;

/** What cannot be removed now is removed when planning starts the next time, or by `gc`. */
export const clearFolders = (services: PlanningServices): Promise<void> =>
  services.removeReadingFolders().catch(() => undefined);

/** For one process that drives one run. */
export class RoleAsker {
  readonly #drive: Drive;
  #folder: ReadingFolder | undefined;
  #hasLooked = false;

  constructor(drive: Drive) {
    this.#drive = drive;
  }

  /** Undefined: a host has the question, and there is nothing to do here until its answer is in. */
  async ask(run: Run, asked: RoleAsk): Promise<Result<Run> | undefined> {
    const { services, hooks, key } = this.#drive;
    const server = await services.serverFor(asked.role, run.intake);
    if (hooks.signal.aborted) {
      if (server !== null && !isServing(server)) return undefined;
      const event = { type: "failed", call: asked.call, how: "cancelled" } as const;
      return saveStep(this.#drive, { sentence: `${key} was stopped`, event });
    }
    if (server === null)
      return failCall(this.#drive, asked, null, "unavailable", `No agent serves the role ${asked.role}.`);
    const limit = limitReached(run, await this.#spent());
    if (limit !== undefined) return failCall(this.#drive, asked, null, "over-budget", ...limit);
    return isServing(server) ? this.#askAgent(run, asked, server) : this.#handOver(run, asked, server);
  }

  letGo(): void {
    this.#folder?.letGo();
    this.#folder = undefined;
  }

  /** The question is stored once, and waits there for a host. */
  async #handOver(run: Run, asked: RoleAsk, server: RoleServer): Promise<Result<Run> | undefined> {
    const { services } = this.#drive;
    if (await services.context.store.read((reader) => openHostCall(reader, run))) return undefined;
    const brief = await briefFor(services, run, asked, await services.readProject("checkout"));
    const opened = await this.#open(asked, server, brief);
    return opened.ok ? undefined : opened;
  }

  async #askAgent(run: Run, asked: RoleAsk, server: ServingServer): Promise<Result<Run>> {
    const { services, hooks } = this.#drive;
    const project = await this.#readProject(run);
    const brief = await briefFor(services, run, asked, project);
    const isOutline = server.agent === OUTLINE;
    for (let tries = 0; ; tries++) {
      const folder = isOutline ? ok(services.context.root) : await this.#layOut(project);
      if (!folder.ok) return failCall(this.#drive, asked, null, "crashed", folder.error.message);
      const call = await this.#askOnce(run, asked, server, { brief, folder: folder.value });
      if (!call.ok) return call;
      const delayMs = services.retryDelaysMs[tries];
      if (delayMs === undefined || !isTransient(call.value.reply) || hooks.signal.aborted)
        return settleCall(this.#drive, run, asked, { ...call.value, brief, project, isOutline });
      const closed = await this.#retryLater(asked, call.value, delayMs);
      if (!closed.ok) return closed;
    }
  }

  /** The project as it is now. Says once what of your checkout no role sees. */
  async #readProject({ intake }: Run): Promise<Project> {
    const { services, hooks } = this.#drive;
    const project = await services.readProject("commit");
    if (this.#hasLooked) return project;
    this.#hasLooked = true;
    await clearFolders(services);
    // Their texts are in the prompt.
    const files = (await project.unseen()).filter((file) => file !== intake.source && file !== intake.roadmap);
    if (project.commit !== null && files.length > 0)
      hooks.onProgress({ type: "unseen", commit: project.commit, files });
    return project;
  }

  async #layOut(project: Project): Promise<Result<string>> {
    this.#folder ??= await this.#drive.services.readingFolder(this.#drive.key);
    return this.#folder.layOut(project);
  }

  async #askOnce(
    run: Run,
    asked: RoleAsk,
    server: ServingServer,
    given: Pick<RoleRequest, "brief" | "folder">,
  ): Promise<Result<Pick<MadeCall, "key" | "reply">>> {
    const { services, hooks, driver } = this.#drive;
    const opened = await this.#open(asked, server, given.brief);
    if (!opened.ok) return opened;
    const { key, talk } = opened.value;
    const { maxCostUsd, timeoutMs } = run.intake;
    const left = maxCostUsd === null ? null : Math.max(0.01, maxCostUsd - (await this.#spent()).costUsd);
    const ended = new AbortController();
    const unwatch = watchRun(this.#drive, () => ended.abort());
    let reply: RoleReply;
    try {
      reply = await server.serve({
        ...given,
        ...talk,
        timeoutMs,
        maxCostUsd: left,
        signal: AbortSignal.any([hooks.signal, ended.signal]),
        transcript: this.#transcript(key),
        onEvent: (event) => hooks.onProgress({ type: "agent", event }),
      });
    } finally {
      unwatch();
    }
    const wrote = await this.#written(asked);
    const held = await stillHeld(services.context, run.key, driver);
    return held.ok ? ok({ key, reply: { ...cleanReply(reply, given.brief.spec, services.redact), wrote } }) : held;
  }

  /** The call as it is stored, and the conversation that it goes on with. */
  async #open(
    asked: RoleAsk,
    server: RoleServer,
    brief: Brief,
  ): Promise<Result<{ key: string; talk: Pick<RoleRequest, "session" | "told"> }>> {
    const { services, hooks, key: run } = this.#drive;
    const { role, stage, repair } = asked;
    const { agent, model } = server;
    hooks.onProgress({ type: "asking", role, stage, agent, model, part: brief.part, repair });
    const talk = await services.context.store.read((reader) => conversationFor(reader, run, asked, agent));
    const question = services.redact(server.question(brief, talk.told));
    const agentVersion = (await server.version()) ?? null;
    const transcript = (call: string): string | null => (isServing(server) ? this.#transcript(call) : null);
    let key = "";
    const opened = await saveStep(this.#drive, async (writer, _, startedAt) => {
      const made = { role, stage, repair, agent, model, agentVersion, startedAt, commit: brief.commit };
      const call = await openCall(writer, run, made, question, transcript);
      ({ key } = call);
      return ok({ sentence: `${run} asks ${agent} as ${role}`, changes: call.changes });
    });
    return opened.ok ? ok({ key, talk }) : opened;
  }

  #transcript(call: string): string {
    return join(this.#drive.services.transcripts, this.#drive.key, `${call}.jsonl`);
  }

  /** What the agent wrote although it may only read. Said once in a run. */
  async #written({ role, stage }: RoleAsk): Promise<readonly string[]> {
    const { services, hooks, key } = this.#drive;
    const found = ((await this.#folder?.written()) ?? []).map(services.redact);
    if (found.length === 0) return [];
    const before = await services.context.store.read((reader) => callsOf(reader, key));
    if (!before.some(({ fields }) => fields.wrote !== undefined)) {
      const message = `It may only read, but wrote ${firstOf(found, MAX_FILES_NAMED)} in its own copy of the files. The copy is thrown away.`;
      hooks.onProgress({ type: "warned", role, stage, message });
    }
    const rest = found.length - MAX_FILES_KEPT;
    return rest > 0 ? [...found.slice(0, MAX_FILES_KEPT), `and ${rest} more`] : found;
  }

  /** The call is closed with its error; the same is asked again after a while. */
  async #retryLater(
    { role, stage }: RoleAsk,
    call: Pick<MadeCall, "key" | "reply">,
    delayMs: number,
  ): Promise<Result<Run>> {
    const { hooks, key: run } = this.#drive;
    const message = shortText(call.reply.message ?? `The agent ended: ${call.reply.ending}.`);
    hooks.onProgress({ type: "retrying", role, stage, message: shortLine(message, 300), delayMs });
    const error = { message, recovery: `asked again after ${delayMs / 1_000} s`, settled: true };
    const sentence = `the ${role} of ${run} failed for the moment: ${shortLine(message, 200)}`;
    const closed = await closeFailed(this.#drive, call, error, sentence);
    await wait(delayMs, undefined, { signal: hooks.signal }).catch(() => undefined);
    return closed;
  }

  async #spent(): Promise<RunCost> {
    const { services, key } = this.#drive;
    return spent(await services.context.store.read((reader) => callsOf(reader, key)));
  }
}

/** Which limit of the run has been reached, and what to do about it; undefined if none. */
function limitReached(
  { intake: { maxCostUsd, maxTokens } }: Run,
  { costUsd, tokens }: RunCost,
): [message: string, recovery: string] | undefined {
  if (maxCostUsd !== null && costUsd >= maxCostUsd)
    return [`The run has cost $${costUsd.toFixed(2)}, and its limit is $${maxCostUsd}.`, resumeWith("cost limit")];
  return maxTokens !== null && tokens >= maxTokens
    ? [`The run has used ${tokens} tokens, and its limit is ${maxTokens}.`, resumeWith("token limit")]
    : undefined;
}

const resumeWith = (limit: string): string => `Resume the run with a higher ${limit}.`;

const WATCH_GAP_MS = 500;

/** While an agent serves a role, somebody else may end the run or take it over. Then nobody waits for its answer any more, and `stop`
 *  is called. The result ends the watch. */
function watchRun({ services: { context }, key, driver }: Drive, stop: () => void): () => void {
  const { store } = context;
  const ending = new AbortController();
  // A store that cannot be read for a moment is no reason to stop: the next step finds out.
  const isLost = async (): Promise<boolean> => !(await stillHeld(context, key, driver).catch(() => ok(undefined))).ok;
  const watch = async (): Promise<void> => {
    const seen = await store.read((reader) => reader.lastOperation()).catch(() => 0);
    if (await isLost()) return stop();
    const changes = watchChanges(store, seen, { signal: ending.signal, gapMs: () => WATCH_GAP_MS });
    for await (const _ of changes) if (await isLost()) return stop();
  };
  void watch();
  return () => ending.abort();
}
