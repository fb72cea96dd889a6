// The token of this sign-in. It is in the storage of this tab and in the header of each request: never in a cookie, which a browser sends
// to every port of this machine, and never in an address. Other tabs of the same origin get it from here.

import { signal } from "./signal.js";

const STORED = "planwright.token";

export const token = signal(sessionStorage.getItem(STORED) ?? undefined);

/** The server no longer knows the token that this tab had. */
export const isSignedOut = signal(false);

/** Whether other tabs may still answer. */
export const isAsking = signal(token.get() === undefined);

/** Those that the server refused: another tab may not have noticed yet. */
const refused = new Set<string>();

/** Only pages of this origin hear it: another port is another origin. */
const tabs = new BroadcastChannel(STORED);

type Message = { readonly kind: "ask" } | { readonly kind: "token"; readonly token: string };

function send(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it stays within its origin
  tabs.postMessage(message);
}

tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
  const own = token.get();
  if (data.kind === "ask" && own !== undefined) send({ kind: "token", token: own });
  if (data.kind === "token" && own === undefined && !refused.has(data.token)) take(data.token);
});

function take(given: string): void {
  sessionStorage.setItem(STORED, given);
  isAsking.set(false);
  isSignedOut.set(false);
  token.set(given);
}

/** After a sign-in in this tab. */
export function keepToken(given: string): void {
  take(given);
  send({ kind: "token", token: given });
}

/** The server refused it. One that came meanwhile stays. */
export function dropToken(used: string): void {
  refused.add(used);
  if (token.get() !== used) return;
  sessionStorage.removeItem(STORED);
  isSignedOut.set(true);
  token.set(undefined);
  askOtherTabs();
}

const ANSWER_MS = 200;

/** Another tab may be signed in. The code is asked for if none answers at once. */
export function askOtherTabs(): void {
  isAsking.set(true);
  send({ kind: "ask" });
  setTimeout(() => isAsking.set(false), ANSWER_MS);
}
