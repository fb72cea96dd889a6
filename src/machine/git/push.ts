// Pushes a branch to a remote, never by force.

import { git, gitOutput, linesOf, problemOf, succeeded } from "./git.js";

export type Remote = Awaited<ReturnType<typeof listRemotes>>[number];

export type PushResult = { readonly said: readonly string[] } | { readonly problem: string };

const withoutCredentials = (url: string): string => url.replace(/^(\w+:\/\/)[^/@]*@/, "$1");

/** `url`: without user name and password. */
export async function listRemotes(cwd: string) {
  const remotes: { readonly name: string; readonly url: string }[] = [];
  for (const name of linesOf(await gitOutput(cwd, ["remote"], `git cannot list the remotes of ${cwd}`))) {
    const url = await git(cwd, ["remote", "get-url", "--push", "--", name]);
    remotes.push({ name, url: withoutCredentials(url.stdout.trim()) });
  }
  return remotes;
}

/** The remote that git would push to: the configured one, else `origin`, else the only one. */
export async function usualRemote(cwd: string, branch: string): Promise<string | null> {
  for (const key of [`branch.${branch}.pushRemote`, "remote.pushDefault", `branch.${branch}.remote`]) {
    const result = await git(cwd, ["config", "--get", key]);
    // 1: not set. After any other failure, another remote would be the wrong one.
    if (!succeeded(result) && result.exitCode !== 1) throw new Error(`git cannot read ${key}: ${problemOf(result)}`);
    if (succeeded(result) && result.stdout.trim() !== ".") return result.stdout.trim();
  }
  const names = (await listRemotes(cwd)).map(({ name }) => name);
  if (names.includes("origin")) return "origin";
  return names.length === 1 ? (names[0] as string) : null;
}

/** Returns the lines that the remote printed: review hosts print where to open a review. */
export async function pushBranch(cwd: string, remote: string, ref: string, commit: string): Promise<PushResult> {
  const result = await git(cwd, ["push", "--porcelain", "--", remote, `${commit}:${ref}`], { hooks: true });
  const said = result.output.split("\n").flatMap((line) => /^remote: ?(.*)$/.exec(line)?.[1]?.trim() ?? []);
  if (succeeded(result)) return { said: said.filter((line) => line !== "") };
  return { problem: withoutCredentials(problemOf(result)) };
}
