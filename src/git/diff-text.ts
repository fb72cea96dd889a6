// The difference between two commits as people read it.

import { git, problemOf, succeeded } from "./git.js";

/** Cut off after so many characters; `whole` says whether it was. */
export async function diffText(
  cwd: string,
  from: string,
  to: string,
  limit: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const args = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--end-of-options", from, to, "--"];
  const result = await git(cwd, args);
  if (!succeeded(result)) throw new Error(`${from} and ${to} cannot be compared: ${problemOf(result)}`);
  const text = result.stdout;
  return { text: text.slice(0, limit), whole: text.length <= limit };
}
