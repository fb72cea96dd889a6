import { basename, dirname } from "node:path";
import { askGit } from "../../machine/git/ask-git.js";
import { shortName } from "../../machine/git/refs.js";
import { findRepository } from "../../machine/git/repository.js";
import { isPerson } from "../../model/actor.js";
import { type NodeInput, titleProblem } from "../../model/node/content.js";
import { MISSION } from "../../model/node/ids.js";
import { BUGS } from "../../model/node/node.js";
import { derivedUuid } from "../../model/node/uuid5.js";
import { absent, fail, ok, refused } from "../../model/result.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { type Addition, decideAdditions, INBOX } from "../../plan/node/add.js";
import { mainRefOf, setUpFolder } from "../../plan/repository/main-branch.js";
import * as content from "../kit/content.js";
import {
  type Folder,
  fields,
  flag,
  folderVerb,
  type Infer,
  list,
  minute,
  optional,
  type PlanAsker,
  plural,
  type Result,
  spoken,
  step,
  type Terminal,
  type Writer,
} from "../kit/verb.js";

export const input = fields({
  mission: optional(content.title("the goal of the project; the folder's name unless given")),
  initiative: optional(content.title("a first initiative")),
  features: optional(list(content.title("a first feature"), "a first feature", "TITLE")),
  here: optional(flag("start it here although this is the home folder or inside another plan")),
  recovery: optional(flag("make a recovery key and show it once, as at a terminal")),
  fresh: optional(flag("start a new plan although an earlier one was kept here")),
});

export const verb = folderVerb({
  command: { words: "init", group: "plan", daily: 1, short: { y: "yes" }, aliases: ["bootstrap"] },
  summary: "Start a plan here",
  description:
    "It asks before it starts one in your home folder or inside another plan. The plan begins with its mission, an inbox where ideas wait and nothing runs, and a place for bugs, each of which becomes a feature of its own. If a plan was kept here and is gone, it finds the backups and asks whether to restore one; branches of a plan that you give up are set aside. In a git repository it is kept at the top of the main working tree and serves every linked worktree. If there is a plan already, nothing changes.",
  effect: "writes",
  phrases: spoken("bootstrap, set up the plan, set up a plan, setup the plan, init plan, init the plan, new plan"),
  hints: ["setup"],
  input,
  examples: [
    { input: {}, does: "starts a plan" },
    {
      input: { mission: "A faster checkout", features: ["One page", "Saved cards"] },
      does: "starts a plan with two features",
    },
  ],
  run: async (folder, asked) => {
    const { here = false, recovery = false, fresh = false, ...wishes } = asked;
    const { doubt } = folder.workspace();
    if (doubt !== null && !here) {
      return refused(doubt.reason, doubt.message, { next: [step("init", { ...wishes, here: true }), step("status")] });
    }
    const restored = fresh ? ok(null) : await restoreLost(folder);
    if (!restored.ok) return restored;
    const started = await folder.create((context, store) => startPlan(context, store, wishes), { here });
    if (!started.ok) return started;
    const key = recovery && started.value.created ? await makeRecoveryKey(folder) : null;
    return ok({ ...started.value, restored: restored.value, recovery: key });
  },
  inputs: { yes: ["ask nothing"] },
  prepare: async (typed, terminal, app) => {
    const asked = await askWishes(typed, terminal, app);
    const isShown = terminal.interactive && !terminal.json && !app.folder().workspace().exists;
    return asked.ok && isShown ? ok({ ...asked.value, recovery: true }) : asked;
  },
  text: async ({ root, created, added, mainBranch, recovery, restored, setAside }, style) => {
    if (restored !== null) {
      return `${style.green("✓")} Restored the plan in ${style.bold(root)} with its ${plural(restored.operations, "operation")}, from ${restored.file}`;
    }
    if (created) {
      const kept = recovery === null ? [] : (await import("../people/recovery.js")).recoveryLines(recovery);
      const lands = mainBranch === null ? [] : [style.dim(`  Work lands on ${mainBranch}.`)];
      const title = `${style.green("✓")} Started a plan in ${style.bold(root)}`;
      const aside =
        setAside === 0
          ? []
          : [
              style.dim(
                `  Set aside ${plural(setAside, "branch or ref", "branches and refs")} of the earlier plan, below refs/planwright/former.`,
              ),
            ];
      return [title, ...added.map((id) => `  + ${id}`), ...lands, ...aside, ...kept].join("\n");
    }
    const rest = added.length > 0 ? `Added ${added.join(", ")}, which was missing.` : "Nothing was changed.";
    return `There is already a plan in ${style.bold(root)}. ${rest}`;
  },
  note: ({ created, secret }) => {
    const keep = created ? " Keep a copy: without it you cannot approve in this plan." : "";
    return [
      secret && `Made ${secret}: it proves that you, and no agent, approve work.${keep}`,
      created && "Next, plan from a spec or an idea, or add work by hand:",
    ];
  },
  next: ({ created }) =>
    created ? [step("plan.start", {}, "source"), step("add", { tier: "feature" }, "title")] : [step("status")],
});

type Wishes = Omit<Infer<typeof input>, "here" | "recovery" | "fresh">;

/** What to start with: said on the command line, or answered at a terminal. */
async function askWishes(
  { yes, ...input }: Readonly<Record<string, unknown>>,
  { interactive, json }: Terminal,
  app: PlanAsker,
): Promise<Result<Record<string, unknown>>> {
  const { root, exists, doubt } = app.folder().workspace();
  if (doubt !== null && input["here"] !== true) {
    if (yes === true) return ok({ ...input, here: true });
    // The operation refuses it, and says how to go on.
    if (json || !interactive) return ok(input);
    const { askYes } = await import("../terminal/ask.js");
    const isSure = await askYes(`${doubt.message} Start a plan here?`);
    return isSure ? ok({ ...input, here: true }) : absent("canceled", "No plan was started.", { next: [step("init")] });
  }
  const isSaid = yes === true || Object.keys(input).length > 0;
  if (isSaid || json || exists || !interactive || (await app.folder().lost()) !== null) return ok(input);
  const { interview } = await import("../terminal/ask.js");
  const wishes = await interview(root, basename(root));
  return wishes ? ok({ ...wishes }) : absent("canceled", "No plan was started.", { next: [step("init")] });
}

/** Null where no key can sign for one: the plan is made all the same. */
async function makeRecoveryKey(folder: Folder): Promise<string | null> {
  const context = await folder.open();
  if (!isPerson(context.actor)) return null;
  const { addRecoveryKey } = await import("../people/recovery.js");
  const made = await addRecoveryKey(context);
  return made.ok ? made.value.recovery : null;
}

/** A plan that was kept here comes back, if you want that; otherwise nothing is started by accident in its place. */
async function restoreLost(folder: Folder) {
  const lost = await folder.lost();
  if (lost === null) return ok(null);
  const { failure, newest } = lost;
  if (folder.confirm === undefined || newest === undefined) return fail(failure);
  if (!(await folder.confirm(`${failure.message}\nRestore the backup of ${minute(newest.at)}?`))) return fail(failure);
  const restored = await folder.restore(newest.file);
  return restored.ok ? ok({ file: newest.file, operations: restored.value.operations }) : restored;
}

/** The first operation. Where there is a plan already nothing changes, also when two processes start one at the same moment. */
async function startPlan(context: Context, store: string, wishes: Wishes) {
  const { root } = context;
  const prepared = await setUpFolder(root, dirname(store));
  if (!prepared.ok) return prepared;
  const committed = await actWithNumber<{ added: readonly string[] }>(context, "init", async (writer, at) => {
    const additions = await missing(writer, root, wishes);
    if (additions.length === 0) return ok({ sentence: "the plan existed already", changes: [], value: { added: [] } });
    const decided = await decideAdditions(writer, context, at, additions);
    if (!decided.ok) return decided;
    const { changes, value } = decided.value;
    return ok({ sentence: `started the plan of ${root}`, changes, value: { added: value.added } });
  });
  if (!committed.ok) return committed;
  const { op, added } = committed.value;
  const main = await mainRefOf(context);
  // The branch that work lands on, if there is a repository that says so.
  const mainBranch = main === null ? null : shortName(main);
  return ok({ root, store, created: added.includes(MISSION), op, added, mainBranch });
}

/** A folder may have a name that no title can have. */
function nameOf(root: string): string {
  const name = basename(root);
  return titleProblem(name) === undefined ? name : "The mission";
}

/** Clones of a repository have it in common. What every plan has gets the same UUIDs in all of them, so that their plans can be one. */
function firstCommitOf(root: string): string | undefined {
  const gitDir = findRepository(root)?.gitDir;
  const first = gitDir && askGit(gitDir, ["rev-list", "--first-parent", "--max-parents=0", "HEAD"])?.trim();
  return first === "" ? undefined : first;
}

/** A plan that has a mission only gets what every plan needs. */
async function missing(writer: Writer, root: string, { mission = nameOf(root), initiative, features = [] }: Wishes) {
  const [first] = await writer.children(null);
  const additions: Addition[] = [];
  const origin = firstCommitOf(root);
  const want = (input: NodeInput, inbox = false): unknown => {
    const uuid = input.id === undefined || origin === undefined ? {} : { uuid: derivedUuid(input.id, origin) };
    return additions.push({ input: { ...input, ...uuid }, where: input.id ?? input.title, inbox });
  };
  if (!first) want({ id: MISSION, tier: "mission", title: mission });
  const parent = first?.id ?? MISSION;
  if (!(await writer.byId(INBOX))) {
    want({ id: INBOX, tier: "feature", title: "Inbox: ideas to decide on later", parent }, true);
  }
  if (!(await writer.byId(BUGS))) want({ id: BUGS, tier: "initiative", title: "Bugs", parent });
  if (first) return additions;
  const above = initiative === undefined ? MISSION : "INIT-001";
  if (initiative !== undefined) want({ id: above, tier: "initiative", title: initiative, parent: MISSION });
  for (const title of features) want({ tier: "feature", title, parent: above });
  return additions;
}
