// Whether a branch or a kept ref was moved by one of us. Whoever moves one writes that down before, or leaves a commit that
// can be proven, so it is looked up and never taken on trust; what this very program did it knows.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { readPlainFile } from "../../base/plain-file.js";
import { git, problemOf, succeeded } from "../../machine/git/git.js";
import { LOG_HEAD, logHeadAt } from "../../machine/git/log-head.js";
import { contains, mergeTrees, treeOf } from "../../machine/git/merge.js";
import { acceptedRef, attemptBranch, featureBranch, keptRef, readRef, wasMovedHere } from "../../machine/git/refs.js";
import { type Attempt, hasEnded, isLanding } from "../../model/attempt/attempt.js";
import { mainRefOf } from "../../plan/repository/main-branch.js";
import type { Reader } from "../../store/store.js";
import type { EngineServices } from "../services.js";
import type { RefMove } from "./outside.js";

type MoveServices = Pick<EngineServices, "context" | "policy">;

const DAY_MS = 86_400_000;

/** How long another process of ours may take between the removal of a branch and the end of the attempt. */
const LOOKS = 6;
const BETWEEN_LOOKS_MS = 200;

const OF_ATTEMPT = /^refs\/(?:planwright\/(?=kept|landing|stray)|heads\/planwright\/(?=attempt))(\w+)\/([^/]+)/;

export async function movedByUs(services: MoveServices, move: RefMove): Promise<boolean> {
  if (wasMovedHere(services.context.root, move.ref, move.from, move.to)) return true;
  if (move.ref === LOG_HEAD) return isOurLogHead(services, move);
  const [, kind, key = ""] = OF_ATTEMPT.exec(move.ref) ?? [];
  if (kind === undefined) return isOurBranch(services, move);
  if (kind === "attempt") return isOurRemoval(services, key, move);
  const item = await services.context.store.read((reader) => reader.item("attempt", key));
  if (item === undefined) return false;
  if (kind === "stray") return move.from === null;
  if (kind === "landing") return isLanding(item.fields);
  return move.to !== null || mayLetGo(services, item.fields);
}

/** Another process of ours noted how far the log is: then the log has that link. */
async function isOurLogHead({ context }: MoveServices, { to }: RefMove): Promise<boolean> {
  const noted = to === null ? null : await logHeadAt(context.root, to);
  if (noted === null) return false;
  const stored = await context.store.read((reader) => reader.link(noted.op));
  return stored?.link === noted.link;
}

/** An attempt's branch goes when its work is merged or kept. If there is none, its removal is noted in the plan before. */
async function isOurRemoval({ context }: MoveServices, key: string, { from, to }: RefMove): Promise<boolean> {
  if (from === null || to !== null) return false;
  const { root, store } = context;
  for (let looked = 1; ; looked++) {
    const item = await store.read((reader) => reader.item("attempt", key));
    if (item === undefined) return false;
    if (hasEnded(item.fields.state) || item.fields.merged !== null) return true;
    const kept = await readRef(root, keptRef(key));
    if (kept !== null && (await contains(root, kept, from))) return true;
    if (item.fields.letGo === from) return true;
    if (looked === LOOKS) return false;
    await setTimeout(BETWEEN_LOOKS_MS);
  }
}

/** What a person accepted is merged from there and then needs no keeping; the rest goes when its time is over. */
const mayLetGo = ({ context, policy }: MoveServices, { kept, merged, endedAt }: Attempt): boolean =>
  kept === null || merged !== null || (endedAt !== null && endedAt + policy.keepDays * DAY_MS <= context.now());

async function isOurBranch({ context }: MoveServices, { ref, from, to }: RefMove): Promise<boolean> {
  const { root, store } = context;
  const main = (await mainRefOf(context)) ?? "HEAD";
  const isOnMain = async (commit: string | null): Promise<boolean> =>
    commit !== null && (await contains(root, main, commit));
  // A feature's branch begins on the main branch, follows it while it has nothing of its own, and goes when it has landed.
  if (to === null) return (await isOnMain(from)) || store.read((reader) => hasLanded(reader, ref));
  if ((from === null || (await isOnMain(from))) && (await isOnMain(to))) return true;
  return isKnown(context, to, main);
}

async function isKnown({ root, store }: MoveServices["context"], commit: string, main: string): Promise<boolean> {
  const made = await madeBy(root, commit);
  const attempt = await store.read((reader) => reader.item("attempt", made.attempt));
  // Written down before the branch moves.
  if (attempt !== undefined) return attempt.fields.merged === commit;
  const [first, second, third] = made.parents;
  if (first === undefined || second === undefined || third !== undefined) return false;
  if (!(await contains(root, main, second))) return false;
  // What has landed meanwhile, brought in for a task that needs it: exactly that, and nothing else.
  const merge = await mergeTrees(root, first, second);
  return "tree" in merge && merge.tree === (await treeOf(root, commit));
}

async function madeBy(root: string, commit: string): Promise<{ attempt: string; parents: string[] }> {
  const format = "--format=%P%x00%(trailers:key=Planwright-Attempt,valueonly)";
  const result = await git(root, ["log", "-1", format, "--end-of-options", commit]);
  if (!succeeded(result)) throw new Error(`${commit} could not be looked at: ${problemOf(result)}`);
  const [parents = "", attempt = ""] = result.stdout.trim().split("\0");
  return { attempt: attempt.trim(), parents: parents.split(" ").filter((parent) => parent !== "") };
}

/** Elsewhere, by a squash: then the main branch has not these commits. */
async function hasLanded(reader: Reader, ref: string): Promise<boolean> {
  for await (const node of reader.scan()) {
    if (node.kind !== "land" || node.outcome?.kind !== "done" || node.feature === null) continue;
    const id = await reader.idOf(node.feature);
    if (id !== undefined && [featureBranch(id), acceptedRef(featureBranch(id))].includes(ref)) return true;
  }
  return false;
}

const MARK = "planwright-worker";

/** The committer of whatever a worker commits by itself. Its change set is committed under the user's name. */
export const workerName = (key: string): string => `${MARK} ${key}`;

function linesIn(commonDir: string, name: string) {
  const file = join(commonDir, "logs", name);
  let text = "";
  try {
    if (existsSync(file)) text = readPlainFile(file);
  } catch {
    // Nobody can tell from a log that cannot be read.
  }
  return text.split("\n").flatMap((line) => {
    const [, from = "", to = "", by = "", what = ""] = /^(\w+) (\w+) (.*?) <[^>]*> [^\t]*(?:\t(.*))?$/.exec(line) ?? [];
    return to === "" ? [] : [{ from, to, by, what }];
  });
}

/** Without reflogs nobody can be told from anybody else, and nobody is accused. */
const keepsLogs = (commonDir: string): boolean => existsSync(join(commonDir, "logs", "refs", "heads"));

/** Nobody is to move this ref under that name. The branch of an attempt is its worker's own. */
const isForeign = (by: string, ref: string): boolean =>
  by.startsWith(MARK) && attemptBranch(by.slice(MARK.length + 1)) !== ref;

/** Every step from where the ref was to where it is now stands in its reflog, and none of them under a foreign worker's name. */
export function isPersonsMove(commonDir: string, { ref, from, to }: RefMove): boolean {
  if (!keepsLogs(commonDir)) return true;
  const lines = linesIn(commonDir, ref);
  let at = to;
  for (const line of lines.toReversed()) {
    if (line.to !== at || isForeign(line.by, ref)) return false;
    if (line.from === from) return true;
    at = line.from;
  }
  return false;
}

/** What a worker's git did to the main checkout itself, such as a commit or a reset there. */
export const checkoutMovesBy = (commonDir: string, key: string): string[] =>
  linesIn(commonDir, "HEAD")
    .filter(({ by }) => by === workerName(key))
    .map(({ to, what }) => `The worker moved HEAD of the main checkout to ${to} (${what}).`);
