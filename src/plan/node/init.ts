// The first operation of a plan: its mission, the inbox where ideas wait, and a feature for bugs. Where there is a plan
// already, nothing changes, also when two processes start one at the same moment.

import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, messageOf } from "../../base/errors.js";
import { seeMainBranch } from "../../machine/git/main-branch.js";
import { shortName } from "../../machine/git/refs.js";
import { type NodeInput, titleProblem } from "../../model/node/content.js";
import { MISSION } from "../../model/node/ids.js";
import { BUGS } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Writer } from "../../store/store.js";
import { act, type Context } from "../base/context.js";
import { mainRefOf, noteMainBranch } from "../repository/main-branch.js";
import { type Addition, decideAdditions, INBOX } from "./add.js";

export interface InitInput {
  /** Where the store is. */
  readonly store: string;
  /** The folder's name, unless given. */
  readonly mission?: string;
  readonly initiative?: string;
  readonly features?: readonly string[];
}

export interface Initiated {
  readonly root: string;
  readonly store: string;
  /** False: the plan existed already. */
  readonly created: boolean;
  readonly op: number | null;
  readonly added: readonly string[];
  /** The branch that work lands on, if there is a repository that says so. */
  readonly mainBranch: string | null;
}

export async function init(context: Context, input: InitInput): Promise<Result<Initiated>> {
  const { root } = context;
  const prepared = await setUpFolder(root, dirname(input.store));
  if (!prepared.ok) return prepared;
  const committed = await act(context, "init", async (writer, at) => {
    const additions = await missing(writer, { mission: nameOf(root), ...input });
    if (additions.length === 0) return ok({ sentence: "the plan existed already", changes: [], value: [] });
    const decided = await decideAdditions(writer, context.actor, at, additions);
    if (!decided.ok) return decided;
    const { changes, value } = decided.value;
    return ok({ sentence: `started the plan of ${root}`, changes, value: value.added });
  });
  if (!committed.ok) return committed;
  const { op, value: added } = committed.value;
  const main = await mainRefOf(context);
  const mainBranch = main === null ? null : shortName(main);
  return ok({ root, store: input.store, created: added.includes(MISSION), op, added, mainBranch });
}

/** What the folder of a plan holds beside the plan. */
export async function setUpFolder(root: string, folder: string): Promise<Result<void>> {
  const ignored = keepOutOfGit(folder);
  if (ignored.ok) noteMainBranch(folder, await seeMainBranch(root));
  return ignored;
}

/** A folder may have a name that no title can have. */
function nameOf(root: string): string {
  const name = basename(root);
  return titleProblem(name) === undefined ? name : "The mission";
}

/** A plan that has a mission only gets what every plan needs. */
async function missing(writer: Writer, { mission, initiative, features = [] }: InitInput): Promise<Addition[]> {
  const [first] = await writer.children(null);
  const additions: Addition[] = [];
  const want = (input: NodeInput, inbox = false): unknown =>
    additions.push({ input, where: input.id ?? input.title, inbox });
  if (!first) want({ id: MISSION, tier: "mission", title: mission as string });
  const parent = first?.id ?? MISSION;
  if (!(await writer.byId(INBOX))) {
    want({ id: INBOX, tier: "feature", title: "Inbox: ideas to decide on later", parent }, true);
  }
  if (!(await writer.byId(BUGS))) want({ id: BUGS, tier: "feature", title: "Bugs", parent });
  if (first) return additions;
  const above = initiative === undefined ? MISSION : "INIT-001";
  if (initiative !== undefined) want({ id: above, tier: "initiative", title: initiative, parent: MISSION });
  for (const title of features) want({ tier: "feature", title, parent: above });
  return additions;
}

/** The plan is shared through the store, not through commits. */
function keepOutOfGit(folder: string): Result<void> {
  const file = join(folder, ".gitignore");
  try {
    writeFileSync(file, "*\n", { flag: "wx" });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") {
      return refused(
        "no-write",
        `${file} cannot be written: ${messageOf(error)}. Free some space or get write permission, then try again.`,
      );
    }
  }
  return ok(undefined);
}
