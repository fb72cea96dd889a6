// The token of this sign-in. It is in the storage of this tab and in the header of each request: never in a cookie, which a browser sends
// to every port of this machine, and never in an address. It only reads: what changes something is signed (browser-key.ts).

import { signal } from "./signal.js";

const STORED = "planwright.token";

export const token = signal(sessionStorage.getItem(STORED) ?? undefined);

/** The server no longer knows the token that this tab had. */
export const isSignedOut = signal(false);

/** Something other than your board answers at this address. Nothing that it says is believed. */
export const isForeign = signal(false);

export function keepToken(given: string): void {
  sessionStorage.setItem(STORED, given);
  isSignedOut.set(false);
  token.set(given);
}

/** The server refused it. One that came meanwhile stays. */
export function dropToken(used: string): void {
  if (token.get() !== used) return;
  sessionStorage.removeItem(STORED);
  isSignedOut.set(true);
  token.set(undefined);
}
