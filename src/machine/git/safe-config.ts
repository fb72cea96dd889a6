// The user's git settings that are safe while agents work: who the user is and how files are written. Git runs commands
// that settings name (filters, drivers, editors), and a worker may be able to write to the home folder. So an engine
// copies the safe settings when it starts, and its git reads the copy only.

import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inherit } from "../process/environment.js";
import { isRunning } from "../process/group.js";
import { HOW_FILES_ARE, IDENTITY, LARGE_FILES } from "./allowed-settings.js";
import { type Setting, settingsText } from "./config-text.js";
import { runGit, WaitsForPipes } from "./pipes.js";

/** None of these names a command to run. */
const HARMLESS = new Set([
  ...HOW_FILES_ARE,
  ...IDENTITY,
  ..."safe.directory core.safecrlf core.excludesfile core.attributesfile".split(" "),
]);

/** Turns the output of `git config --list --show-scope -z` into a config file that runs nothing. */
export function safeConfigFrom(list: string): string {
  const words = list.split("\0");
  const kept: Setting[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const entry = words[i + 1] as string;
    const [name = "", ...value] = entry.split("\n");
    if (words[i] !== "global" || !(HARMLESS.has(name) || LARGE_FILES.has(entry))) continue;
    kept.push({ name, value: value.length === 0 ? null : value.join("\n") });
  }
  return settingsText(kept);
}

const current = new AsyncLocalStorage<string>();

/** The file that git reads in this flow in place of the user's settings. Undefined outside of `withSafeConfig`. */
export const safeConfigFile = (): string | undefined => current.getStore();

/** Every git that `work` starts reads a copy of the settings, as they are now. The copy lies in this folder meanwhile. */
export async function withSafeConfig<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  removeAbandoned(folder);
  const args = ["config", "--list", "--show-scope", "--includes", "-z"];
  const { stdout, pipes } = await runGit({ args, cwd: folder, env: inherit({ LC_ALL: "C" }) });
  // Without the list we would not know which drivers to switch off.
  if (pipes) throw new WaitsForPipes(pipes);
  const file = join(folder, `${process.pid}-${randomUUID()}.gitconfig`);
  writeFileSync(file, safeConfigFrom(stdout), { mode: 0o600 });
  try {
    return await current.run(file, work);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Removes what killed programs have left. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^\d+-/.test(name) && !isRunning(Number.parseInt(name, 10)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
