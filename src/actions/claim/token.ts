// A claim's token is shown once, to whoever claimed the task. The plan holds only its hash: somebody who reads the file can hand in
// nothing for others.

import { sha256 } from "../../store/sha256.js";
import type { Writer } from "../../store/store.js";

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

/** What the plan holds about a token that somebody showed. */
export const hashOfToken = (token: string | undefined): string | undefined =>
  token === undefined ? undefined : sha256(token);
