// From a reference to a node. Never guesses: several matches are listed, none is chosen.

import { step } from "../next-step.js";
import { absent, ambiguous, ok, type Result } from "../result.js";
import type { Node } from "./node.js";

/** More candidates than a person wants to read. */
const LISTED = 20;

export function pickMatch(reference: string, matches: readonly Node[]): Result<Node> {
  const [only, ...others] = matches;
  if (only && others.length === 0) return ok(only);
  if (!only) {
    return absent("not-found", `Nothing in the plan matches "${shorten(reference)}".`, {
      next: [step("status"), step("search", { text: shorten(reference) })],
      details: { reference: shorten(reference) },
    });
  }
  const shown = matches.slice(0, LISTED);
  const list = shown.map((node) => `  ${node.id}  ${node.title}`).join("\n");
  const more = matches.length > LISTED ? "\n  …" : "";
  return ambiguous("ambiguous", `"${shorten(reference)}" matches several nodes. Name one by its id:\n${list}${more}`, {
    details: { candidates: shown.map((node) => ({ id: node.id, title: node.title })) },
  });
}

/** Titles are compared without regard to case, and a dash or an underscore is as good as a space. */
export const titleKey = (text: string): string => text.trim().toLowerCase().replace(/[-_]/g, " ");

/**
 * The nodes whose title is exactly these words; if there are none, those whose title contains them. Of a bug and the feature that was
 * made around it, with the same title, the bug.
 */
export function pickTitles(words: string, nodes: readonly Node[]): Node[] {
  const partial = nodes.filter(({ title }) => titleKey(title).includes(words));
  const exact = partial.filter(({ title }) => titleKey(title) === words);
  const found = exact.length > 0 ? exact : partial;
  return found.filter(({ nr, title }) => !found.some((other) => other.parent === nr && other.title === title));
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
      next: [step("focus", {}, "reference")],
    });
  }
  if (token === "--active") return ok(focused);
  const tier = token.slice(2);
  const found = path.find((node) => node.tier === tier);
  if (found) return ok(found);
  return absent("no-focus", `The focus ${focused.id} is not inside a ${tier}.`, {
    next: [step("focus", {}, "reference")],
  });
}
