// Sends a branch to a remote. Never by force: what others have put there stays.

import { git, problemOf, succeeded } from "./git.js";

export interface Remote {
  readonly name: string;
  /** Without a name or a password in it. */
  readonly url: string;
}

export type Pushed = { readonly said: readonly string[] } | { readonly problem: string };

const hidden = (url: string): string => url.replace(/^(\w+:\/\/)[^/@]*@/, "$1");

export async function listRemotes(cwd: string): Promise<Remote[]> {
  const listed = await git(cwd, ["remote"]);
  if (!succeeded(listed)) throw new Error(`the remotes of ${cwd} could not be listed: ${problemOf(listed)}`);
  const names = listed.stdout.split("\n").filter((name) => name !== "");
  const remotes: Remote[] = [];
  for (const name of names) {
    const url = await git(cwd, ["remote", "get-url", "--push", "--", name]);
    remotes.push({ name, url: hidden(url.stdout.trim()) });
  }
  return remotes;
}

/** Where git itself would push: as configured for the branch, else `origin`, else the only one there is. */
export async function usualRemote(cwd: string, branch: string): Promise<string | null> {
  for (const key of [`branch.${branch}.pushRemote`, "remote.pushDefault", `branch.${branch}.remote`]) {
    const result = await git(cwd, ["config", "--get", key]);
    // 1: it is not set. Whatever else it was, another remote would be the wrong one.
    if (!succeeded(result) && result.exitCode !== 1) throw new Error(`${key} could not be read: ${problemOf(result)}`);
    if (succeeded(result) && result.stdout.trim() !== ".") return result.stdout.trim();
  }
  const names = (await listRemotes(cwd)).map(({ name }) => name);
  if (names.includes("origin")) return "origin";
  return names.length === 1 ? (names[0] as string) : null;
}

/** What the remote said besides: review hosts tell where to open a review. */
export async function pushBranch(cwd: string, remote: string, ref: string, commit: string): Promise<Pushed> {
  const result = await git(cwd, ["push", "--porcelain", "--", remote, `${commit}:${ref}`], { hooks: true });
  const said = result.output.split("\n").flatMap((line) => /^remote: ?(.*)$/.exec(line)?.[1]?.trim() ?? []);
  if (succeeded(result)) return { said: said.filter((line) => line !== "") };
  return { problem: hidden(problemOf(result)) };
}
