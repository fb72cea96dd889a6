import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import type { HookedHost } from "../../config/host-settings.js";
import { stateFolder } from "../../config/state-folder.js";
import type { Environment } from "../../machine/process/environment.js";
import type { Input } from "../kit/read-words.js";
import { type Failure, ok, type PlanAsker, type Result, type Session, type Terminal } from "../kit/verb.js";
import { calledBy, DEFAULT_HOST, type HookInput, isWorker } from "./hook-caller.js";
import { type ForHost, readHost } from "./host-json.js";
import type { HookContext } from "./prompt.js";

const MAX_LOG_CHARACTERS = 200_000;

/** A folder without a plan is no problem: the same hooks serve every project. */
const EXPECTED: ReadonlySet<string> = new Set(["no-plan", "no-workspace"]);

function logHookFailure(env: Environment, { reason, message, details }: Failure): void {
  if (EXPECTED.has(reason)) return;
  try {
    const folder = stateFolder(env);
    const path = join(folder, "hooks.log");
    mkdirSync(folder, { recursive: true });
    const stack = typeof details?.["stack"] === "string" ? details["stack"] : undefined;
    const line = JSON.stringify({ at: new Date().toISOString(), reason, message, ...(stack && { stack }) });
    const before = existsSync(path) ? readPlainFile(path) : "";
    const kept =
      before.length > MAX_LOG_CHARACTERS ? before.slice(-MAX_LOG_CHARACTERS / 2).replace(/^[^\n]*\n/, "") : before;
    writeFileSync(path, `${kept}${line}\n`);
  } catch {
    // There is nowhere left to say it.
  }
}

/** Whatever goes wrong must not keep an agent from going on: the host gets an empty answer, and you find the problem in a log. */
export const silently =
  <Answer>(answer: Answer) =>
  (failure: Failure, app: PlanAsker): Answer => {
    logHookFailure(app.folder().env, failure);
    return answer;
  };

type EventReader = (event: Readonly<Record<string, unknown>>) => Input;

export const fromHost =
  (read: EventReader = () => ({})) =>
  async (input: Input, terminal: Terminal): Promise<Result<Input>> => {
    const { caller, event } = await readHost(terminal);
    return ok({ ...caller, ...read(event), ...input });
  };

export const NO_CONTEXT = { host: "claude", context: null } as const;

export async function forHost<T extends object>(host: HookedHost = DEFAULT_HOST, answered: Promise<Result<T>>) {
  const answer = await answered;
  return answer.ok ? ok({ ...answer.value, host }) : answer;
}

export const HOST_FORM =
  "The command line reads the host's JSON from standard input and answers in the host's form. Whatever goes wrong, the agent goes on.";

export async function primed(session: Session, asked: HookInput): Promise<Result<ForHost<HookContext>>> {
  const { settings } = calledBy(session, asked);
  const host = asked.host ?? DEFAULT_HOST;
  if (!settings.prime || isWorker(session)) return ok({ host, context: null });
  const { prime } = await import("./prime.js");
  const answer = await prime(session, asked);
  return answer.ok ? ok({ host, context: answer.value.text }) : answer;
}
