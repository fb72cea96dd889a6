// Starts a program with the news: as JSON on its standard input, and in its environment. Nothing of them ever becomes a
// part of the command line.

import { startChild } from "../process/child.js";
import type { Announcement } from "./message.js";

export interface ProgramSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const TIME_MS = 60_000;

/** The system limits one variable; what is longer is on standard input alone. */
const VARIABLE_LIMIT = 32_000;

export async function notifyCommand(
  announcement: Announcement,
  command: string | readonly string[],
  place: ProgramSettings,
): Promise<void> {
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
  timeMs = TIME_MS,
): Promise<void> {
  const child = startChild({ command, args, cwd, env, onLine: () => {} });
  child.write(input);
  child.endInput();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void child.end();
  }, timeMs);
  const { code, signal, notStarted } = await child.exited;
  clearTimeout(timer);
  if (notStarted !== undefined) throw new Error(`${command} could not be started: ${notStarted}`);
  if (isLate) throw new Error(`${command} did not end within ${timeMs / 1000} s.`);
  if (code === 0) return;
  const said = child.stderr.trim().split("\n").at(-1) ?? "";
  throw new Error(`${command} ended with ${code ?? signal ?? "nothing"}${said === "" ? "" : `: ${said}`}`);
}
