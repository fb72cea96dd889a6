// Asks a short question of a command, such as git, through a small shell: it is there from the first question on.

import { canBeSaid, Lane, quoted } from "./lane.js";
import { run } from "./run.js";

export interface Question {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Everything that it sees. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

const KEEP = 20_000_000;

/** Names that a shell takes. */
const isPlain = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

const free: Lane[] = [];

/** What it says on standard output; undefined if it does not end well. */
export async function askInLane(question: Question): Promise<string | undefined> {
  const { command, args, cwd, env } = question;
  const words = [command, ...args];
  if (!canBeSaid([...words, cwd, ...Object.values(env)]) || !Object.keys(env).every(isPlain)) return ask(question);
  const settings = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)} && `);
  const lane = free.pop() ?? new Lane({});
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    lane.end();
  }, question.timeoutMs);
  const told = `cd ${quoted(cwd)} && ${settings.join("")}exec ${words.map(quoted).join(" ")}`;
  const { code, stdout } = await lane.run(`( ${told} ) < /dev/null`);
  clearTimeout(timer);
  if (isLate) return undefined;
  // Where there is no shell, or where somebody ended it, the program asks by itself.
  if (lane.isGone || code === null) return ask(question);
  free.push(lane);
  return code === 0 ? stdout : undefined;
}

async function ask(question: Question): Promise<string | undefined> {
  const { exitCode, stdout } = await run({ ...question, keep: KEEP });
  return exitCode === 0 ? stdout : undefined;
}
