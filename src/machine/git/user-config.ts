// The user's own git settings, as git has them without what this program sets for its own calls.

import { git, linesOf, succeeded } from "./git.js";

/** The value that counts for the user. Null if it is not set. */
export async function userConfig(
  cwd: string,
  key: string,
  type: "bool" | "path" | null = null,
): Promise<string | null> {
  const typed = type === null ? [] : [`--type=${type}`];
  const asked = await git(cwd, ["config", "--show-scope", ...typed, "--get-all", key], { hooks: true });
  if (!succeeded(asked)) return null;
  const values = linesOf(asked.stdout).filter((line) => !line.startsWith("command\t"));
  return values.at(-1)?.replace(/^\w+\t/, "") ?? null;
}
