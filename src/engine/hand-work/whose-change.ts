// What in a checkout belongs to a task. Other conversations work there, people write notes there, and commits come in. What cannot be
// told apart is not taken: the worker is asked to name its files.

import type { Since } from "../../machine/git/checkouts/checkout-changes.js";
import { sortCommits, type UnclearCommit } from "../../machine/git/checkouts/commits-since.js";
import { readRef } from "../../machine/git/refs.js";
import { matchesGlob } from "../../model/conflict/glob.js";
import type { ClaimedCheckout } from "../../model/item/claim-notes.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { listWords } from "../../model/words.js";
import { claimsHere } from "../../plan/claim/claims-here.js";
import { sessionOfClaim, subagentOfClaim } from "../../plan/claim/session-notes.js";
import { mainCommitOf } from "../../plan/repository/main-branch.js";
import { featureBranchOf } from "../attempt/feature-branch.js";
import type { EngineServices } from "../services.js";

/** What the worker says of its files. */
export interface Chosen {
  /** Files that were changed before the claim, or that others seem to have changed, and belong to the task. */
  readonly include?: readonly string[] | undefined;
  /** Nothing but these belongs to the task. */
  readonly only?: readonly string[] | undefined;
}

type Asked = Chosen & { readonly node: Node };

/** Files and commits that are named in a message; the details have all. */
const NAMED = 5;

const SHORT = 10;

const matches = (patterns: readonly string[], file: string): boolean =>
  patterns.some((pattern) => pattern === file || matchesGlob(pattern, file));

interface Place {
  readonly path: string;
  readonly from: ClaimedCheckout;
  readonly others: readonly string[];
}

/** Adds the commits that are not the task's, and the files in them that are left out. Refuses where that is unclear. */
export async function foreignTo<From extends Place>(services: EngineServices, place: From, asked: Asked) {
  const { node } = asked;
  const { context } = services;
  const branch = await featureBranchOf(services, node);
  const feature = (await readRef(context.root, branch)) === null ? [] : [branch];
  const known = { from: place.from, others: [...feature, ...place.others], main: await mainCommitOf(context) };
  const { foreign, unclear } = await sortCommits(place.path, known);
  const notOwn = unclear.filter((commit) => !isOwn(commit, asked));
  const isClear = asked.only !== undefined || node.files.length > 0 || node.kind === "review";
  if (!isClear && notOwn.length > 0) return unclearCommits(node, notOwn);
  const leftOut = [...new Set(notOwn.flatMap(({ files }) => files))];
  return ok({ ...place, foreign: [...foreign, ...notOwn.map(({ commit }) => commit)], leftOut });
}

/** By its files: those that the task names, or its worker. */
function isOwn({ files }: UnclearCommit, { node, include = [], only }: Asked): boolean {
  const own = only ?? node.files;
  return (
    files.some((file) => matches(own, file)) || (files.length > 0 && files.every((file) => matches(include, file)))
  );
}

function unclearCommits({ id }: Node, commits: readonly UnclearCommit[]): Result<never> {
  const names = commits.map(({ commit, subject }) => `${commit.slice(0, SHORT)} (${subject})`);
  const files = [...new Set(commits.flatMap((each) => each.files))];
  const [came, they] = commits.length === 1 ? ["A commit", "it is"] : [`${commits.length} commits`, "they are"];
  const message = `${came} came into this checkout since you claimed ${id}, and nothing shows whether ${they} yours: ${listWords(names, NAMED)}. Include ${listWords(files, NAMED)} if so. Otherwise hand in only the files of your task. You keep your claim.`;
  const reference = id;
  const next = [step("complete", { reference }, "only"), step("complete", { reference, include: files })];
  return refused("unclear-commits", message, { details: { commits, files }, next });
}

export interface Shares extends Required<Pick<Since, "include" | "isOfOthers">> {
  /** Tasks of others in this checkout whose files nothing tells from those of this task. */
  readonly mixedWith: readonly Node[];
}

/** Several claims may stand in one checkout. */
export async function sharesOf({ context }: EngineServices, path: string, { node, include = [], only }: Asked) {
  if (only !== undefined) {
    const isOfOthers = (file: string): boolean => !matches(only, file);
    return { include: [...include, ...only], isOfOthers, mixedWith: [] };
  }
  const others = await context.store.read((reader) => claimsHere(reader, node, path, context.now()));
  const strangers = others.filter((other) => isOfStranger(context.root, node, other));
  const theirs = others.flatMap(({ files }) => files);
  const hasFiles = node.files.length > 0;
  const isOfOthers = (file: string): boolean =>
    hasFiles && strangers.length > 0 ? !matches(node.files, file) : matches(theirs, file) && !matches(node.files, file);
  return { include, isOfOthers, mixedWith: hasFiles ? [] : strangers.filter(({ files }) => files.length === 0) };
}

/** Of another actor, conversation or subagent: one worker knows which of its tasks a file is for. */
function isOfStranger(root: string, own: Node, other: Node): boolean {
  if (own.claim?.by !== other.claim?.by) return true;
  return [sessionOfClaim, subagentOfClaim].some((noted) => noted(root, own) !== noted(root, other));
}

/** Null if it is clear whose these files are. */
export function mixedProblem(
  { id }: Node,
  { mixedWith, include }: Shares,
  files: readonly string[],
): Result<never> | null {
  const unclear = files.filter((file) => !include.includes(file));
  if (mixedWith.length === 0 || unclear.length === 0) return null;
  const ids = mixedWith.map((other) => other.id);
  const [are, name] = ids.length === 1 ? ["is", "names"] : ["are", "name"];
  const message = `${listWords(ids, NAMED)} ${are} worked on in this checkout, too, and ${name} no files, so nothing shows whose ${listWords(unclear, NAMED)} ${unclear.length === 1 ? "is" : "are"}. Hand in only the files of your task. You keep your claim.`;
  return refused("unclear-files", message, {
    details: { tasks: ids, files: unclear },
    next: [step("complete", { reference: id }, "only")],
  });
}
