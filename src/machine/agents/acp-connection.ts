// One process that speaks the Agent Client Protocol: started, greeted, asked, answered, and ended. Every request ends
// when the process does, so nothing can hang on an agent that is gone.

import { mkdir, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PermissionOption, ToolCallUpdate } from "@agentclientprotocol/sdk";
import * as acp from "@agentclientprotocol/sdk";
import { messageOf } from "../../base/errors.js";
import { isInside } from "../../base/paths.js";
import { readPlainFile, WRITE_WITHOUT_WAITING } from "../../base/plain-file.js";
import { type Child, startChild } from "../process/child.js";
import type { Access, AgentEvent, SessionSpec } from "./agent.js";
import { brief, describeExit, parseLine } from "./one-shot.js";

const METHODS = acp.methods;
const SAVING_MS = 1_500;

/** The process has ended, or never began. */
export class AgentGone extends Error {}

export interface AcpHearing {
  onUpdate(update: acp.SessionUpdate): void;
  onEvent(event: AgentEvent): void;
}

type Counting = "since the session began" | "since the process began" | "this turn" | "not at all";

/** How one agent differs from what the protocol promises. */
export interface AcpTraits {
  readonly name: string;
  readonly command: string;
  /** A folder where the process is noted while it runs. */
  readonly running?: string | undefined;
  args(spec: SessionSpec): readonly string[];
  env(spec: SessionSpec): Readonly<Record<string, string>>;
  readonly counting: Counting;
  /** Connects to servers after it has answered that the session is open. */
  readonly connectsLate?: boolean;
  /** Under which other name to ask for a conversation that would be lost if it were loaded soon after it began. */
  youngName?(id: string): string;
}

/** Standard output and input as messages. Lines that are no messages are reported and not answered. */
function messagesOf(write: (text: string) => void, onNoise: (line: string) => void) {
  let hear: ReadableStreamDefaultController<acp.AnyMessage>;
  const readable = new ReadableStream<acp.AnyMessage>({
    start: (controller) => {
      hear = controller;
    },
  });
  const writable = new WritableStream<acp.AnyMessage>({ write: (message) => write(`${JSON.stringify(message)}\n`) });
  const onLine = (line: string): void => {
    if (line.trim() === "") return;
    const message = parseLine(line);
    if (message === undefined) onNoise(line);
    else hear.enqueue(message as unknown as acp.AnyMessage);
  };
  const end = (): void => {
    try {
      hear.close();
    } catch {
      // Closed already.
    }
  };
  return { stream: { readable, writable }, onLine, end };
}

export class AcpConnection {
  readonly #spec: SessionSpec;
  readonly #hearing: AcpHearing;
  readonly #child: Child;
  readonly #connection: acp.ClientConnection;
  readonly #gone: Promise<never>;
  ended = false;

  constructor(traits: AcpTraits, spec: SessionSpec, hearing: AcpHearing, ports: readonly number[]) {
    this.#spec = spec;
    this.#hearing = hearing;
    const messages = messagesOf(
      (text) => this.#child.write(text),
      (line) => hearing.onEvent({ type: "notice", text: `${traits.name} wrote: ${brief(line)}` }),
    );
    const { name, command, running } = traits;
    const { cwd, wrap } = spec;
    const args = traits.args(spec);
    const env = { ...spec.env, ...traits.env(spec) };
    this.#child = startChild({ command, args, cwd, env, running, wrap, ports, onLine: messages.onLine });
    this.#connection = this.#client().connect(messages.stream);
    this.#gone = this.#child.exited.then((exit) => {
      this.ended = true;
      messages.end();
      throw new AgentGone(describeExit(name, { ...exit, stderr: this.#child.stderr }));
    });
    this.#gone.catch(() => {});
  }

  greet(): Promise<acp.InitializeResponse> {
    const greeting = {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientInfo: { name: "planwright", version: "1" },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    };
    return this.race(this.#connection.agent.request(METHODS.agent.initialize, greeting));
  }

  get agent(): acp.ClientConnection["agent"] {
    return this.#connection.agent;
  }

  race<T>(answer: Promise<T>): Promise<T> {
    answer.catch(() => {});
    return Promise.race([answer, this.#gone]);
  }

  /** An agent whose input ends may still save its session, for a moment. */
  async close(): Promise<void> {
    this.#child.endInput();
    const patience = new AbortController();
    await Promise.race([this.#child.exited, sleep(SAVING_MS, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
    await this.kill();
  }

  async kill(): Promise<void> {
    await this.#child.end();
    this.#connection.close();
  }

  #client(): acp.ClientApp {
    return acp
      .client({ name: "planwright" })
      .onNotification(METHODS.client.session.update, ({ params }) => this.#hearing.onUpdate(params.update))
      .onRequest(METHODS.client.session.requestPermission, ({ params }) => this.#decide(params))
      .onRequest(METHODS.client.fs.readTextFile, ({ params }) => this.#read(params))
      .onRequest(METHODS.client.fs.writeTextFile, ({ params }) => this.#write(params));
  }

  async #decide({ toolCall, options }: acp.RequestPermissionRequest): Promise<acp.RequestPermissionResponse> {
    const granted = await isReallyGranted(toolCall, this.#spec.access, this.#spec.cwd);
    const what = toolCall.title ?? toolCall.kind ?? "something";
    const optionId = chooseOption(options, granted);
    this.#hearing.onEvent({ type: "permission", what: brief(what), granted: granted && optionId !== undefined });
    return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
  }

  /** Some agents ask for files although we said that we do not serve them. */
  async #read({ path }: acp.ReadTextFileRequest): Promise<acp.ReadTextFileResponse> {
    this.#require(await isOwnFile(this.#spec.cwd, path), path);
    return { content: readPlainFile(resolve(this.#spec.cwd, path)) };
  }

  async #write({ path, content }: acp.WriteTextFileRequest): Promise<acp.WriteTextFileResponse> {
    if (this.#spec.access === "read") throw acp.RequestError.invalidParams(undefined, "This session may only read.");
    this.#require(await mayWrite(this.#spec.cwd, path), path);
    const file = resolve(this.#spec.cwd, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: WRITE_WITHOUT_WAITING });
    return {};
  }

  #require(granted: boolean, path: string): void {
    if (granted) return;
    this.#hearing.onEvent({ type: "permission", what: brief(path), granted: false });
    throw acp.RequestError.invalidParams(undefined, `${path} is outside ${this.#spec.cwd}, or is not yours to change.`);
  }
}

export const describeError = (name: string, error: unknown): string =>
  error instanceof AgentGone ? error.message : `${name}: ${brief(messageOf(error))}`;

// What an agent that asks may do: pure. Asking is a courtesy of the agent and no boundary, so this stands beside
// flags, sandboxes and the look at the working tree, and in place of none of them.

/** What cannot change anything. */
const HARMLESS = new Set(["read", "search", "think"]);
const CHANGES_FILES = new Set(["edit", "delete", "move"]);

/** Our own tools, by the whole of the names that agents give them; a title that only mentions one is the model's words. */
const OUR_TOOL =
  /^(?:mcp[_-]{1,2})?(?:planwright[_.:/-]{1,3})?(?:submit(?:_json)?|look_up)(?: \(planwright(?: MCP Server)?\))?$/i;
/** What a tool of ours is called by agents that name its kind at all. */
const OURS = new Set(["", "other", "think"]);

const isOurs = ({ title, name, kind }: ToolCallUpdate): boolean =>
  OURS.has(kind ?? "") && [name, title].some((words) => OUR_TOOL.test((words ?? "").trim()));

/** The repository and the plan must not be changed through files. */
const PROTECTED = /(?:^|[\\/])\.(?:git|planwright)(?:[\\/]|$)/i;

const isProtected = (folder: string, path: string): boolean => PROTECTED.test(relative(folder, resolve(folder, path)));

/** Where a call says that it will change something. */
const placesOf = ({ locations, content }: ToolCallUpdate): string[] => [
  ...(locations ?? []).map(({ path }) => path),
  ...(content ?? []).flatMap((part) => (part.type === "diff" ? [part.path] : [])),
];

export function isGranted(call: ToolCallUpdate, access: Access, cwd: string): boolean {
  if (isOurs(call)) return true;
  if (access === "read") return HARMLESS.has(call.kind ?? "");
  if (!CHANGES_FILES.has(call.kind ?? "")) return true;
  return placesOf(call).every((path) => isInside(resolve(cwd, path), cwd) && !isProtected(cwd, path));
}

/** The same, also when links are followed. */
async function isReallyGranted(call: ToolCallUpdate, access: Access, cwd: string): Promise<boolean> {
  if (!isGranted(call, access, cwd)) return false;
  if (!CHANGES_FILES.has(call.kind ?? "")) return true;
  const own = await Promise.all(placesOf(call).map((path) => mayWrite(cwd, path)));
  return own.every(Boolean);
}

/** The agent's own word for yes or no; once, if it can be had. */
export function chooseOption(options: readonly PermissionOption[], granted: boolean): string | undefined {
  const wanted = granted ? (["allow_once", "allow_always"] as const) : (["reject_once", "reject_always"] as const);
  return wanted.flatMap((kind) => options.filter((option) => option.kind === kind))[0]?.optionId;
}

/** The real place of a path, of which the last parts may not exist yet. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realPlace(above), basename(path));
  }
}

/** Whether a file is inside the agent's folder, also when links are followed. */
export async function isOwnFile(cwd: string, path: string): Promise<boolean> {
  return isInside(await realPlace(resolve(cwd, path)), await realPlace(cwd));
}

async function mayWrite(cwd: string, path: string): Promise<boolean> {
  const [folder, place] = await Promise.all([realPlace(cwd), realPlace(resolve(cwd, path))]);
  return isInside(place, folder) && !isProtected(folder, place);
}
