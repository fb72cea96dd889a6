// Who works on a task: the agent of its profile, of the role `worker`, of every role, or the first that is installed; without
// any of them the shell, which runs the commands that the task carries. A review goes to the reviewer before all of them.

import type { Node } from "../node/node.js";

export interface NamedAgent {
  readonly agent: string;
  readonly model?: string;
  readonly effort?: "low" | "medium" | "high";
}

export interface WorkerSettings {
  readonly profiles: Readonly<Record<string, NamedAgent>>;
  readonly roles: Readonly<Record<string, NamedAgent>>;
  /** `shell`: a command that does any task, without a protocol. */
  readonly agents: Readonly<Record<string, { readonly shell?: string }>>;
}

export interface AgentFacts {
  /** The first that is installed; used only if the settings name none. */
  readonly first: string | null;
  /** Whether the one that the settings name is there. */
  readonly named: "installed" | "not-installed" | "unknown";
}

export const SHELL = "shell";

/**
 * It runs the commands that the task carries. They do the same each time, and `>>` would append once more, so they are not
 * run again because a check failed.
 */
export const runsTaskCommands = ({ kind, name }: { readonly kind: string; readonly name: string }): boolean =>
  kind === "shell" && name === SHELL;

export interface NoWorker {
  readonly agent: string;
  readonly problem: "unknown-agent" | "not-installed" | "no-commands";
}

export type WorkerChoice =
  | { readonly kind: "shell"; readonly name: string; readonly command: string | null }
  | { readonly kind: "agent"; readonly serving: NamedAgent }
  | ({ readonly kind: "none" } & NoWorker);

type Wanted = Pick<Node, "profile" | "kind" | "body">;

/** A review without commands: its worker looks at what others did, and changes nothing. */
export const onlyReads = ({ kind, body }: Pick<Node, "kind" | "body">): boolean =>
  kind === "review" && commandsIn(body).length === 0;

/** Words in place of an agent, and what runs commands: none of them can review. */
const NO_REVIEWER: ReadonlySet<string> = new Set(["none", "outline", SHELL]);

/** The worker that the settings name for the task, if they name one. */
export function namedWorker(task: Wanted, { profiles, roles, agents }: WorkerSettings): NamedAgent | null {
  const reviewer = onlyReads(task) ? (roles["reviewer"] ?? roles["*"]) : undefined;
  if (reviewer && !NO_REVIEWER.has(reviewer.agent) && agents[reviewer.agent]?.shell === undefined) return reviewer;
  const { profile } = task;
  return (profile === null ? undefined : profiles[profile]) ?? roles["worker"] ?? roles["*"] ?? null;
}

export function chooseWorker(task: Wanted, settings: WorkerSettings, { first, named }: AgentFacts): WorkerChoice {
  const wanted = namedWorker(task, settings);
  const serving = wanted ?? { agent: first ?? SHELL };
  const { agent } = serving;
  const command = settings.agents[agent]?.shell ?? null;
  if (agent === SHELL || command !== null) {
    // A review changes nothing: its checks, or a person, do the looking.
    const canDo = command !== null || task.kind === "review" || commandsIn(task.body).length > 0;
    return canDo ? { kind: "shell", name: agent, command } : { kind: "none", agent, problem: "no-commands" };
  }
  if (wanted === null || named === "installed") return { kind: "agent", serving };
  return { kind: "none", agent, problem: named === "unknown" ? "unknown-agent" : "not-installed" };
}
const FENCE = /^(`{3,}|~{3,})(.*)$/s;

/** Where lines stand that close a fence, by its mark. */
function closersIn(lines: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const [, mark, rest = ""] = FENCE.exec(line) ?? [];
    if (mark !== undefined && rest.trim() === "") found.set(mark, [...(found.get(mark) ?? []), at]);
  }
  return found;
}

/** Each block as one script, in order. The fence's words must contain `run`, as in "```sh run". A fence that nothing closes is text. */
export function commandsIn(body: string): string[] {
  const lines = body.split("\n");
  const closers = closersIn(lines);
  const scripts: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, mark, words = ""] = FENCE.exec(lines[at] as string) ?? [];
    const ahead = mark === undefined ? [] : (closers.get(mark) ?? []);
    // Each is passed once.
    while (ahead.length > 0 && (ahead[0] as number) <= at) ahead.shift();
    const [end] = ahead;
    if (end === undefined) continue;
    if (words.split(/\s+/).includes("run"))
      scripts.push(
        lines
          .slice(at + 1, end)
          .join("\n")
          .trim(),
      );
    at = end;
  }
  return scripts.filter((script) => script !== "");
}
