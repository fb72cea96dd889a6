// What hosts of coding agents say to hooks, and how they want to be answered. Claude Code, Codex and Copilot CLI share one form, except
// for where Copilot reads text; Gemini CLI has its own names for events and decisions.

import type { HookedHost } from "../../config/host-settings.js";
import type { NextStep } from "../../model/next-step.js";
import type { EditPolicy } from "../../model/rules/hooks.js";
import type { Input } from "../kit/read-words.js";
import { spell } from "../kit/spell.js";
import type { Terminal } from "../kit/view.js";
import { plainLine } from "./plain-line.js";

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/** A larger message is no message of a host. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** What the host says about its conversation, as input of a hook's operation. What has another form is left out. */
export async function readHost(terminal: Terminal): Promise<{ readonly caller: Input; readonly event: Fields }> {
  if (terminal.interactive) return { caller: {}, event: {} };
  const given = await terminal.readStdin();
  if (given.length > MAX_MESSAGE_BYTES) throw new Error(`The host's message has ${given.length} bytes.`);
  const event = fieldsOf(parse(new TextDecoder().decode(given)));
  const { session_id: session, agent_id: agent, cwd } = event;
  return {
    event,
    caller: {
      ...(typeof session === "string" ? { session } : {}),
      // Claude Code names the subagent that a call comes from.
      ...(typeof agent === "string" && agent !== "" ? { agent } : {}),
      ...(typeof cwd === "string" ? { folder: cwd } : {}),
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const what = text.trim() === "" ? "is empty" : "is not JSON";
    const message = `The input of the hook ${what}. A coding agent sends one JSON object on standard input.`;
    throw Object.assign(new Error(message), { failure: { kind: "usage", reason: "bad-input", message } });
  }
}

/** Gemini CLI puts what a hook said when the conversation began in front of the first message. */
const ADDED = /^\s*(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/;

export const typedPrompt = ({ prompt }: Fields) => (typeof prompt === "string" ? prompt.replace(ADDED, "") : "");

/** Tools that change files, by the name that their host gives them. */
const EDITORS: ReadonlySet<string> = new Set(
  "Write Edit MultiEdit NotebookEdit apply_patch write_file replace".split(" "),
);

const FILE_FIELDS = ["file_path", "notebook_path", "path", "absolute_path"];
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;

export function editedFiles({ tool_name: tool, tool_input: input }: Fields): string[] {
  if (typeof tool !== "string" || !EDITORS.has(tool)) return [];
  const fields = typeof input === "string" ? { patch: input } : fieldsOf(input);
  const named = FILE_FIELDS.map((field) => fields[field]).filter((path) => typeof path === "string");
  const patches = tool === "apply_patch" ? Object.values(fields).filter((value) => typeof value === "string") : [];
  const patched = patches.flatMap((patch) => [...patch.matchAll(PATCHED)].map(([, path, to]) => path ?? to ?? ""));
  return [...named, ...patched].map((path) => path.trim()).filter((path) => path !== "");
}

/** Tools that run commands in a shell, by the name that their host gives them. */
const SHELLS: ReadonlySet<string> = new Set("Bash bash shell local_shell exec_command run_shell_command".split(" "));

export function typedCommand({ tool_name: tool, tool_input: input }: Fields): string | undefined {
  if (typeof tool !== "string" || !SHELLS.has(tool)) return undefined;
  const { command, cmd } = fieldsOf(input);
  const words = [command ?? cmd ?? []].flat().filter((word) => typeof word === "string");
  return words.length === 0 ? undefined : words.join(" ");
}

/** The tool that claims tasks, under whatever name its server has there: whether it would take one. Undefined for every other tool. */
export function claimsTask({ tool_name: tool, tool_input: input }: Fields): boolean | undefined {
  if (typeof tool !== "string" || !tool.endsWith("planwright__claim")) return undefined;
  const { action } = fieldsOf(input);
  return action === "next" || action === "start";
}

/** What the tool answered, as text. */
export const answeredText = ({ tool_response: answer }: Fields): string => JSON.stringify(answer ?? "");

export type ForHost<Answer> = Answer & { readonly host: HookedHost };

/** `off`: nothing to say. `note`: it may go on and is told something. */
export interface ToolDecision {
  readonly decision: EditPolicy;
  readonly reason: string;
}

const EVENTS = {
  prompt: { claude: "UserPromptSubmit", gemini: "BeforeAgent" },
  tool: { claude: "PreToolUse", gemini: "BeforeTool" },
  session: { claude: "SessionStart", gemini: "SessionStart" },
} as const;

type HookEvent = keyof typeof EVENTS;

const eventName = (event: HookEvent, host: HookedHost) => EVENTS[event][host === "gemini" ? "gemini" : "claude"];

/** Text for the agent, beside what it was about to read or do. */
export function contextJson(event: HookEvent, host: HookedHost, context: string | null): object {
  if (context === null) return {};
  if (host === "copilot") return { additionalContext: context };
  return { hookSpecificOutput: { hookEventName: eventName(event, host), additionalContext: context } };
}

export function toolJson({ host, decision, reason }: ForHost<ToolDecision>): object {
  if (decision === "off") return {};
  if (decision === "note") return contextJson("tool", host, reason);
  if (host === "gemini") return decision === "ask" ? { decision: "ask", reason } : { decision: "deny", reason };
  // Codex cannot ask in a hook, Copilot was not seen to, and an edit that nobody allowed does not happen.
  const permissionDecision = decision === "ask" && host === "claude" ? "ask" : "deny";
  const hookEventName = eventName("tool", host);
  return { hookSpecificOutput: { hookEventName, permissionDecision, permissionDecisionReason: reason } };
}

/** Empty lets the agent stop. */
export type HookAnswer =
  | { readonly decision: "block"; readonly reason: string; readonly next: readonly NextStep[] }
  | Record<string, never>;

const REASON_TOKENS = 400;

/** A host hands the reason to the agent, so it says what the agent can type. */
export function stopJson(answer: HookAnswer): object {
  if (!("decision" in answer)) return {};
  const commands = answer.next.map((each) => `\`${spell(each)}\``);
  return { decision: answer.decision, reason: plainLine(`${answer.reason} ${commands.join(", ")}`, REASON_TOKENS) };
}
