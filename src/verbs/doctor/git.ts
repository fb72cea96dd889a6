// The repository: git itself, the main branch, hooks, signing and submodules.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadGitSettings } from "../../config/git-settings.js";
import { git, succeeded } from "../../machine/git/git.js";
import { featureOfBranch, readRef, shortName } from "../../machine/git/refs.js";
import { findRepository, headCommit, hiddenBare } from "../../machine/git/repository.js";
import { gitlinksOf } from "../../machine/git/submodules.js";
import { findHooks, userConfig } from "../../machine/git/user-config.js";
import { workingTreeAt } from "../../machine/git/working-tree.js";
import { step } from "../../model/next-step.js";
import { lostLandings } from "../../plan/repository/lost-landings.js";
import { deletedBranches, readMainBranch, requireMainBranch } from "../../plan/repository/main-branch.js";
import { type ExaminationResult, fine, type Patient, remark, wrong } from "./finding.js";

const OLDEST_GIT = [2, 38] as const;

const NO_REPOSITORY = fine("not in a git repository");

export async function examineGit({ root }: Patient): Promise<ExaminationResult> {
  const asked = await git(root, ["--version"]).catch(() => undefined);
  const version = /(?<!\d)(\d+)\.(\d+)[\d.]*/.exec(asked?.stdout ?? "");
  const fix = `Install git ${OLDEST_GIT.join(".")} or newer.`;
  if (!asked || !succeeded(asked) || !version) return wrong("git cannot be started.", fix);
  const [text, major, minor] = [version[0], Number(version[1]), Number(version[2])];
  const isOld = major < OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor < OLDEST_GIT[1]);
  return isOld ? wrong(`git ${text} is too old.`, fix) : fine(`git ${text}`);
}

export function examineRepository({ root }: Patient): ExaminationResult {
  const bare = hiddenBare(root);
  if (bare !== undefined) {
    return wrong(
      `git does not find the bare repository ${bare} from ${root}.`,
      `Put a file .git into ${root} with the line: gitdir: ./.bare`,
    );
  }
  const repository = findRepository(root);
  if (!repository) {
    const fix = "Run git init and commit something, so that workers have a branch to work on.";
    return remark(`${root} is in no git repository, so no worker can work here and proofs are unversioned`, fix);
  }
  if (headCommit(repository) === null) return wrong("The repository has no commit.", "Commit something.");
  return fine(repository.main);
}

const BECAUSE = {
  setting: "the setting git.mainBranch",
  origin: "origin/HEAD",
  init: "what init saw",
  usual: "its name",
} as const;

export async function examineMainBranch({ root, env }: Patient): Promise<ExaminationResult> {
  if (!findRepository(root)) return NO_REPOSITORY;
  const from = { root, gitSettings: async () => loadGitSettings(root, env) };
  const required = await requireMainBranch(from);
  const set = [step("config.set", { key: "git.mainBranch" }, "value")];
  if (!required.ok) return wrong(required.error.message, "Make the branch, or name another one.", set);
  const found = await readMainBranch(from);
  const { name } = required.value;
  const remote = await readRef(root, `refs/remotes/origin/${name}`);
  const by = found === null ? "" : ` (by ${BECAUSE[found.source]})`;
  return fine(`work lands on ${name}${by}${remote === null ? "" : `; origin has it, too`}`);
}

export async function examineBranches({ root }: Patient): Promise<ExaminationResult> {
  if (!findRepository(root)) return NO_REPOSITORY;
  const deleted = await deletedBranches(root);
  if (deleted.length === 0) return fine("every feature with accepted work has its branch");
  const ids = deleted.flatMap((branch) => featureOfBranch(branch) ?? []);
  const what = `${deleted.map(shortName).join(", ")} ${deleted.length === 1 ? "was" : "were"} deleted before landing`;
  return remark(
    `${what}; the accepted work is kept`,
    "Land the feature, or run one of its tasks: both bring the branch back.",
    ids.map((reference) => step("land", { reference })),
  );
}

/** Far more landings than a plan has. */
const ALL_LANDINGS = 100_000;

export async function examineLandings({ root, exists, folder }: Patient): Promise<ExaminationResult> {
  if (!exists || !findRepository(root)) return NO_REPOSITORY;
  const context = await folder.open();
  const lost = await context.store.read((reader) => lostLandings(reader, context, ALL_LANDINGS));
  if (lost.length === 0) return fine("the main branch holds everything that landed");
  const what = lost.map(({ sentence }) => sentence).join(" ");
  const fix = "Put the commits back into the main branch, or undo these landings and land again.";
  return wrong(
    what,
    fix,
    lost.flatMap(({ next }) => next),
  );
}

export async function examineHooks({ root, env }: Patient): Promise<ExaminationResult> {
  if (!findRepository(root)) return NO_REPOSITORY;
  const { names } = await findHooks(root);
  if (names.length === 0) return fine("none");
  if (loadGitSettings(root, env).hooks === "run") return fine(`Planwright runs ${names.join(", ")} on what lands`);
  return remark(`Planwright skips ${names.join(", ")}`, "Set git.hooks to run to run them on what lands.", [
    step("config.set", { key: "git.hooks", value: "run" }),
  ]);
}

export async function examineSigning({ root, env }: Patient): Promise<ExaminationResult> {
  if (!findRepository(root)) return NO_REPOSITORY;
  if ((await userConfig(root, "commit.gpgSign", "bool")) !== "true")
    return fine("your git does not sign commits, so Planwright does not");
  if (loadGitSettings(root, env).signing === "auto")
    return fine("your git signs commits, and Planwright signs those that land");
  const fix = "Set git.signing to auto to sign them.";
  return remark("your git signs commits; Planwright does not sign those that land (git.signing is off)", fix);
}

export async function examineSubmodules({ root }: Patient): Promise<ExaminationResult> {
  const repository = findRepository(root);
  if (!repository) return NO_REPOSITORY;
  const { top } = repository;
  const tree = workingTreeAt(top);
  const head = headCommit(repository);
  const links = tree && head !== null ? await gitlinksOf(tree, head) : [];
  if (links.length === 0) return fine("none");
  const missing = links.map(({ path }) => path).filter((path) => !existsSync(join(top, path, ".git")));
  if (missing.length === 0) return fine(`${links.length} initialised`);
  return remark(`not initialised: ${missing.join(", ")}`, "Run git submodule update --init.");
}
