// What a worker gets with a claim: the task, where to work and from which commit, how it is handed in, and where to find the
// rest. It is kept short, because agents read it for every task.

import { matchesGlob } from "../../model/conflict/glob.js";
import type { ClaimedCheckout } from "../../model/item/claim-notes.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import { MERGE_MAIN } from "../../model/node/profile.js";
import { listWords } from "../../model/words.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";
import { isoTime, type NodeView } from "../node/view.js";
import { activeRecords } from "../record/save-record.js";
import { claimsHere } from "./claims-here.js";

/** What a worker needs of a task. What is empty is left out, and so is the kind of work. */
export type AssignedTask = Pick<NodeView, "id" | "title" | "parent" | "attempts"> & {
  readonly [K in "kind" | "body" | "files" | "symbols" | "checks" | "dependsOn" | "profile"]?: NonNullable<NodeView[K]>;
};

export interface Assignment {
  readonly task: AssignedTask;
  readonly token: string;
  readonly epoch: number;
  readonly leaseUntil: string;
  /** Where to work. Null without git: then it is the folder of the plan. */
  readonly directory: string | null;
  /** The commit that is checked out there. */
  readonly base: string | null;
  /** Finished dependencies whose work is not in the directory, the branch that holds it, and where that is checked out. */
  readonly lacks?: {
    readonly tasks: readonly string[];
    readonly branch: string;
    readonly directory: string | null;
  };
  /** Files of the footprint that were changed here before this claim: completing leaves them alone unless you include them. */
  readonly begunBefore?: readonly string[];
  /** How it is handed in, in one or two sentences. */
  readonly handIn: string;
  /** Decisions, constraints and other records in force. */
  readonly records?: readonly string[];
  /** Other tasks that you have claimed and not handed in. */
  readonly alsoYours?: readonly string[];
  /** It was not claimed now: this conversation held it. */
  readonly yoursAlready?: true;
  /** Prints everything that is known about the task. */
  readonly context: NextStep;
}

/** A claim that was written, and what has still to be looked up outside of the transaction. */
export interface Drafted extends Omit<Assignment, "directory" | "base" | "handIn"> {
  readonly nr: Nr;
  readonly branch: string | null;
  /** Finished dependencies, with the commit of their work. */
  readonly needs: readonly { readonly id: string; readonly commit: string }[];
}

/** Other tasks of a checkout that are named. */
const MAX_OTHERS = 3;

/** Titles that are listed; the bundle has all of them in full. */
const MAX_RECORD_TITLES = 5;

export async function draftAssignment(
  reader: Reader,
  node: Node,
  claim: { readonly token: string; readonly until: number },
  alsoYours: readonly string[],
): Promise<Drafted> {
  const links = node.dependsOn.length === 0 ? [] : await reader.dependencies(node);
  const records = await activeRecords(reader, node.feature);
  const titles = records.slice(0, MAX_RECORD_TITLES).map(({ key, fields }) => `${key}: ${fields.title}`);
  const more = records.length - titles.length;
  return {
    nr: node.nr,
    task: {
      id: node.id,
      title: node.title,
      parent: node.parent === null ? null : ((await reader.idOf(node.parent)) ?? null),
      ...(node.kind === null || node.kind === "work" ? {} : { kind: node.kind }),
      ...(node.body === "" ? {} : { body: node.body }),
      ...(node.files.length === 0 ? {} : { files: node.files }),
      ...(node.symbols.length === 0 ? {} : { symbols: node.symbols }),
      ...(node.checks.length === 0 ? {} : { checks: node.checks }),
      ...(links.length === 0 ? {} : { dependsOn: links.map(({ target }) => target.id) }),
      ...(node.profile === null ? {} : { profile: node.profile }),
      attempts: node.attempts,
    },
    token: claim.token,
    epoch: node.epoch,
    leaseUntil: isoTime(claim.until),
    ...(titles.length === 0 ? {} : { records: more > 0 ? [...titles, `and ${more} more`] : titles }),
    ...(alsoYours.length === 0 ? {} : { alsoYours }),
    context: step("bundle.create", { references: [node.id], text: true }),
    branch: node.feature === null ? null : ((await reader.idOf(node.feature)) ?? null),
    // What other features did has landed: only the feature's own work may be missing in a checkout.
    needs: links.flatMap(({ target: { id, feature, report, outcome } }) =>
      feature === node.feature && outcome?.kind === "done" && report?.commit ? [{ id, commit: report.commit }] : [],
    ),
  };
}

/** In a repository, every finished task has a commit on the branch of its feature. Said with the claim and by `complete`. */
export const needsFeature = ({ id }: Pick<Node, "id">): string =>
  `${id} is in no feature, so there is no branch for its work. Move it into a feature.`;

/** Looks at the checkout: git is asked only for a task that builds on the work of others. */
export async function toAssignment(
  context: Context,
  { nr, branch: feature, needs, ...drafted }: Drafted,
  checkout: ClaimedCheckout | null,
): Promise<Assignment> {
  if (checkout === null) {
    const handIn = "Completing it runs its checks in your folder. Nothing is committed.";
    return { ...drafted, directory: null, base: null, handIn };
  }
  const at = { directory: checkout.path, base: checkout.head.slice(0, 12) };
  if (feature === null) {
    return { ...drafted, ...at, handIn: `${needsFeature(drafted.task)} Until then it cannot be completed.` };
  }
  const { featureBranch, shortName } = await import("../../machine/git/refs.js");
  const branch = shortName(featureBranch(feature));
  const missing = needs.length === 0 ? [] : await missingIn(context.root, checkout.head, needs);
  const [elsewhere = null] = missing.length === 0 ? [] : await foldersWith(context.root, featureBranch(feature));
  const [place, orElse] = elsewhere === null ? ["", ""] : [`, which is checked out in ${elsewhere}`, "work there, or "];
  const lacks =
    missing.length === 0
      ? ""
      : ` This checkout lacks the work of ${missing.join(", ")}. It is on ${branch}${place}: ${orElse}merge it here before you begin.`;
  const merges =
    drafted.task.profile === MERGE_MAIN
      ? " This checkout does not begin with the merge of main: release the task and open it in a worktree of its own (work), which does."
      : "";
  const others = await context.store.read((reader) => claimsHere(reader, { nr }, checkout.path, context.now()));
  const beside =
    others.length === 0
      ? ""
      : ` ${listWords(
          others.map(({ id }) => id),
          MAX_OTHERS,
        )} ${others.length === 1 ? "is" : "are"} worked on in this checkout, too: files that are not this task's are left alone. If nothing shows whose a file is, name the files of this task when you complete it (only). For a folder of its own, release this task and open it with work.`;
  const begunBefore = await dirtyOf(drafted.task.files ?? [], checkout);
  const begun =
    begunBefore.length === 0
      ? ""
      : ` ${begunBefore.join(", ")} had changes before: include ${begunBefore.length === 1 ? "it" : "them"} when you complete the task if they belong to it.`;
  return {
    ...drafted,
    ...(begunBefore.length === 0 ? {} : { begunBefore }),
    ...(missing.length === 0 ? {} : { lacks: { tasks: missing, branch, directory: elsewhere } }),
    ...at,
    handIn: `Completing it commits what you changed here since now onto ${branch} and runs its checks. Your branch and index stay as they are.${lacks}${begun}${merges}${beside}`,
  };
}

/** Files of the footprint that were not as committed when the task was claimed. */
async function dirtyOf(files: readonly string[], checkout: ClaimedCheckout): Promise<string[]> {
  if (checkout.tree === null || files.length === 0) return [];
  const { changedBefore } = await import("../../machine/git/checkouts/checkout-changes.js");
  const changed = await changedBefore(checkout.path, checkout);
  return changed.filter((path) => files.some((pattern) => matchesGlob(pattern, path)));
}

const foldersWith = async (root: string, branch: string): Promise<readonly string[]> =>
  (await import("../../machine/git/checkouts/checkout.js")).checkoutsOf(root, branch);

async function missingIn(root: string, head: string, needs: Drafted["needs"]): Promise<string[]> {
  const { contains } = await import("../../machine/git/merge.js");
  const missing: string[] = [];
  for (const { id, commit } of needs) if (!(await contains(root, head, commit))) missing.push(id);
  return missing;
}
