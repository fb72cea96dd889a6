// Where work on a node begins: at the tip of its feature's branch, or of the main branch while the feature has none.

import { FEATURE_BRANCHES, featureBranch, listRefs } from "../../machine/git/refs.js";
import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";
import { mainCommitOf } from "./main-branch.js";

/** The commit; null without a repository. */
export type TipOf = (reader: Pick<Reader, "idOf">, node: Pick<Node, "feature">) => Promise<string | null>;

/** Reads the branches now, so that a transaction need not. */
export async function readWorkTips(context: Pick<Context, "root" | "gitSettings" | "head">): Promise<TipOf> {
  const head = context.head();
  if (head === null) return async () => null;
  const branches = await listRefs(context.root, FEATURE_BRANCHES);
  const main = (await mainCommitOf(context)) ?? head;
  return async (reader, { feature }) => {
    const id = feature === null ? undefined : await reader.idOf(feature);
    return (id === undefined ? undefined : branches.get(featureBranch(id))) ?? main;
  };
}
