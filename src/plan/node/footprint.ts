// The files and symbols that a node says it will touch. The files also say what kind of work it is.

import type { Node } from "../../model/node/node.js";
import { inferProfile } from "../../model/node/profile.js";

export interface FootprintInput {
  readonly files?: readonly string[];
  readonly symbols?: readonly string[];
}

/** The profile with these files instead: it follows them until another was chosen. */
export function profileFor(node: Pick<Node, "tier" | "files" | "profile">, files: readonly string[]): string | null {
  const chosen = node.profile !== null && node.profile !== inferProfile(node.files);
  return chosen || node.tier !== "task" ? node.profile : inferProfile(files);
}

/** Each once, in the order in which they were named. */
export const union = <T>(list: readonly T[], more: readonly T[] = []): readonly T[] => {
  const known = new Set(list.map(keyOf));
  const fresh = more.filter((item) => !known.has(keyOf(item)) && known.add(keyOf(item)));
  return fresh.length === 0 ? list : [...list, ...fresh];
};

export const without = <T>(list: readonly T[], less: readonly T[] = []): readonly T[] => {
  const gone = new Set(less.map(keyOf));
  return gone.size === 0 ? list : list.filter((item) => !gone.has(keyOf(item)));
};

const keyOf = (item: unknown): string => JSON.stringify(item);
