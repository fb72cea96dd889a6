// What a clone tells others, as a commit of its own under refs/planwright: written without a working tree, and never in your settings.

import { type GitOptions, git, gitOutput, linesOf, problemOf, succeeded } from "../git.js";
import { listRefs, moveRefs, readRef } from "../refs.js";

const CLONES = "refs/planwright/clones";

export const cloneRef = (clone: string): string => `${CLONES}/${clone}`;

const remoteRefs = (remote: string): string => `refs/planwright/remotes/${remote}`;

export interface CloneFiles {
  readonly meta: string;
  /** Their names tell their order. */
  readonly segments: ReadonlyMap<string, string>;
}

/** Clones that were fetched, with their commits. */
export async function fetchedClones(cwd: string, remote: string): Promise<ReadonlyMap<string, string>> {
  const prefix = remoteRefs(remote);
  const refs = await listRefs(cwd, prefix);
  return new Map([...refs].map(([ref, commit]) => [ref.slice(prefix.length + 1), commit]));
}

export type Transfer = { readonly problem: string | null };

const transfer = async (cwd: string, args: readonly string[], signal?: AbortSignal): Promise<Transfer> => {
  // Talking to a remote needs the user's own settings, for credentials and addresses.
  const result = await git(cwd, args, { hooks: true, signal });
  return { problem: succeeded(result) ? null : problemOf(result) };
};

/** A ref that the remote has no more stays here. */
export const fetchClones = (cwd: string, remote: string, signal?: AbortSignal): Promise<Transfer> =>
  transfer(
    cwd,
    [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      "--refmap=",
      remote,
      `+${CLONES}/*:${remoteRefs(remote)}/*`,
    ],
    signal,
  );

/** Only this clone writes to its ref, which only grows: whatever stands in the way was put there by somebody else. */
export async function pushClone(cwd: string, remote: string, clone: string): Promise<Transfer> {
  const ref = cloneRef(clone);
  const pushed = await transfer(cwd, ["push", "--quiet", remote, `${ref}:${ref}`]);
  if (pushed.problem !== null) return pushed;
  const moved = await moveRefs(cwd, [{ ref: `${remoteRefs(remote)}/${clone}`, to: await readRef(cwd, ref) }]);
  return { problem: moved.ok ? null : moved.problem };
}

/** The clones whose refs the remote has. */
export async function remoteClones(cwd: string, remote: string): Promise<ReadonlyMap<string, string>> {
  const result = await git(cwd, ["ls-remote", "--refs", "--", remote, `${CLONES}/*`], { hooks: true });
  if (!succeeded(result)) throw new Error(`git cannot list the clones at ${remote}: ${problemOf(result)}`);
  return new Map(
    linesOf(result.stdout).map((line) => {
      const [commit = "", ref = ""] = line.split("\t");
      return [ref.slice(CLONES.length + 1), commit];
    }),
  );
}

/** Gives back to a remote what it has lost: clones that were fetched from it before. */
export const restoreClones = (cwd: string, remote: string, clones: ReadonlyMap<string, string>): Promise<Transfer> =>
  transfer(cwd, ["push", "--quiet", remote, ...[...clones].map(([clone, commit]) => `${commit}:${cloneRef(clone)}`)]);

const run = (cwd: string, args: readonly string[], options?: GitOptions): Promise<string> =>
  gitOutput(cwd, args, "git cannot keep what this clone shares", options);

const blob = async (cwd: string, text: string): Promise<string> =>
  (await run(cwd, ["hash-object", "-w", "--stdin"], { input: text })).trim();

const tree = async (cwd: string, entries: readonly string[]): Promise<string> =>
  (await run(cwd, ["mktree"], { input: entries.map((entry) => `${entry}\n`).join("") })).trim();

/** One commit more on the ref of this clone, unless it says the same already. A ref that was lost goes on from what the remote has. */
export async function writeClone(
  cwd: string,
  { clone, remote, message }: { readonly clone: string; readonly remote: string; readonly message: string },
  { meta, segments }: CloneFiles,
): Promise<void> {
  const ref = cloneRef(clone);
  const before = await readRef(cwd, ref);
  const parent = before ?? (await readRef(cwd, `${remoteRefs(remote)}/${clone}`));
  const known = parent === null ? new Map<string, string>() : await filesIn(cwd, parent);
  const entries: string[] = [];
  for (const [name, text] of segments) {
    entries.push(`100644 blob ${known.get(`ops/${name}`) ?? (await blob(cwd, text))}\t${name}`);
  }
  const ops = await tree(cwd, entries);
  const root = await tree(cwd, [`100644 blob ${await blob(cwd, meta)}\tmeta.json`, `040000 tree ${ops}\tops`]);
  const isSame = parent !== null && (await run(cwd, ["rev-parse", `${parent}^{tree}`])).trim() === root;
  if (isSame && before !== null) return;
  const parents = parent === null ? [] : ["-p", parent];
  const commit = isSame
    ? parent
    : (await run(cwd, ["commit-tree", root, ...parents, "-m", message], { commits: true })).trim();
  const moved = await moveRefs(cwd, [{ ref, to: commit, from: before }]);
  if (!moved.ok) throw new Error(`git cannot move ${ref}: ${moved.problem}`);
}

/** The files of a commit, with their objects. */
async function filesIn(cwd: string, commit: string): Promise<Map<string, string>> {
  const listed = linesOf(await run(cwd, ["ls-tree", "-r", commit]));
  return new Map(listed.map((line) => [line.slice(line.indexOf("\t") + 1), line.split(/\s/)[2] ?? ""]));
}

/** Undefined if the commit is no clone's. */
export async function readClone(cwd: string, commit: string): Promise<CloneFiles | undefined> {
  const files = await filesIn(cwd, commit);
  const names = [...files.keys()].filter((name) => name === "meta.json" || /^ops\/\d+-\d+\.jsonl$/.test(name));
  const input = names.map((name) => `${files.get(name)}\n`).join("");
  const texts = blobsIn(await run(cwd, ["cat-file", "--batch"], { input }));
  const meta = texts[names.indexOf("meta.json")];
  if (meta === undefined || texts.length !== names.length) return undefined;
  const firstOf = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);
  const segments = names.flatMap((name, i) => (name === "meta.json" ? [] : [[name.slice(4), texts[i] ?? ""] as const]));
  return { meta, segments: new Map(segments.sort(([one], [other]) => firstOf(one) - firstOf(other))) };
}

/** Each after a line that says how many bytes it has. */
function blobsIn(output: string): readonly string[] {
  const bytes = Buffer.from(output);
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\n", at);
    const size = Number(/ blob (\d+)$/.exec(bytes.toString("utf8", at, end))?.[1]);
    if (!Number.isInteger(size)) break;
    texts.push(bytes.toString("utf8", end + 1, end + 1 + size));
    at = end + size + 2;
  }
  return texts;
}

/** Those of these commits that are in this repository. */
export async function commitsHere(cwd: string, commits: readonly string[]): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const input = commits.map((commit) => `${commit}\n`).join("");
  const lines = linesOf(await run(cwd, ["cat-file", "--batch-check"], { input }));
  return new Set(commits.filter((_, i) => / commit \d+$/.test(lines[i] ?? "")));
}
