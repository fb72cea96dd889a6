// A claim's token is shown once, to whoever claimed the task. The plan holds only its hash: somebody who reads the file can hand in
// nothing for others.

import type { Node } from "../../graph/node/node.js";
import { sha256 } from "../../store/sha256.js";
import type { Writer } from "../../store/store.js";
import type { Context } from "../context.js";
import { isOfSame } from "./session-notes.js";

export interface FreshToken {
  /** For the worker. */
  readonly token: string;
  /** For the plan. */
  readonly hash: string;
}

export async function makeToken(writer: Writer): Promise<FreshToken> {
  const token = await writer.random(16);
  return { token, hash: sha256(token) };
}

/** What the plan holds about the token that was shown. The conversation in which the task was claimed needs to show none. */
export function shownToken(context: Context, node: Node, token: string | undefined): string | undefined {
  if (token !== undefined) return sha256(token);
  const { root, conversation, actor } = context;
  const { claim } = node;
  return claim?.by === actor && isOfSame(root, conversation, node) ? claim.token : undefined;
}
