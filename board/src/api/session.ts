// Who looks at the board, and what this browser may do. You type a code once; then the key that the browser made signs it in.

import {
  type BrowserKey,
  forgetKey,
  isProof,
  keepKey,
  makeChallenge,
  makeKey,
  readKey,
  readShared,
} from "./browser-key.js";
import { postSigned, request } from "./client.js";
import { signal } from "./signal.js";
import { dropToken, isForeign, isSignedOut, keepToken, token } from "./token.js";
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
  /** Whether what is done here is done as a person: not where an agent started the server. */
  readonly canConfirm: boolean;
  /** The key that signs for this session. */
  readonly browser: string;
}

export const session = signal<Session | undefined>(undefined);
export const sessionFailure = signal<ApiFailure | undefined>(undefined);

/** Whether the key of this browser is tried: nothing is asked for meanwhile. */
export const isSigningIn = signal(true);

/** The token of a tab is of use only together with the key that it came with. */
export async function openSession(): Promise<Session | undefined> {
  const used = token.get();
  const challenge = makeChallenge();
  const { answer } = await request<Session & { readonly proof: string }>(`/api/session?challenge=${challenge}`);
  if (answer.ok) {
    const key = await readKey();
    if (key === undefined || key.id !== answer.data.browser) {
      if (used !== undefined) dropToken(used);
      return undefined;
    }
    isForeign.set(!(await isProof(key, challenge, answer.data.proof)));
    if (isForeign.get()) return undefined;
    session.set(answer.data);
  }
  // Without a session the page asks for a code.
  sessionFailure.set(answer.ok || answer.error.reason === "no-session" ? undefined : answer.error);
  return answer.ok ? answer.data : undefined;
}

interface SignedIn {
  readonly token: string;
  readonly browser: string;
  /** With a code only. */
  readonly shared?: string;
}

/** Other tabs of this origin try their key again. Nothing secret is said there. */
const tabs = new BroadcastChannel("planwright.sign-in");

/** Only the server sees the code, once. Answers why not. */
export async function signIn(code: string): Promise<ApiFailure | undefined> {
  const { own, key } = await makeKey();
  const answer = await postSigned<SignedIn>("/api/session", { code, key }, own);
  if (!answer.ok) return answer.error;
  await keepKey({ id: answer.data.browser, own, shared: await readShared(answer.data.shared ?? "") });
  keepToken(answer.data.token);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it stays within its origin
  tabs.postMessage("signed in");
  return undefined;
}

tabs.addEventListener("message", () => void (token.get() === undefined ? signInAgain() : openSession()));

let signingIn: Promise<void> | undefined;

/** With the key of this browser, if the board knows it. What asks at the same time waits for the same answer. */
export function signInAgain(): Promise<void> {
  signingIn ??= tryKey().finally(() => {
    signingIn = undefined;
    isSigningIn.set(false);
  });
  return signingIn;
}

async function tryKey(): Promise<void> {
  const key = token.get() === undefined ? await readKey() : undefined;
  if (key === undefined) return;
  isSigningIn.set(true);
  const answer = await postSigned<SignedIn>("/api/session", { browser: key.id }, key.own);
  if (answer.ok) keepToken(answer.data.token);
  else await failed(key, answer.error);
}

async function failed(key: BrowserKey, error: ApiFailure): Promise<void> {
  // A board that does not answer may know the key.
  if (error.reason !== "unknown-browser") return sessionFailure.set(error);
  sessionFailure.set(undefined);
  isSignedOut.set(true);
  await forgetKey(key);
}
