import { gitOutput, splitList } from "../../machine/git/git.js";
import { commitTree, contains, mergeTrees, missingFrom, startOfRow, treeOf } from "../../machine/git/merge.js";
import { moveRefs } from "../../machine/git/refs.js";
import { type Attempt, isLanding } from "../../model/attempt/attempt.js";
import type { NodeInput } from "../../model/node/content.js";
import { add } from "../../plan/node/add.js";
import { requireMainBranch } from "../../plan/repository/main-branch.js";
import type { Reader } from "../../store/store.js";
import { quoteForShell } from "../kit/spell.js";
import {
  absent,
  type Context,
  fields,
  type Node,
  node,
  ok,
  planVerb,
  type Result,
  refused,
  resolve,
  step,
} from "../kit/verb.js";
import { plural } from "../kit/wording.js";

export const input = fields({ reference: node("the feature that landed", "FEATURE") });

export const verb = planVerb({
  command: { words: "revert", group: "work", positional: ["reference"] },
  summary: "Prepare a task that takes a landed feature's code back",
  description:
    "Adds a feature with one task. The task has the revert prepared, as a command that applies it, and a check that every file is as it was before. Approve it, run it and land it like any other work. If later work changed the same files, the task says which, and has to be done by hand. Nothing changes on the main branch until you land it.",
  who: "person",
  effect: "runs",
  input,
  examples: [{ input: { reference: "FEAT-001" }, does: "prepares a task that reverts what it brought" }],
  run: (session, { reference }) => prepareRevert(session, reference),
  text: ({ reverts, commit, feature, task, files }, style) =>
    `${style.green("✓")} ${style.bold(task)} in ${feature} reverts ${reverts} (${commit.slice(0, 10)}): ${plural(files.length, "file")}`,
  note: ({ conflicts }) =>
    conflicts.length === 0
      ? "The revert is prepared. Approve it, run it, and land it:"
      : `Later work changed ${conflicts.join(", ")} as well, so the task has to be done by hand or by an agent:`,
  next: ({ feature }) => [
    step("approve", { references: [feature] }),
    step("run", { within: feature }),
    step("land", { reference: feature }),
  ],
});

export async function prepareRevert(context: Context, reference: string) {
  const { root } = context;
  const main = await requireMainBranch(context);
  if (!main.ok) return main;
  const found = await context.store.read((reader) => landedFeature(reader, reference, context));
  if (!found.ok) return found;
  const { feature, landing, id } = found.value;
  const { commit } = landing;
  if (!(await contains(root, main.value.commit, commit))) {
    const message = `${main.value.name} does not contain ${commit.slice(0, 10)}, which landed ${feature.id}. There is nothing to revert.`;
    return refused("not-on-main", message, { details: { commit } });
  }
  const before = landing.base ?? (await startOfRow(root, commit, landing.tasks));
  if (landing.commits.length > (await missingFrom(root, before, landing.commits)).length) return byHand(feature);
  const files = await filesBetween(root, commit, before);
  const inverse = await commitTree(root, await treeOf(root, before), [commit], `Revert ${feature.id}`);
  const merge = await mergeTrees(root, main.value.commit, inverse);
  const conflicts = "conflicts" in merge ? merge.conflicts : [];
  const prepared =
    "tree" in merge ? await commitTree(root, merge.tree, [main.value.commit], `Revert ${feature.id}`) : null;
  if (prepared !== null && (await treeOf(root, prepared)) === (await treeOf(root, main.value.commit))) {
    return refused("nothing-to-revert", `Nothing that ${feature.id} changed is left on ${main.value.name}.`);
  }
  const task = `${id}-TASK`;
  // A ref keeps the prepared revert from git's garbage collection.
  const kept = await moveRefs(root, [{ ref: `refs/planwright/revert/${task}`, to: prepared ?? inverse }]);
  if (!kept.ok) throw new Error(`the revert could not be kept: ${kept.problem}`);
  const work = { commit, before, main: main.value.commit, prepared, files, conflicts };
  const added = await add(context, [
    { input: featureOf(id, feature), where: id, isNew: true },
    { input: taskOf(task, id, feature, work), where: task, isNew: true },
  ]);
  if (!added.ok) return added;
  return ok({ reverts: feature.id, commit, feature: id, task, files, conflicts, op: added.value.op });
}

/** Finds the latest landing, even if it was undone: undo changes the plan, and the code is still there. */
async function landedFeature(reader: Reader, reference: string, context: Context) {
  const node = await resolve(reader, reference, context);
  if (!node.ok) return node;
  const nr = node.value.tier === "feature" ? node.value.nr : node.value.feature;
  const feature = nr === null ? undefined : await reader.node(nr);
  if (!feature) return absent("not-landed", `${node.value.id} is in no feature, and only features land.`);
  const lands = (await reader.children(feature.nr)).filter(({ kind }) => kind === "land");
  const landing = (await landingOf(reader, lands)) ?? (await landingElsewhere(reader, feature, lands));
  if (landing === null) return byHand(feature);
  for (let number = 1; ; number++) {
    const id = `REVERT-${feature.id}${number === 1 ? "" : `-${number}`}`;
    if (!(await reader.byId(id))) return ok({ feature, landing, id });
  }
}

interface FoundLanding {
  readonly commit: string;
  /** What main was before; null where it has to be looked up. */
  readonly base: string | null;
  readonly tasks: ReadonlySet<string>;
  /** What it must have brought. */
  readonly commits: readonly string[];
}

async function landingOf(reader: Reader, lands: readonly Node[]): Promise<FoundLanding | null> {
  const attempts: Attempt[] = [];
  for (const land of lands) {
    attempts.push(...(await reader.items("attempt", { owner: String(land.nr) })).map(({ fields }) => fields));
  }
  const landing = attempts.findLast((each) => isLanding(each) && each.state === "accepted" && each.merged !== null);
  if (landing?.merged == null) return null;
  return { commit: landing.merged, base: landing.base, tasks: new Set(), commits: [] };
}

/** Merged by hand or on a server: the proof of the land task keeps the commit. */
async function landingElsewhere(reader: Reader, feature: Node, lands: readonly Node[]): Promise<FoundLanding | null> {
  const commit = lands.findLast(({ report }) => report?.commit)?.report?.commit ?? null;
  if (commit === null) return null;
  const below = await reader.descendants(feature.nr);
  const tasks = new Set(below.map(({ id }) => id));
  return {
    commit,
    base: null,
    tasks,
    commits: below.flatMap(({ kind, report }) => (kind !== "land" && report?.commit) || []),
  };
}

function byHand({ id }: Node): Result<never> {
  const message = `${id} was not landed by this program, so its commits are not known. Revert them by hand, in a task of their own.`;
  return absent("not-landed", message, { next: [step("status", { reference: id })] });
}

async function filesBetween(root: string, from: string, to: string): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to, "--"];
  return splitList(await gitOutput(root, args, "git cannot compare two commits"));
}

const MAX_TITLE_CHARACTERS = 400;

const featureOf = (id: string, { id: reverted, title }: Node): NodeInput => ({
  id,
  tier: "feature",
  title: `Revert ${reverted}: ${title}`.slice(0, MAX_TITLE_CHARACTERS),
});

interface PreparedWork extends Readonly<Record<"commit" | "before" | "main", string>> {
  /** Null if it conflicts with later work. */
  readonly prepared: string | null;
  readonly files: readonly string[];
  readonly conflicts: readonly string[];
}

/** More would not fit on a command line. */
const MAX_FILES_NAMED = 500;

function taskOf(id: string, parent: string, { id: reverted }: Node, work: PreparedWork): NodeInput {
  const { commit, before, main, prepared, files, conflicts } = work;
  const intro = `Take back what ${commit.slice(0, 12)} brought to the main branch for ${reverted}.`;
  const named = files.slice(0, MAX_FILES_NAMED).map(quoteForShell).join(" ");
  const footprint = files.length <= MAX_FILES_NAMED ? { files } : {};
  const common = { id, tier: "task", parent, title: `Revert ${reverted}`, ...footprint } as const;
  if (prepared === null) {
    const hint = `\`git diff --binary ${commit} ${before}\` shows the change that takes it back.`;
    const body = `${intro} Later work changed ${conflicts.join(", ")} as well, so it has to be done by hand.\n\n${hint}`;
    return { ...common, body };
  }
  const run = `git diff --binary ${main} ${prepared} -- | git apply --whitespace=nowarn`;
  return {
    ...common,
    body: `${intro} The revert is prepared: this applies it.\n\n\`\`\`sh run\n${run}\n\`\`\``,
    checks: [{ run: `git diff --exit-code --stat ${prepared} -- ${named}` }],
  };
}
