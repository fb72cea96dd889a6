// A short question about commits, for settings, which every command reads before it can wait for anything. Nothing but the commits
// answers: no settings, no replaced or grafted parents, no cached graph.

import { absolutePath, inherit } from "../process/environment.js";
import { allowedFolder } from "./allowed-settings.js";
import { gitProgram } from "./program.js";
import { NO_HOOKS, OFF, UNATTENDED } from "./rule.js";

const TIMEOUT_MS = 10_000;

/** Undefined if git fails. It is started here and not in `pipes.ts`, because loading that takes longer than most commands do. */
export function askGit(gitDir: string, args: readonly string[]): string | undefined {
  const path = absolutePath(inherit({})["PATH"]);
  const folder = allowedFolder({ gitDir });
  const own = ["safe.directory=*", "core.commitGraph=false"].flatMap((setting) => ["-c", setting]);
  const { status, stdout } = process
    .getBuiltinModule("node:child_process")
    .spawnSync(gitProgram(path), [`--git-dir=${gitDir}`, ...NO_HOOKS, ...OFF, ...own, ...args], {
      cwd: gitDir,
      env: {
        PATH: path,
        ...(folder !== undefined && { GIT_COMMON_DIR: folder }),
        LC_ALL: "C",
        ...UNATTENDED,
        GIT_TERMINAL_PROMPT: "0",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
      },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
  return status === 0 ? stdout : undefined;
}
