// Who looks at the board, and what this browser may do. A one-time code is exchanged for the token of this sign-in.

import { post, request } from "./client.js";
import { signal } from "./signal.js";
import { keepToken } from "./token.js";
import type { ApiFailure } from "./types.js";

export interface Session {
  /** The folder's name. */
  readonly workspace: string;
  /** Of its checkout; null outside of a repository. */
  readonly branch: string | null;
  readonly root: string;
  readonly actor: string;
  readonly version: string;
  readonly readOnly: boolean;
  /** The latest operation of the log. */
  readonly op: number;
  readonly level: "off" | "on" | "auto" | null;
  /** Whether a person can be confirmed here: not where an agent started the server. */
  readonly canConfirm: boolean;
  /** Whether somebody said in this browser: it is me. */
  readonly confirmed: boolean;
}

export const session = signal<Session | undefined>(undefined);
export const sessionFailure = signal<ApiFailure | undefined>(undefined);

export async function openSession(): Promise<Session | undefined> {
  const { answer } = await request<Session>("/api/session");
  if (answer.ok) session.set(answer.data);
  // Without a session the page asks for a code.
  sessionFailure.set(answer.ok || answer.error.reason === "no-session" ? undefined : answer.error);
  return answer.ok ? answer.data : undefined;
}

/** Only the server sees the code, once. Answers why not. */
export async function signIn(code: string): Promise<ApiFailure | undefined> {
  const { answer } = await request<{ readonly token: string }>("/api/session", post({ code }));
  if (!answer.ok) return answer.error;
  keepToken(answer.data.token);
  return undefined;
}

/** Says once that a person sits here: asked before the first change. */
export async function confirmPerson(): Promise<ApiFailure | undefined> {
  const { answer } = await request<Session>("/api/session/person", post({}));
  if (!answer.ok) return answer.error;
  session.update((known) => known && { ...known, confirmed: true });
  return undefined;
}
