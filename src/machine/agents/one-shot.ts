// One process for one prompt, with events as lines of JSON: how Claude Code and Codex are driven. The prompt goes
// through standard input, because flags that take several values swallow what follows them.

import { isRecord } from "../../base/json.js";
import { type Child, startChild } from "../process/child.js";
import type { ChildExit } from "../process/start.js";
import type { SessionSpec } from "./agent.js";
import type { Conversation, Reply, TurnRequest } from "./conversation.js";
import { doorPorts, doorVariables } from "./submit.js";

export interface Launch {
  readonly command: string;
  /** What the configuration adds. */
  readonly args: readonly string[];
  /** A folder where the process is noted while it runs. */
  readonly running?: string | undefined;
}

interface OneShot {
  readonly title: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine: (event: AgentLine) => void;
}

/** What agents print: each line is an object, of which any part may be missing. */
export type AgentLine = Readonly<Record<string, unknown>>;

export const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
export const numberIn = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

const DETAIL = 300;

export const brief = (value: unknown): string => {
  const shown = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return shown.length > DETAIL ? `${shown.slice(0, DETAIL)}…` : shown;
};

export function parseLine(line: string): AgentLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface OneShotExit extends ChildExit {
  readonly cancelled: boolean;
  readonly stderr: string;
}

/** A conversation of which every prompt is a process of its own. */
export abstract class OneShotConversation implements Conversation {
  readonly doors = "each-prompt";
  protected readonly launch: Launch;
  protected readonly spec: SessionSpec;
  #child: Child | undefined;

  constructor(launch: Launch, spec: SessionSpec) {
    this.launch = launch;
    this.spec = spec;
  }

  abstract get id(): string | null;

  abstract prompt(ask: TurnRequest): Promise<Reply>;

  protected async run({ title, args, env, onLine }: OneShot, ask: TurnRequest): Promise<OneShotExit> {
    if (ask.signal.aborted) return { code: null, signal: null, cancelled: true, stderr: "" };
    const { command, running } = this.launch;
    const { cwd, wrap } = this.spec;
    const child = startChild({
      command,
      args,
      cwd,
      env: { ...this.spec.env, ...doorVariables(ask.door), ...env },
      running,
      wrap,
      ports: doorPorts(ask.door),
      onLine: (line) => {
        if (line.trim() === "") return;
        const event = parseLine(line);
        if (event === undefined) ask.onEvent({ type: "notice", text: `${title}: ${line.slice(0, 300)}` });
        else onLine(event);
      },
    });
    this.#child = child;
    let cancelled = false;
    const cancel = (): void => {
      cancelled = true;
      void child.end();
    };
    ask.signal.addEventListener("abort", cancel, { once: true });
    child.write(ask.prompt);
    child.endInput();
    const exit = await child.exited;
    ask.signal.removeEventListener("abort", cancel);
    this.#child = undefined;
    return { ...exit, cancelled, stderr: child.stderr };
  }

  async close(): Promise<void> {
    await this.#child?.end();
  }
}

/** What a process came to that did not say itself how its turn ended. */
export function endingOfExit(title: string, exit: OneShotExit): Pick<Reply, "ending" | "message"> {
  if (exit.cancelled) return { ending: "cancelled" };
  return { ending: exit.notStarted === undefined ? "crashed" : "unavailable", message: describeExit(title, exit) };
}

const LAST_WORDS = 600;

/** For people: how a process ended that should not have. */
export function describeExit(
  name: string,
  { code, signal, notStarted, stderr }: ChildExit & { stderr: string },
): string {
  if (notStarted !== undefined) return `${name} could not be started: ${notStarted}.`;
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const words = stderr.trim().slice(-LAST_WORDS);
  return `${name} ended ${how} before its turn was over.${words === "" ? "" : ` It last said: ${words}`}`;
}
