// Where Planwright keeps what belongs to a user and a workspace, but not into the workspace: worktrees above all. Tools
// that look for files in the main checkout must not find those of its worktrees.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isInside, realPath } from "../base/paths.js";
import type { Environment } from "../machine/process/environment.js";

/** Every command reads settings, and few need this: loading it takes 2 ms. */
const loadCrypto = () => process.getBuiltinModule("node:crypto");

/** The user's own settings folder. Workers must not reach it. A home behind a link may be the workspace all the same. */
export function configFolder(env: Environment): string | undefined {
  const folder = statedConfigFolder(env);
  return folder && realPath(folder);
}

function statedConfigFolder(env: Environment): string | undefined {
  const { PLANWRIGHT_CONFIG: own, XDG_CONFIG_HOME: xdg, APPDATA: appData, HOME: home } = env;
  if (own) return resolve(own);
  if (xdg) return join(xdg, "planwright");
  if (process.platform === "win32" && appData) return join(appData, "planwright");
  return home ? join(home, ".config", "planwright") : undefined;
}

/** The user's state folder, by the rules of the system. */
export function stateFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local, HOME: home = homedir() } = env;
  // A relative one does not count, says the standard.
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "planwright");
  if (platform === "win32" && local !== undefined) return join(local, "planwright");
  if (platform === "darwin") return join(home, "Library", "Application Support", "planwright");
  return join(home, ".local", "state", "planwright");
}

/** Two workspaces of the same name have different folders. */
export const workspaceName = (root: string): string =>
  `${basename(root).replace(/[^\w.-]/g, "_")}-${loadCrypto().createHash("sha256").update(root).digest("hex").slice(0, 12)}`;

/** Where the backups of a workspace's plan are: outside of it, so that cleaning the checkout does not take them along. */
export const backupsFolder = (root: string, env: Environment) => join(stateFolder(env), "backups", workspaceName(root));

/** Where the worktrees of a workspace are: the setting, relative to the workspace, or the user's state folder. */
export const worktreesFolder = (root: string, setting: string | null, env: Environment): string =>
  setting === null ? join(stateFolder(env), "worktrees", workspaceName(root)) : resolve(root, setting);

/** A path in your settings folder, which workers in a sandbox do not see. Undefined if there is none outside of the workspace. */
export function ownFile(root: string, env: Environment, ...names: readonly string[]): string | undefined {
  const own = configFolder(env);
  return own === undefined || isInside(own, root) ? undefined : join(own, ...names);
}

/** Writes it whole or not at all, for your eyes only. False if it cannot be written. */
export function writeOwnFile(path: string, text: string): boolean {
  const fresh = `${path}.${loadCrypto().randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, text, { mode: 0o600, flag: "wx" });
    renameSync(fresh, path);
    return true;
  } catch {
    // Where no folder can be made, looking for the file fails, too.
    if (existsSync(fresh)) rmSync(fresh, { force: true });
    return false;
  }
}

/** Where running boards are noted. */
export const boardsFolder = (root: string, env: Environment) => ownFile(root, env, "boards", workspaceName(root));

/** Where the browsers are noted in which you typed a code of the board. */
export const browsersFolder = (root: string, env: Environment) => ownFile(root, env, "browsers", workspaceName(root));

/** Is there once a person allowed workers without a sandbox in this workspace, on this machine. */
export const unsandboxedFile = (root: string, env: Environment): string | undefined =>
  ownFile(root, env, "unsandboxed", `${workspaceName(root)}.json`);
