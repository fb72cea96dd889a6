// What hooks of coding agents remember, in small files beside the plan: in which conversation a task was claimed, and what a
// conversation was told already. It is no part of the plan: without it, hooks know less and the plan is the same.

import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { sha256 } from "../../store/sha256.js";

const FOLDER = "sessions";

/** A conversation that was left behind is over by then. */
const FORGOTTEN_MS = 7 * 24 * 60 * 60 * 1000;

const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Notes name no conversation, only its hash: a conversation needs no token for its own claims, so its name is as good as one. */
export const hashed = (session: string): string => sha256(session);

const makeFolder = (root: string): unknown =>
  mkdirSync(join(root, ".planwright", FOLDER), { recursive: true, mode: 0o700 });

const fileOf = (root: string, name: readonly unknown[]): string =>
  join(root, ".planwright", FOLDER, sha256(JSON.stringify(name)).slice(0, 32));

interface NotedClaim {
  readonly id: string;
  readonly epoch: number;
}

/** Noted with the claim. A claim that could not be noted counts as one without a conversation. */
export function noteSession(root: string, session: string, claims: readonly NotedClaim[]): void {
  try {
    makeFolder(root);
    for (const { id, epoch } of claims) {
      writeFileSync(fileOf(root, ["claim", id]), JSON.stringify({ epoch, session: hashed(session) }), { mode: 0o600 });
    }
    sweep(root);
  } catch {
    // Then the worker needs its token.
  }
}

/** Which conversation serves the roles of a planning run. */
export function noteRunSession(root: string, session: string, run: string): void {
  try {
    makeFolder(root);
    writeFileSync(fileOf(root, ["run", run]), JSON.stringify({ session: hashed(session) }), { mode: 0o600 });
  } catch {
    // Nothing but a hook reads it.
  }
}

const readNote = (root: string, name: readonly unknown[]): Partial<Record<string, unknown>> =>
  JSON.parse(readPlainFile(fileOf(root, name))) as Partial<Record<string, unknown>>;

export function isRunOfSession(root: string, session: string, run: string): boolean {
  try {
    return readNote(root, ["run", run])["session"] === hashed(session);
  } catch {
    return false;
  }
}

/** The hash of the conversation; null if none was noted, or for an earlier claim. */
export function sessionOfClaim(root: string, { id, epoch }: NotedClaim): string | null {
  try {
    const noted = readNote(root, ["claim", id]);
    return noted["epoch"] === epoch && typeof noted["session"] === "string" ? noted["session"] : null;
  } catch {
    return null;
  }
}

/**
 * Two windows of one agent are the same actor: what one has claimed is not the other's, nor that of a command without a
 * conversation. Without notes they cannot be told apart.
 */
export function isOfOther(root: string, conversation: string | undefined, claim: NotedClaim): boolean {
  const noted = sessionOfClaim(root, claim);
  return noted !== null && (conversation === undefined || noted !== hashed(conversation));
}

/** The conversation itself shows that a claim is its own: it may have lost the token when it was compacted, or goes on in a new process. */
export function isOfSame(root: string, conversation: string | undefined, claim: NotedClaim): boolean {
  return conversation !== undefined && sessionOfClaim(root, claim) === hashed(conversation);
}

/** True once for each conversation and subject. False too where nothing can be kept, so that nothing is repeated for ever. */
export function isFirstTime(root: string, session: string, subject: string): boolean {
  try {
    makeFolder(root);
    writeFileSync(fileOf(root, ["told", session, subject]), "", { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}

/** Looking at each of thousands of notes takes a while: not with every claim. */
function sweep(root: string): void {
  const folder = join(root, ".planwright", FOLDER);
  const marker = join(folder, "swept");
  const now = Date.now();
  const last = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.abs(now - last) < SWEEP_EVERY_MS) return;
  writeFileSync(marker, "");
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - touched > FORGOTTEN_MS) rmSync(file, { force: true });
  }
}
