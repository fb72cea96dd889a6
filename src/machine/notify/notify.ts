// Tells people what happened, over the channels that they chose. A channel that fails never disturbs what carries the
// plan out; it is said once, until it works again.

import { setTimeout as after } from "node:timers/promises";
import { messageOf } from "../../base/errors.js";
import type { NewsView } from "../../model/rules/news.js";
import { commandEnvironment, type Environment, environmentFor, findCommand } from "../process/environment.js";
import { run } from "../process/run.js";

export interface NotifierSettings {
  readonly bell: boolean;
  readonly desktop: boolean;
  readonly webhook: Webhook | null;
  readonly command: string | readonly string[] | null;
  readonly news: readonly string[];
}

export interface NotifierContext {
  /** Rings the terminal's bell: only an interface may write to a terminal. */
  readonly ring: () => void;
  readonly note: (text: string) => void;
  /** The program's own environment. Desktop and command see a chosen part of it. */
  readonly env: Environment;
  /** Names of variables that the command may see in addition to the common ones. */
  readonly named: readonly string[];
  readonly root: string;
}

type Channel = (announcement: Announcement) => Promise<void>;

export function notifier(settings: NotifierSettings, bystanders: NotifierContext) {
  const channels = channelsOf(settings, bystanders);
  const failing = new Set<string>();
  const tell = async (name: string, channel: Channel, announcement: Announcement): Promise<void> => {
    try {
      await channel(announcement);
      failing.delete(name);
    } catch (error) {
      if (failing.has(name)) return;
      failing.add(name);
      bystanders.note(`The ${name} could not send the news: ${messageOf(error)}`);
    }
  };
  return {
    /** Settles when every channel is done. It never fails. */
    send: async (news: readonly NewsView[]): Promise<void> => {
      const wanted = news.filter(({ kind }) => settings.news.includes(kind));
      if (wanted.length === 0) return;
      const announcement = { workspace: bystanders.root, news: wanted };
      await Promise.all([...channels].map(([name, channel]) => tell(name, channel, announcement)));
    },
  };
}

const DESKTOP = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"];

function channelsOf(settings: NotifierSettings, { ring, env, named, root }: NotifierContext): Map<string, Channel> {
  const channels = new Map<string, Channel>();
  const { webhook, command } = settings;
  const desktopPlace = { env: environmentFor(env, DESKTOP), cwd: root };
  const commandPlace = { env: commandEnvironment(env, named), cwd: root };
  if (settings.bell) channels.set("bell", async () => ring());
  if (settings.desktop) channels.set("desktop", (announcement) => notifyDesktop(announcement, desktopPlace));
  if (webhook) channels.set("webhook", (announcement) => notifyWebhook(announcement, webhook));
  if (command !== null) channels.set("command", (announcement) => notifyCommand(announcement, command, commandPlace));
  return channels;
}

// The message that every channel gets, and its wording.

/** Also the JSON that a webhook and a command get. */
export interface Announcement {
  readonly workspace: string;
  readonly news: readonly NewsView[];
}

export const sentenceOf = ({ kind, id, title, detail }: NewsView): string =>
  `${id} ${SAYS[kind]}: ${title}${detail === null ? "" : ` (${detail})`}`;

const SAYS: Readonly<Record<NewsView["kind"], string>> = {
  ready: "is ready",
  claimed: "was claimed",
  completed: "is completed",
  rejected: "was rejected",
  "needs-person": "needs a person",
  landed: "has landed",
};

// Posts the news to an address. Only over an encrypted connection or to this machine, unless it is allowed; never on to
// another address, since a redirect could lead anywhere.

export interface Webhook {
  readonly url: string;
  readonly allowHttp: boolean;
  readonly timeoutSeconds: number;
  readonly retries: number;
}

/** How long we wait before the first repetition. The time doubles each time. */
const BACKOFF_MS = 500;

/** An address may hold a secret, so no message has more of it than its host. */
export async function notifyWebhook(
  announcement: Announcement,
  { url, allowHttp, timeoutSeconds, retries }: Webhook,
  backoffMs = BACKOFF_MS,
): Promise<void> {
  const { protocol, host, hostname } = new URL(url);
  if (protocol !== "https:" && !isThisMachine(hostname) && !allowHttp) {
    throw new Error(`${host} would get the news unencrypted. Use https, or set webhook.allowHttp.`);
  }
  for (let round = 0; ; round++) {
    const problem = await post(url, announcement, timeoutSeconds * 1000);
    if (problem === null) return;
    if (!problem.mayPass || round >= retries) throw new Error(`${host} ${problem.text}.`);
    await after(backoffMs * 2 ** round);
  }
}

const isThisMachine = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

interface Problem {
  readonly text: string;
  /** It may be gone the next time. */
  readonly mayPass: boolean;
}

async function post(url: string, announcement: Announcement, timeoutMs: number): Promise<Problem | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", "user-agent": "planwright" },
      body: JSON.stringify(announcement),
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Nobody reads the answer, and an unread one would hold the connection.
    await response.body?.cancel();
    const { status } = response;
    if (status >= 200 && status < 300) return null;
    if (status >= 300 && status < 400) return { text: "sent the news on to another address", mayPass: false };
    return { text: `answered with ${status}`, mayPass: status >= 500 || status === 429 || status === 408 };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return { text: isLate ? `did not answer within ${timeoutMs / 1000} s` : "could not be reached", mayPass: true };
  }
}

// Shows the news on the desktop, with what the system has for that. Every text is an argument or a variable of its own:
// a title is never read as a script.

const MAX_LINES = 5;
const DESKTOP_MS = 10_000;

interface Desktop {
  readonly command: string;
  readonly args: (title: string, body: string) => readonly string[];
}

/** Some desktops read markup in the body. */
const plain = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const BALLOON = [
  "Add-Type -AssemblyName System.Windows.Forms;",
  "$icon = New-Object System.Windows.Forms.NotifyIcon;",
  "$icon.Icon = [System.Drawing.SystemIcons]::Information;",
  "$icon.Visible = $true;",
  "$icon.ShowBalloonTip(5000, $env:PLANWRIGHT_TITLE, $env:PLANWRIGHT_BODY, 'Info');",
  "Start-Sleep -Seconds 5; $icon.Dispose()",
].join(" ");

const APPLE_SCRIPT = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"];

const DESKTOPS: readonly Desktop[] = [
  { command: "notify-send", args: (title, body) => ["--app-name=planwright", "--", title, plain(body)] },
  { command: "osascript", args: (title, body) => [...APPLE_SCRIPT.flatMap((line) => ["-e", line]), title, body] },
  { command: "powershell.exe", args: () => ["-NoProfile", "-NonInteractive", "-Command", BALLOON] },
];

async function notifyDesktop({ news }: Announcement, { env, cwd }: ProgramSettings): Promise<void> {
  const rest = news.length - MAX_LINES;
  const lines = [...news.slice(0, MAX_LINES).map(sentenceOf), ...(rest > 0 ? [`and ${rest} more`] : [])];
  const title = news.length === 1 ? "Planwright" : `Planwright: ${news.length} news`;
  const body = lines.join("\n");
  for (const { command, args } of DESKTOPS) {
    const file = findCommand(command, env["PATH"], cwd);
    if (file === undefined) continue;
    const variables = { PLANWRIGHT_TITLE: title, PLANWRIGHT_BODY: body };
    return runNotifier(file, args(title, body), { cwd, env: { ...env, ...variables } }, "", DESKTOP_MS);
  }
  throw new Error(`None of ${DESKTOPS.map(({ command }) => command).join(", ")} is installed.`);
}

// Starts a program with the news: as JSON on its standard input, and in its environment. Nothing of them ever becomes a
// part of the command line.

interface ProgramSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const COMMAND_MS = 60_000;

/** The system limits one variable; what is longer is on standard input alone. */
const VARIABLE_LIMIT = 32_000;

async function notifyCommand(announcement: Announcement, command: string | readonly string[], place: ProgramSettings) {
  const text = JSON.stringify(announcement);
  const [program = "", ...args] = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  const variables = {
    PLANWRIGHT_NEWS_COUNT: String(announcement.news.length),
    PLANWRIGHT_NEWS_KINDS: [...new Set(announcement.news.map(({ kind }) => kind))].join(","),
    ...(text.length > VARIABLE_LIMIT ? {} : { PLANWRIGHT_NEWS: text }),
  };
  await runNotifier(program, args, { ...place, env: { ...place.env, ...variables } }, `${text}\n`);
}

/** Fails with what it said, unless it ends well and in time. */
export async function runNotifier(
  command: string,
  args: readonly string[],
  { env, cwd }: ProgramSettings,
  input = "",
  timeMs = COMMAND_MS,
): Promise<void> {
  const options = { command, args, cwd, env, input, timeoutMs: timeMs };
  const { endedBy, exitCode, signal, output } = await run(options);
  if (endedBy === "not-started") throw new Error(`${command} could not be started: ${output}`);
  if (endedBy === "timeout") throw new Error(`${command} did not end within ${timeMs / 1000} s.`);
  if (exitCode === 0) return;
  const said = output.trim().split("\n").at(-1) ?? "";
  throw new Error(`${command} ended with ${exitCode ?? signal ?? "nothing"}${said === "" ? "" : `: ${said}`}`);
}
