// The git folder of a worker: a repository of its own, which only borrows the objects. Whatever a worker's git does there, commits,
// branches, settings and hooks, stays there and goes with the worktree. Our git never reads it.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findPlainFile } from "../../base/plain-file.js";
import { leastSettings, type Setting, settingsInText, settingsText } from "./config-text.js";
import { settingsOf } from "./git.js";
import { listRefs, readAllRefs, shortName } from "./refs.js";
import { alternatesText, noteOf, objectFolders } from "./repository.js";
import { copyIndex, requireWorkingTree, type WorkingTree } from "./working-tree.js";

export interface Loan {
  /** The commit that is checked out. */
  readonly commit: string;
  /** The full name of the branch that it is on; null if it is on none. */
  readonly branch: string | null;
  /** Under which name the worker commits. */
  readonly name: string;
}

/** Puts a repository of its own into a worktree that stands at this commit. Putting the worktree onto a commit again takes it away. */
export async function lendRepository(path: string, loan: Loan): Promise<void> {
  const tree = requireWorkingTree(path);
  const refs = readAllRefs(tree.commonDir) ?? (await listRefs(path, "refs"));
  const { plain } = await settingsOf(path, tree.gitDir);
  // From here on only this says whose worktree it is.
  writeFileSync(noteOf(path), `${tree.commonDir}\n`);
  const own = join(path, ".git");
  rmSync(own, { recursive: true, force: true });
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "info"]) {
    mkdirSync(join(own, folder), { recursive: true });
  }
  // All of them by their full paths: git follows no relative path of a folder that is borrowed itself.
  writeFileSync(join(own, "objects/info/alternates"), alternatesText(objectFolders(tree.commonDir)));
  writeFileSync(join(own, "packed-refs"), packed(refs));
  const settings = [...configFor(plain, loan), ...(isPartial(tree) ? WITHOUT_SOME : [])];
  writeFileSync(join(own, "config"), settingsText(settings));
  for (const name of ["info/exclude", "shallow"]) copyFile(tree, own, name);
  copyIndex(join(tree.gitDir, "index"), join(own, "index"));
  setBranch(own, loan);
}

/** What people see of their branches and tags. */
const SHOWN = /^refs\/(?:heads|remotes|tags)\//;

function packed(refs: ReadonlyMap<string, string>): string {
  const shown = [...refs].filter(([ref]) => SHOWN.test(ref)).sort(([a], [b]) => (a < b ? -1 : 1));
  return shown.map(([ref, commit]) => `${commit} ${ref}\n`).join("");
}

function configFor(plain: Readonly<Record<string, string>>, { commit, name }: Loan): Setting[] {
  const identity = [
    { name: "user.name", value: name },
    { name: "user.email", value: "planwright@localhost" },
  ];
  return [...leastSettings(commit, plain), ...identity];
}

/** Some objects of a partial clone are missing until they are asked for. Those of the commit came with the worktree. */
const isPartial = ({ commonDir }: WorkingTree): boolean =>
  settingsInText(findPlainFile(join(commonDir, "config")) ?? "").some(({ name }) =>
    /^remote\..*\.promisor$/s.test(name),
  );

/** Git then takes a missing object for one that is elsewhere, not for damage. A worker cannot fetch it, and git says this sentence. */
const WITHOUT_SOME: readonly Setting[] = [
  { name: "remote.missing.promisor", value: "true" },
  { name: "remote.missing.url", value: "/the repository was cloned without it (--filter), and a worker cannot fetch" },
];

function copyFile({ commonDir }: WorkingTree, own: string, name: string): void {
  const text = findPlainFile(join(commonDir, name));
  if (text !== undefined) writeFileSync(join(own, name), text);
}

function setBranch(own: string, { branch, commit }: Loan): void {
  if (branch !== null) {
    mkdirSync(dirname(join(own, branch)), { recursive: true });
    writeFileSync(join(own, branch), `${commit}\n`);
  }
  writeFileSync(join(own, "HEAD"), branch === null ? `${commit}\n` : `ref: refs/heads/${shortName(branch)}\n`);
}
