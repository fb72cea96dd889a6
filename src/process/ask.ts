// Asks a short question of a command, such as git, through a small shell: it is there from the first question on.

import { Lanes } from "./lanes.js";
import { run } from "./run.js";
import { canBeTold, lineOf, type Told } from "./told.js";

export interface Question extends Told {
  readonly timeoutMs: number;
}

const KEEP = 20_000_000;

/** What a question's environment does not say, its command does not see. */
const lanes = new Lanes({});

/** What it says on standard output; undefined if it does not end well. */
export async function askInLane(question: Question): Promise<string | undefined> {
  const { timeoutMs } = question;
  if (!canBeTold(question)) return ask(question);
  const said = await lanes.run(lineOf(question, { streams: "< /dev/null" }), { keep: KEEP, timeoutMs });
  if (said?.endedBy === "timeout") return undefined;
  // Where there is no shell, or where somebody ended it, the program asks by itself.
  if (said === undefined || said.code === null) return ask(question);
  return said.code === 0 ? said.stdout : undefined;
}

async function ask(question: Question): Promise<string | undefined> {
  const { exitCode, stdout } = await run({ ...question, keep: KEEP });
  return exitCode === 0 ? stdout : undefined;
}
