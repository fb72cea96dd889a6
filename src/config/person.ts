// The proof that a person asks: a terminal without an agent in between, or a secret in a file that only its owner may read,
// outside every workspace. docs/security.md says what this stops and what it does not.

import { linkSync, mkdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { resolve, sep } from "node:path";
import { isInside } from "../base/paths.js";
import { findPlainFile, readPlainFile } from "../base/plain-file.js";
import type { Environment } from "../machine/process/environment.js";
import { configFolder, ownFile, workspaceName, writeOwnFile } from "./state-folder.js";

/** The secret itself, for machines without a person: CI keeps it with its other secrets. */
export const SECRET_VARIABLE = "PLANWRIGHT_SECRET";

const FORM = /^[0-9a-f]{64}$/;

export const secretFile = (env: Environment): string | undefined => {
  const folder = configFolder(env);
  return folder === undefined ? undefined : `${folder}${sep}secret`;
};

/**
 * `others` sign nothing, but what they signed counts: earlier secrets of yours, or a colleague's. `problem`: why the secret that
 * is there does not count.
 */
export type SecretLookup =
  | {
      readonly kind: "found";
      readonly secret: string;
      readonly others: readonly string[];
      readonly from: "variable" | "file";
    }
  | { readonly kind: "none" }
  | { readonly kind: "unusable"; readonly problem: string };

/** `root`: the workspace, in which no secret counts. */
export function findSecret(env: Environment, root: string): SecretLookup {
  const given = env[SECRET_VARIABLE];
  if (given !== undefined && given !== "") {
    if (FORM.test(given)) return { kind: "found", secret: given, others: [], from: "variable" };
    return {
      kind: "unusable",
      problem: `${SECRET_VARIABLE} must hold 64 hexadecimal digits, as in the secret's file.`,
    };
  }
  const path = secretFile(env);
  return path === undefined ? { kind: "none" } : readSecret(path, root);
}

/** The variable's and the file's, whichever of them counts. */
export function secretsHere(env: Environment, root: string) {
  const found = findSecret(env, root);
  const kept = findSecret({ ...env, [SECRET_VARIABLE]: "" }, root);
  return {
    variable: found.kind === "found" && found.from === "variable" ? found.secret : undefined,
    file: kept.kind === "found" ? [kept.secret, ...kept.others] : [],
  };
}

function readSecret(path: string, root: string): SecretLookup {
  const unusable = (problem: string): SecretLookup => ({ kind: "unusable", problem: `Your secret ${path} ${problem}` });
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return { kind: "none" };
    if (isInside(path, root)) return unusable("is inside this workspace, where agents can read it. Keep it elsewhere.");
    if (process.getuid && found.uid !== process.getuid()) return unusable("belongs to another user.");
    if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
      return unusable(`may be read by others. Type: chmod 600 ${path}`);
    }
    const [secret = "", ...others] = readPlainFile(path).trim().split(/\s+/);
    if (![secret, ...others].every((each) => FORM.test(each)))
      return unusable("must hold 64 hexadecimal digits in a line.");
    return { kind: "found", secret, others, from: "file" };
  } catch (error) {
    return unusable(`cannot be read: ${(error as Error).message}.`);
  }
}

/** Makes the secret if there is none. Two processes at once make one. Undefined if there is no folder for it or it is there. */
export function makeSecret(env: Environment, root: string): string | undefined {
  const path = secretFile(env);
  if (path === undefined || isInside(path, root) || findSecret(env, root).kind !== "none") return undefined;
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  const fresh = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    mkdirSync(resolve(path, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch {
    return undefined;
  }
  try {
    linkSync(fresh, path);
    return path;
  } catch {
    return undefined;
  } finally {
    unlinkSync(fresh);
  }
}

/** Undefined if there is no settings folder outside of the workspace. */
export const firstPersonFile = (root: string, env: Environment) => ownFile(root, env, "plans", workspaceName(root));

/** Undefined if this machine has not seen the plan yet. */
export function readFirstPerson(root: string, env: Environment): string | undefined {
  const file = firstPersonFile(root, env);
  return /^[0-9a-f]{16}$/m.exec((file && findPlainFile(file)) ?? "")?.[0];
}

/** The link of the first operation of the plan that this machine has seen there: no two plans share one. */
export function readNotedPlan(root: string, env: Environment): string | undefined {
  const file = firstPersonFile(root, env);
  return /^plan (\S+)$/m.exec((file && findPlainFile(file)) ?? "")?.[1];
}

/** The key of who started it. Digits of a secret alone could stand in a key that somebody else made. */
export function readNotedKey(root: string, env: Environment): string | undefined {
  const file = firstPersonFile(root, env);
  return /^key (\S+)$/m.exec((file && findPlainFile(file)) ?? "")?.[1];
}

export interface NotedPerson {
  readonly id: string;
  /** Older programs noted none. */
  readonly key: string | undefined;
}

/** `plan`: null while another plan is put there. Where the folder cannot be written to, every time is the first. */
export function noteFirstPerson(root: string, env: Environment, { id, key }: NotedPerson, plan: string | null): void {
  const file = firstPersonFile(root, env);
  const lines = [id, key === undefined ? [] : `key ${key}`, plan === null ? [] : `plan ${plan}`].flat();
  if (file !== undefined) writeOwnFile(file, `${lines.join("\n")}\n`);
}

/** Before another plan is put there on purpose. If that is interrupted, the next command of a person notes which one is there. */
export function forgetNotedPlan(root: string, env: Environment): void {
  const id = readFirstPerson(root, env);
  if (id === undefined || readNotedPlan(root, env) === undefined) return;
  noteFirstPerson(root, env, { id, key: readNotedKey(root, env) }, null);
}

/** What this machine has seen of the plan there, asked only when it is needed. */
export const notedHere = (root: string, env: Environment) => ({
  first: () => readNotedKey(root, env) ?? readFirstPerson(root, env),
  plan: () => readNotedPlan(root, env),
});
