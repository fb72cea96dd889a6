// Runs the user's hooks on the commit that is to land, if the settings say so: in the landing's own worktree and sandbox,
// with the change staged on top of main, as git would. A hook that fails keeps the feature from landing.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckSettings, runChecks } from "../../machine/checks/run-checks.js";
import { git, gitOutput, problemOf, succeeded } from "../../machine/git/git.js";
import { type CommitHook, findHooks } from "../../machine/git/hooks.js";
import { secondParentOf } from "../../machine/git/merge.js";
import { requireWorkingTree } from "../../machine/git/working-tree.js";
import { step } from "../../model/next-step.js";
import type { CheckResult } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { EngineServices } from "../services.js";
import type { Merging } from "./merge.js";

export async function runLandingHooks(
  { context }: EngineServices,
  { from, commit }: Pick<Merging, "from" | "commit">,
  settings: CheckSettings & { readonly tmp: string },
): Promise<Result<CheckResult[]>> {
  const { root } = context;
  if ((await context.gitSettings()).hooks === "skip") return ok([]);
  const { folder, names, inProject } = await findHooks(root);
  const isMerge = (await secondParentOf(root, commit)) !== null;
  const wanted: readonly CommitHook[] = [isMerge ? "pre-merge-commit" : "pre-commit", "commit-msg"];
  const hooks = wanted.filter((name) => names.includes(name));
  if (hooks.length === 0) return ok([]);
  if (inProject !== null) {
    const same = await git(root, ["diff", "--quiet", from, commit, "--", inProject]);
    if (!succeeded(same)) return changedHooks(inProject);
  }
  const { cwd, tmp } = settings;
  const { gitDir } = requireWorkingTree(cwd);
  const staged = await git(cwd, ["reset", "--soft", from], { gitDir });
  if (!succeeded(staged)) throw new Error(`the change could not be staged for the hooks: ${problemOf(staged)}`);
  const message = join(tmp, "COMMIT_EDITMSG");
  await writeFile(message, await gitOutput(root, ["log", "-1", "--format=%B", commit], "git cannot read the message"));
  const place = inProject === null ? folder : join(cwd, inProject);
  const results: CheckResult[] = [];
  for (const name of hooks) {
    const words = [join(place, name), ...(name === "commit-msg" ? [message] : [])];
    const [result] = await runChecks([{ run: words.map(quoted).join(" ") }], settings);
    if (result) results.push({ ...result, run: `the hook ${name}` });
  }
  return ok(results);
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** A worker may have written them. */
const changedHooks = (folder: string): Result<never> =>
  refused(
    "hooks-changed",
    `The feature changes hooks in ${folder}, and Planwright never runs hooks that work has changed. Review them, and set git.hooks to skip for this landing.`,
    { next: [step("config.set", { key: "git.hooks", value: "skip" })], details: { folder } },
  );
