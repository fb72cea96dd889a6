// From a reference to a node. Never guesses: several matches are listed, none is chosen.

import { absent, ambiguous, ok, type Result } from "../result.js";
import type { Node } from "./node.js";

/** More candidates than a person wants to read. */
const LISTED = 20;

export function pickMatch(reference: string, matches: readonly Node[]): Result<Node> {
  const [only, ...others] = matches;
  if (only && others.length === 0) return ok(only);
  if (!only) {
    return absent("not-found", `Nothing in the plan matches "${shorten(reference)}".`, {
      hint: "`planwright status` shows what there is.",
      details: { reference: shorten(reference) },
    });
  }
  const shown = matches.slice(0, LISTED);
  const list = shown.map((node) => `  ${node.id}  ${node.title}`).join("\n");
  const more = matches.length > LISTED ? "\n  …" : "";
  return ambiguous("ambiguous", `"${shorten(reference)}" matches several nodes:\n${list}${more}`, {
    hint: "Say which one by its id.",
    details: { candidates: shown.map((node) => ({ id: node.id, title: node.title })) },
  });
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text);

/** Words that stand for where the actor is working. */
export const FOCUS_TOKENS = ["--active", "--story", "--feature"] as const;
export type FocusToken = (typeof FOCUS_TOKENS)[number];

export const isFocusToken = (reference: string): reference is FocusToken =>
  (FOCUS_TOKENS as readonly string[]).includes(reference);

/** `path` is the focused node and everything above it, nearest first. */
export function pickFocus(token: FocusToken, path: readonly Node[]): Result<Node> {
  const [focused] = path;
  if (!focused) {
    return absent("no-focus", `Nothing is in focus, so ${token} means nothing.`, {
      hint: "`planwright focus ID` sets it; `planwright next` does too.",
    });
  }
  if (token === "--active") return ok(focused);
  const tier = token.slice(2);
  const found = path.find((node) => node.tier === tier);
  if (found) return ok(found);
  return absent("no-focus", `The focus ${focused.id} is not inside a ${tier}.`, {
    hint: "`planwright focus ID` moves it.",
  });
}
