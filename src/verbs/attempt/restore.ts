import { git, succeeded } from "../../machine/git/git.js";
import { createRef, keptRef, readRef } from "../../machine/git/refs.js";
import { hasEnded } from "../../model/attempt/attempt.js";
import { absent, ok, type Result, refused, usage } from "../../model/result.js";
import { findItem } from "../../plan/item/find-item.js";
import { type Context, fields, type Infer, type Item, optional, planVerb, step, text } from "../kit/verb.js";
import { attemptId } from "./show.js";

export const input = fields({ id: attemptId, to: optional(text("the name of the branch", "BRANCH")) });

export const verb = planVerb({
  command: {
    words: "restore",
    when: { keys: ["ATT"] },
    group: "work",
    positional: ["id"],
    aliases: ["attempt restore"],
  },
  summary: "Make a branch from work that was not merged",
  description: "The kept work stays kept, and no branch is overwritten.",
  effect: "runs",
  input,
  examples: [{ input: { id: "ATT-00001", to: "rescue" }, does: "makes the branch rescue from its work" }],
  run: restoreAttempt,
  text: ({ id, branch, commit }, style) =>
    `${style.green("✓")} The branch ${style.bold(branch)} has what ${id} left (${commit.slice(0, 10)}).`,
});

/** Programs move these branches. */
const TAKEN = /^planwright\/(feature|attempt)(\/|$)/;

export async function restoreAttempt(context: Context, asked: Infer<typeof input>) {
  const found = await context.store.read((reader) => findItem(reader, "attempt", asked.id));
  if (!found.ok) return found;
  const { key } = found.value;
  const { root } = context;
  const branch = asked.to ?? `planwright/restored/${key}`;
  const named = await checkName(root, branch);
  if (!named.ok) return named;
  const commit = await readRef(root, keptRef(key));
  if (commit === null) return nothingKept(found.value);
  const ref = `refs/heads/${branch}`;
  if ((await readRef(root, ref)) !== null) return taken(key, branch, "there is one already");
  const made = await createRef(root, ref, commit);
  return made.ok ? ok({ id: key, branch, commit }) : taken(key, branch, made.problem);
}

async function checkName(root: string, branch: string): Promise<Result<void>> {
  const sound = succeeded(await git(root, ["check-ref-format", `refs/heads/${branch}`])) && !branch.startsWith("-");
  if (!sound) return usage("bad-branch", `${JSON.stringify(branch.slice(0, 100))} is not a valid branch name.`);
  if (!TAKEN.test(branch)) return ok(undefined);
  return refused("branch-taken", `${branch} is a name that attempts and features use. Choose another one.`);
}

const taken = (key: string, branch: string, problem: string): Result<never> =>
  refused("branch-exists", `The branch ${branch} cannot be made: ${problem}. Nothing was changed.`, {
    next: [step("attempt.restore", { id: key }, "to")],
  });

function nothingKept({ key, fields }: Item<"attempt">): Result<never> {
  const { state, branch, merged } = fields;
  if (!hasEnded(state)) {
    const message = `${key} is still being worked on, on the branch ${branch ?? "that it will get"}.`;
    return refused("in-flight", message, { next: [step("attempt.show", { id: key })] });
  }
  if (merged !== null && state === "accepted") {
    const message = `What ${key} did is merged already, as ${merged.slice(0, 10)}.`;
    return absent("merged", message, { next: [step("attempt.diff", { id: key })] });
  }
  const message = `Nothing is kept of ${key}: it changed nothing, or its work has expired.`;
  return absent("nothing-kept", message, { next: [step("attempt.kept")] });
}
