// Who looks at the board, and what this browser may do. The token in the address is exchanged for a cookie, and removed from
// the address before anything else happens.

import { post, request } from "./client.js";
import { signal } from "./signal.js";
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

const TOKEN = /^#token=([\w-]+)$/;

/** Only the server sees the token, once. */
async function exchangeToken(): Promise<void> {
  const found = TOKEN.exec(location.hash);
  if (!found) return;
  history.replaceState(null, "", location.pathname + location.search);
  await request("/api/session", post({ token: found[1] }));
}

export async function openSession(): Promise<Session | undefined> {
  await exchangeToken();
  const { answer } = await request<Session>("/api/session");
  if (answer.ok) session.set(answer.data);
  sessionFailure.set(answer.ok ? undefined : answer.error);
  return answer.ok ? answer.data : undefined;
}

/** Says once that a person sits here: asked before the first change. */
export async function confirmPerson(): Promise<ApiFailure | undefined> {
  const { answer } = await request<Session>("/api/session/person", post({}));
  if (!answer.ok) return answer.error;
  session.update((known) => known && { ...known, confirmed: true });
  return undefined;
}
