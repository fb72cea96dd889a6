// What an approval binds: everything that says what will be done and how it will be judged.
// Left out on purpose: priority, estimate, discoveries, and edges that only delay.

import type { Content, NodeFields, Nr } from "./node.js";

/** A change of one of these changes the hash, or whether there is one: only what is approved has it. */
export const HASHED = [
  "title",
  "body",
  "parent",
  "kind",
  "dependsOn",
  "files",
  "symbols",
  "checks",
  "profile",
  "budgets",
  "approval",
] as const satisfies readonly (keyof NodeFields)[];

type Hashed = Pick<Content, "tier" | Exclude<(typeof HASHED)[number], "approval">>;

/** SHA-256 in hex. It is given, because this folder imports nothing. */
export type Digest = (text: string) => string;

/** `uuidOf` names other nodes in a way that survives an export and import. */
export function contentHash(content: Hashed, uuidOf: (nr: Nr) => string, digest: Digest): string {
  const stated = content.dependsOn
    .filter((edge) => edge.origin === "stated")
    .map((edge) => uuidOf(edge.on))
    .sort();
  const canonical = [
    content.tier,
    content.kind,
    content.title,
    content.body,
    content.parent === null ? null : uuidOf(content.parent),
    stated,
    content.files,
    content.symbols,
    content.checks.map((c) => [c.run, c.expect ?? null, c.timeoutS ?? null, c.cwd ?? null]),
    content.profile,
    content.budgets.attempts ?? null,
    content.budgets.replans ?? null,
  ];
  return digest(JSON.stringify(canonical)).slice(0, 32);
}
