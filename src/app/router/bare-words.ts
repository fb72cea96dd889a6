// A message to a coding agent that is a command to the plan: "next", "expand FEAT-A". Everything else is left to the agent.

import type { Context } from "../../actions/context.js";
import type { OperationName } from "../../graph/operation-names.js";
import type { Failure } from "../../graph/result.js";
import { findSpelling } from "../command-line.js";
import { ALL_PHRASES } from "./intents.js";
import { type Routed, route } from "./route.js";
import { looksLikeId, tokenize } from "./understand.js";

export type BareWords =
  | { readonly routed: Routed }
  /** A command without its node: what to ask back, with what is in focus. */
  | { readonly asks: Failure }
  /** `already-command`: the agent has commands of its own, such as `/next`. */
  | { readonly left: "already-command" | "too-long" | "no-verb" | "not-a-command" };

const MOST_WORDS = 5;
const FORCED = /^\s*(?:must do|just do|exactly)\s*:/iu;

export async function routeBareWords(context: Context, text: string): Promise<BareWords> {
  if (text.trimStart().startsWith("/")) return { left: "already-command" };
  if (!FORCED.test(text)) {
    const words = tokenize(text);
    if (words.length > MOST_WORDS || text.includes("\n")) return { left: "too-long" };
    if (!beginsWithVerb(words.map(({ word }) => word))) return { left: "no-verb" };
  }
  const routed = await route(context, text);
  if (routed.ok) return isProse(text, routed.value) ? { left: "not-a-command" } : { routed: routed.value };
  return routed.error.reason === "which-node" ? { asks: routed.error } : { left: "not-a-command" };
}

/** Operations that take any words. To an agent, "find the bug" and "surface the error" are about code. */
const TAKES_WORDS: ReadonlySet<OperationName> = new Set<OperationName>(["search", "promote", "plan.start"]);

/** Such words are for the plan if they are quoted, name a file or a node, or come with a prefix of ours. */
const isProse = (text: string, { operation, words }: Routed): boolean =>
  TAKES_WORDS.has(operation) &&
  words.length > 1 &&
  !FORCED.test(text) &&
  !/^\s*plan-|["“`]/iu.test(text) &&
  !(words.length === 2 && (looksLikeId(words[1] ?? "") || /[./]/u.test(words[1] ?? "")));

const beginsWithVerb = (words: readonly string[]): boolean =>
  findSpelling(words) !== undefined ||
  ALL_PHRASES.some((phrase) => phrase.words.every((word, i) => words[i] === word)) ||
  words[0]?.startsWith("plan-") === true;
