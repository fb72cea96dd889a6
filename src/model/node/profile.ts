// What kind of work a task is, guessed from the files it touches, so that it can go to the right worker.

import type { Node } from "./node.js";

/** Of a task that merges main into its feature's branch: its worktree begins with that merge, conflicts included. */
export const MERGE_MAIN = "merge-main";

const RULES: readonly (readonly [pattern: RegExp, profile: string])[] = [
  [/(^|\/)(tests?|__tests__|spec|e2e)\/|[._-](test|spec)\.[a-z]+$/i, "test"],
  [/(^|\/)(docs?)\/|\.(md|mdx|rst|adoc|txt)$/i, "docs"],
  [/\.(tsx|jsx|vue|svelte|css|scss|less|html?)$|(^|\/)(components|pages|views|ui)\//i, "frontend"],
  [/(^|\/)(api|routes|controllers|graphql|proto)\/|\.(proto|graphql)$/i, "api"],
  [/(^|\/)(migrations?|db|schema|models)\/|\.(sql|prisma)$/i, "data"],
  [/(^|\/)(\.github|\.ci|ci|deploy|infra|terraform|k8s|helm)\/|dockerfile|\.(tf|ya?ml)$/i, "infra"],
  [/\.(ts|js|mjs|cjs|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h|swift|scala|ex|exs|sh)$/i, "backend"],
];

const profileOfFile = (file: string): string => RULES.find(([pattern]) => pattern.test(file))?.[1] ?? "general";

/** One profile if all files agree (tests go with the code they test), otherwise `general`. */
export function inferProfile(files: readonly string[]): string | null {
  const [first] = files;
  if (first === undefined) return null;
  if (files.length === 1) return profileOfFile(first);
  const all = new Set(files.map(profileOfFile));
  if (all.size > 1) all.delete("test");
  const [only = "general", ...others] = all;
  return others.length === 0 ? only : "general";
}

/** The profile with these files instead: it follows them until another was chosen. */
export function profileFor(node: Pick<Node, "tier" | "files" | "profile">, files: readonly string[]): string | null {
  const chosen = node.profile !== null && node.profile !== inferProfile(node.files);
  return chosen || node.tier !== "task" ? node.profile : inferProfile(files);
}
