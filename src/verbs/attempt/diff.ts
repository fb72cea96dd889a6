import { existsSync } from "node:fs";
import { join } from "node:path";
import { snapshot } from "../../machine/git/change-set.js";
import { git, problemOf, succeeded } from "../../machine/git/git.js";
import { keptRef, readRef } from "../../machine/git/refs.js";
import { type Attempt, hasEnded } from "../../model/attempt/attempt.js";
import { findItem } from "../../plan/item/find-item.js";
import { absent, type Context, fields, harmless, ok, planVerb, type Result, step } from "../kit/verb.js";
import { attemptId } from "./show.js";

export const input = fields({ id: attemptId });

export const verb = planVerb({
  command: { words: "diff", when: { keys: ["ATT"] }, group: "work", positional: ["id"], aliases: ["attempt diff"] },
  summary: "Show what an attempt changed",
  effect: "reads",
  input,
  examples: [{ input: { id: "ATT-00001" }, does: "its changes, as git shows them" }],
  run: (session, asked) => attemptDiff(session, asked.id),
  text: ({ diff }) => harmless(diff).trimEnd(),
});

export async function attemptDiff(context: Context, typed: string) {
  const found = await context.store.read((reader) => findItem(reader, "attempt", typed));
  if (!found.ok) return found;
  const { key, fields } = found.value;
  const { root } = context;
  const range = await rangeOf(root, key, fields);
  if (range === null) return nothing(key, "it has changed nothing, or what it did is gone");
  const [from, to] = range;
  const args = ["diff", "--no-color", "--end-of-options", from, to, "--"];
  const result = await git(root, args);
  return succeeded(result) ? ok({ from, to, diff: result.stdout }) : nothing(key, problemOf(result));
}

const nothing = (key: string, why: string): Result<never> =>
  absent("no-diff", `There is nothing to compare for ${key}: ${why}.`, { next: [step("attempt.show", { id: key })] });

async function rangeOf(root: string, key: string, attempt: Attempt): Promise<[from: string, to: string] | null> {
  const { merged, state, base, tip } = attempt;
  // What was merged is one commit on top of the branch.
  if (merged !== null && state === "accepted") return [`${merged}^`, merged];
  if (base === null) return null;
  const to = (await readRef(root, keptRef(key))) ?? (await workOf(attempt)) ?? tip;
  return to === null || to === base ? null : [base, to];
}

/** Before it was prepared, the folder may still hold what another attempt left. */
async function workOf({ state, worktree }: Attempt): Promise<string | null> {
  const there = !hasEnded(state) && state !== "claimed" && worktree !== null && existsSync(join(worktree, ".git"));
  return there ? snapshot(worktree) : null;
}
