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

const fileOf = (root: string, name: readonly unknown[]): string =>
  join(root, ".planwright", FOLDER, sha256(JSON.stringify(name)).slice(0, 32));

interface NotedClaim {
  readonly id: string;
  readonly epoch: number;
}

/** Without a note hooks know less, so a folder that cannot be read or written is no failure. */
function tryOr<T>(otherwise: T, action: () => T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

function writeNote(root: string, name: readonly unknown[], note: object | "", flag = "w"): void {
  mkdirSync(join(root, ".planwright", FOLDER), { recursive: true, mode: 0o700 });
  writeFileSync(fileOf(root, name), note === "" ? "" : JSON.stringify(note), { mode: 0o600, flag });
}

/** Noted with the claim. A claim that could not be noted counts as one without a conversation: then the worker needs its token. */
export const noteSession = (root: string, session: string, claims: readonly NotedClaim[]): void =>
  tryOr(undefined, () => {
    for (const { id, epoch } of claims) writeNote(root, ["claim", id], { epoch, session: hashed(session) });
    sweep(root);
  });

/** Which subagent of that conversation claimed it, if its host tells them apart. */
export const noteSubagent = (root: string, agent: string, claims: readonly NotedClaim[]): void =>
  tryOr(undefined, () => {
    for (const claim of claims) {
      const { session } = readNote(root, ["claim", claim.id]);
      writeNote(root, ["claim", claim.id], { epoch: claim.epoch, session, agent: hashed(agent) });
    }
  });

/** Which conversation serves the roles of a planning run. */
export const noteRunSession = (root: string, session: string, run: string): void =>
  tryOr(undefined, () => writeNote(root, ["run", run], { session: hashed(session) }));

const readNote = (root: string, name: readonly unknown[]): Partial<Record<string, unknown>> =>
  JSON.parse(readPlainFile(fileOf(root, name))) as Partial<Record<string, unknown>>;

export const isRunOfSession = (root: string, session: string, run: string): boolean =>
  tryOr(false, () => readNote(root, ["run", run])["session"] === hashed(session));

/** The hash of the conversation; null if none was noted, or for an earlier claim. */
export const sessionOfClaim = (root: string, claim: NotedClaim): string | null => notedOf(root, claim, "session");

/** The hash of the subagent; null if the conversation itself claimed it, or nobody can tell. */
export const subagentOfClaim = (root: string, claim: NotedClaim): string | null => notedOf(root, claim, "agent");

const notedOf = (root: string, { id, epoch }: NotedClaim, name: "session" | "agent"): string | null =>
  tryOr(null, () => {
    const { epoch: noted, [name]: hash } = readNote(root, ["claim", id]);
    return noted === epoch && typeof hash === "string" ? hash : null;
  });

/**
 * Two windows of one agent are the same actor: what one has claimed is not the other's, nor that of a command without a
 * conversation. Without notes they cannot be told apart.
 */
export function isOfOther(root: string, conversation: string | undefined, claim: NotedClaim): boolean {
  const noted = sessionOfClaim(root, claim);
  return noted !== null && (conversation === undefined || noted !== hashed(conversation));
}

/** The conversation itself shows that a claim is its own: it may have lost the token when it was compacted, or goes on in a new process. */
export const isOfSame = (root: string, conversation: string | undefined, claim: NotedClaim): boolean =>
  conversation !== undefined && sessionOfClaim(root, claim) === hashed(conversation);

/** True once for each conversation and subject. False too where nothing can be kept, so that nothing is repeated for ever. */
export const isFirstTime = (root: string, session: string, subject: string): boolean =>
  tryOr(false, () => {
    writeNote(root, ["told", session, subject], "", "wx");
    return true;
  });

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
