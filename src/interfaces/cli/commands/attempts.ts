import { attempts as listAttempts, showAttempt } from "../../../actions/attempt/list-attempts.js";
import { ok, type Result, usage } from "../../../app/vocabulary.js";
import type { Answer, App, Command, Input } from "../command.js";
import { optional } from "../input.js";
import { noteOnAttempt, renderAttempt, renderAttemptLine, renderKept } from "../render-attempt.js";
import { harmless } from "../style.js";

export const attempts: Command = {
  name: "attempts",
  group: "looking",
  summary: "Show what workers tried, and bring unmerged work back",
  description:
    "Without a word: what goes on now and the last that ended; with a task, all attempts of it. `show` has everything about one: its states, checks with their output, cost, and the end of its transcript; --diff shows what it changed. What an attempt did without being merged is kept under refs/planwright/kept: `restore` makes a branch of it, `expire` lets go what is older than execution.keepDays (never what a person may still accept), and --kept says until when each is kept.",
  arguments: [
    { name: "show|restore|expire|TASK", help: "what to do, or whose attempts to list", optional: true },
    { name: "ID", help: "with show and restore: such as ATT-00001", optional: true },
  ],
  flags: {
    all: { type: "boolean", help: "also what ended a while ago" },
    kept: { type: "boolean", help: "what is kept without being merged, what goes first at the top" },
    diff: { type: "boolean", help: "with show: what it changed, as git shows it" },
    to: { type: "string", value: "BRANCH", help: "with restore: the name of the branch" },
    "dry-run": { type: "boolean", help: "with expire: only say what would go" },
  },
  examples: [
    { run: "planwright attempts", does: "what goes on now, and how the last ones ended" },
    {
      run: "planwright attempts show ATT-00001 --diff",
      does: "one attempt with everything that is known, and its changes",
    },
    { run: "planwright attempts restore ATT-00001 --to rescue", does: "makes the branch rescue of what it left" },
    { run: "planwright attempts expire --dry-run", does: "says which kept work has had its time" },
  ],
  run: async (input, app) => {
    const [first, id] = input.args;
    if (first !== undefined && Object.hasOwn(DEEDS, first)) return (DEEDS[first] as Deed)(id, input, app);
    if (id !== undefined) {
      return usage("usage", `planwright attempts can show, restore and expire, not "${(first ?? "").slice(0, 60)}".`, {
        hint: HINT,
      });
    }
    return input.has("kept") ? listKept(app) : list(first, input, app);
  },
};

const HINT = "`planwright attempts --help` shows how.";

type Deed = (id: string | undefined, input: Input, app: App) => Promise<Result<Answer>>;

const needsId = (deed: string): Result<never> =>
  usage("usage", `planwright attempts ${deed} needs an ID such as ATT-00001.`, {
    hint: "`planwright attempts --all` lists them.",
  });

const DEEDS: Readonly<Record<string, Deed>> = {
  show: async (id, input, app) => {
    if (id === undefined) return needsId("show");
    const context = await app.open();
    const shown = await showAttempt(context, id);
    if (!shown.ok || !input.has("diff")) return shown.ok ? ok(shownAnswer(shown.value)) : shown;
    // Git is loaded when it is asked.
    const { attemptDiff } = await import("../../../actions/attempt/attempt-diff.js");
    const changed = await attemptDiff(context, id);
    if (!changed.ok) return changed;
    return ok({ data: { ...shown.value, diff: changed.value }, text: () => harmless(changed.value.diff).trimEnd() });
  },

  restore: async (id, input, app) => {
    if (id === undefined) return needsId("restore");
    const { restoreAttempt } = await import("../../../actions/attempt/restore-attempt.js");
    const restored = await restoreAttempt(await app.open(), { id, ...optional("to", input.text("to")) });
    if (!restored.ok) return restored;
    const { branch, commit } = restored.value;
    return ok({
      data: restored.value,
      text: (style) =>
        `${style.green("✓")} ${style.bold(branch)} is ${commit.slice(0, 10)}, what ${restored.value.id} left`,
      note: () => `git switch ${branch}   takes you there; what is kept stays kept until its time is over.`,
    });
  },

  expire: async (_, input, app) => {
    const days = await keepDays(app);
    if (!days.ok) return days;
    const { expireKept } = await import("../../../actions/attempt/expire-kept.js");
    const dryRun = input.has("dry-run");
    const expired = await expireKept(await app.open(), { keepDays: days.value, dryRun });
    if (!expired.ok) return expired;
    const { gone, soon } = expired.value;
    const deed = dryRun ? "would go" : "went";
    return ok({
      data: expired.value,
      text: () => (gone.length === 0 ? "Nothing that is kept has had its time." : `${gone.join(", ")} ${deed}.`),
      note: () => soon.map(({ id, until }) => `${id} goes on ${until.slice(0, 10)}.`).join("\n"),
    });
  },
};

const shownAnswer = (view: Parameters<typeof renderAttempt>[0]): Answer => ({
  data: view,
  text: (style) => renderAttempt(view, style),
  note: () => noteOnAttempt(view),
});

async function list(task: string | undefined, input: Input, app: App): Promise<Result<Answer>> {
  const found = await listAttempts(await app.open(), { ...optional("task", task), all: input.has("all") });
  if (!found.ok) return found;
  const [first] = found.value;
  return ok({
    data: found.value,
    text: (style) =>
      found.value.length === 0
        ? style.dim("Nothing was tried yet.")
        : found.value.map((line) => renderAttemptLine(line, style)).join("\n"),
    note: () => (first ? `planwright attempts show ${first.id}   has the whole of it` : ""),
  });
}

async function listKept(app: App): Promise<Result<Answer>> {
  const days = await keepDays(app);
  if (!days.ok) return days;
  const { keptWork } = await import("../../../actions/attempt/expire-kept.js");
  const kept = await keptWork(await app.open(), days.value);
  if (!kept.ok) return kept;
  const [first] = kept.value;
  return ok({
    data: kept.value,
    text: (style) =>
      kept.value.length === 0
        ? style.dim("No unmerged work is kept.")
        : kept.value.map((each) => renderKept(each, style)).join("\n"),
    note: () => (first ? `planwright attempts restore ${first.id}   brings it back as a branch` : ""),
  });
}

async function keepDays(app: App): Promise<Result<number>> {
  const workshop = (await app.engines()).workshop();
  return workshop.ok ? ok(workshop.value.keepDays) : workshop;
}
