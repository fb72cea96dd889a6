// Whose commits came into a checkout since a recorded moment. A pull, a landing, a switch to another branch and a commit of somebody
// else all move HEAD, and none of them is the work of the task.

import { statSync } from "node:fs";
import { join } from "node:path";
import { findPlainFile } from "../../../base/plain-file.js";
import { git, gitOutput, linesOf, splitList, succeeded } from "../git.js";
import { contains } from "../merge.js";
import { readHead, shortName } from "../refs.js";
import { findRepository, headBranch } from "../repository.js";

/** Git writes down each move of HEAD in this file of a checkout. */
const headLog = (path: string): string | null => {
  const repository = findRepository(path);
  return repository === undefined ? null : join(repository.gitDir, "logs", "HEAD");
};

/** What is written behind this came later. Null if git keeps no such file here. */
export function sizeOfHeadLog(path: string): number | null {
  const file = headLog(path);
  return file === null ? null : (statSync(file, { throwIfNoEntry: false })?.size ?? null);
}

/** A move of HEAD that made the commit, rather than one that brought it in. */
const MAKES = /^(?:commit|cherry-pick|revert|am)\b|\((?:pick|reword|edit|squash|fixup|continue)\)$/;

const AMENDS = "commit (amend)";

interface HeadLog {
  /** Made in this checkout since the recorded moment. */
  readonly made: ReadonlySet<string>;
  /** HEAD was there before. */
  readonly earlier: ReadonlySet<string>;
}

/** Null where git keeps no log. A log that git made shorter counts as written since. */
function readHeadLog(path: string, size: number | null): HeadLog | null {
  const file = headLog(path);
  const text = file === null ? undefined : findPlainFile(file);
  if (text === undefined) return null;
  const bytes = Buffer.from(text);
  const at = size === null || size > bytes.length ? 0 : size;
  const made = new Set<string>();
  for (const line of linesOf(bytes.subarray(at).toString())) {
    const [ids = "", said = ""] = line.split("\t", 2);
    const [old = "", commit = ""] = ids.split(" ", 2);
    const [verb = ""] = said.split(":", 1);
    // An amended commit is as much the worker's as the one that it replaces.
    if (MAKES.test(verb) && (verb !== AMENDS || made.has(old))) made.add(commit);
  }
  const before = linesOf(bytes.subarray(0, at).toString()).map((line) => line.split(" ", 2)[1] ?? "");
  return { made, earlier: new Set(before) };
}

/** The way from the recorded commit to the one that is checked out. */
export interface Way {
  readonly start: string;
  readonly head: string;
}

export async function wayOf(path: string, from: string): Promise<Way> {
  const head = await requireHead(path);
  return { start: from === head || (await contains(path, head, from)) ? from : await forkOf(path, head, from), head };
}

interface Foreign {
  readonly others: readonly string[];
  readonly foreign?: readonly string[];
}

/** Written into every commit that we make. */
const OURS = "^Planwright-(Feature|Task): ";

/** Commits of others on the way, oldest first: contained in one of the refs, made by us, or known to be. */
export async function foreignCommits(cwd: string, way: Way, { others, foreign = [] }: Foreign): Promise<string[]> {
  const all = await commitsOn(cwd, way);
  if (all.length === 0) return [];
  const range = `${way.start}..${way.head}`;
  const own = new Set(await listCommits(cwd, range, ...others.map((ref) => `^${ref}`)));
  const ours = new Set(await listCommits(cwd, "-E", `--grep=${OURS}`, range));
  return all.filter((commit) => !own.has(commit) || ours.has(commit) || foreign.includes(commit));
}

/** The commit before the first own one on the way. Null if there is none. */
export async function beforeOwnCommits(path: string, from: string, known: Foreign): Promise<string | null> {
  const way = await wayOf(path, from);
  const foreign = new Set(await foreignCommits(path, way, known));
  const first = (await commitsOn(path, way)).find((commit) => !foreign.has(commit));
  return first === undefined ? null : commitOf(path, `${first}^1`);
}

/** A commit that may be the worker's or somebody else's. */
export interface UnclearCommit {
  readonly commit: string;
  readonly subject: string;
  readonly files: readonly string[];
}

export interface SortedCommits {
  /** Not the worker's. */
  readonly foreign: readonly string[];
  readonly unclear: readonly UnclearCommit[];
}

interface Known {
  readonly from: { readonly head: string; readonly log?: number | null };
  readonly others: readonly string[];
  /** The commit of main, which everybody shares. */
  readonly main: string | null;
}

/** Own is what was made in this checkout since, on a branch that only this checkout has. */
export async function sortCommits(path: string, known: Known): Promise<SortedCommits> {
  const { from, others, main } = known;
  const way = await wayOf(path, from.head);
  const theirs = new Set(await foreignCommits(path, way, { others }));
  const rest = (await commitsOn(path, way)).filter((commit) => !theirs.has(commit));
  if (rest.length === 0) return { foreign: [], unclear: [] };
  const log = readHeadLog(path, from.log ?? null);
  const own = new Set(await onlyHere(path, way, main));
  const again = new Set(await pickedAgain(path, from.head, way));
  const isOfMain = new Set(await sharedWithMain(path, way, known));
  const foreign: string[] = [];
  const unclear: UnclearCommit[] = [];
  for (const commit of rest) {
    const isMade = log === null || log.made.has(commit);
    const isEarlier = again.has(commit) || (!isMade && log.earlier.has(commit));
    if (isEarlier || (!isMade && (isOfMain.has(commit) || (await mergesOthers(path, commit, known)))))
      foreign.push(commit);
    else if (!isMade || !own.has(commit)) unclear.push(await describeCommit(path, commit));
  }
  return { foreign, unclear };
}

/** A merge that git made by itself, of what main or one of the refs has. */
async function mergesOthers(path: string, commit: string, { others, main }: Known): Promise<boolean> {
  const merged = await git(path, ["rev-parse", "--verify", "--quiet", `${commit}^2`]);
  if (!succeeded(merged)) return false;
  const theirs = [...others, ...(main === null ? [] : [main])];
  return (await listCommits(path, merged.stdout.trim(), ...theirs.map((ref) => `^${ref}`))).length === 0;
}

/** Neither main nor another branch has them. */
async function onlyHere(path: string, { start, head }: Way, main: string | null): Promise<string[]> {
  const repository = findRepository(path);
  const branch = repository === undefined ? null : headBranch(repository);
  const not = ["--not", ...(branch === null ? [] : [`--exclude=${shortName(branch)}`]), "--branches"];
  return listCommits(path, `${start}..${head}`, ...not, ...(main === null ? [] : [main]));
}

/** Main has these, and they came from there. While main itself is checked out, nobody can tell. */
async function sharedWithMain(path: string, { start, head }: Way, { main }: Known): Promise<string[]> {
  if (main === null || main === head) return [];
  const without = new Set(await listCommits(path, `${start}..${head}`, `^${main}`));
  return (await commitsOn(path, { start, head })).filter((commit) => !without.has(commit));
}

/** After a rebase: the same change as a commit that was there before. */
async function pickedAgain(cwd: string, from: string, { start, head }: Way): Promise<string[]> {
  if (start === from) return [];
  const marked = await listCommits(cwd, "--cherry-mark", "--right-only", `${from}...${head}`);
  return marked.filter((line) => line.startsWith("=")).map((line) => line.slice(1));
}

async function describeCommit(cwd: string, commit: string): Promise<UnclearCommit> {
  const args = [
    "log",
    "-1",
    "-m",
    "--first-parent",
    "-z",
    "--no-renames",
    "--name-only",
    "--format=%s%x00",
    commit,
    "--",
  ];
  const [subject = "", ...files] = splitList(await gitOutput(cwd, args, "git cannot read a commit"));
  return { commit, subject, files: files.map((file) => file.replace(/^\n/, "")) };
}

const listCommits = async (cwd: string, ...args: string[]): Promise<string[]> =>
  linesOf(await gitOutput(cwd, ["rev-list", "--first-parent", ...args, "--"], "git cannot list commits"));

/** Oldest first. */
const commitsOn = async (cwd: string, { start, head }: Way): Promise<string[]> =>
  start === head ? [] : listCommits(cwd, "--reverse", `${start}..${head}`);

async function forkOf(cwd: string, head: string, from: string): Promise<string> {
  const result = await git(cwd, ["merge-base", head, from]);
  return succeeded(result) ? result.stdout.trim() : head;
}

export async function requireHead(path: string): Promise<string> {
  const head = await readHead(path);
  if (head === null) throw new Error(`there is no HEAD in ${path}`);
  return head;
}

const commitOf = async (cwd: string, name: string): Promise<string> =>
  (await gitOutput(cwd, ["rev-parse", "--verify", `${name}^{commit}`], `there is no ${name} in ${cwd}`)).trim();
