// What a turn used and cost, counted by ourselves: agents count in ways that cannot be compared (for a turn, for
// the whole conversation, for the life of a process, or not at all). Tokens times our prices; what the agent says
// it cost counts only where we know no price.

import type { Usage } from "./agent.js";

/** In USD for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** By the first parts of the model's name, as in `gpt-5-mini` of `gpt-5-mini-2025-08-07`; the longest that fits counts. */
export type Prices = Readonly<Record<string, Price>>;

export interface Tokens {
  /** All input, including what came from a cache. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** Public list prices, for orientation. The configuration overrides them (`agents.NAME.prices`). */
export const LIST_PRICES: Prices = {
  "claude-haiku-4": { input: 1, output: 5, cached: 0.1 },
  "claude-sonnet-4": { input: 3, output: 15, cached: 0.3 },
  "claude-sonnet-5": { input: 2, output: 10, cached: 0.2 },
  "claude-opus": { input: 5, output: 25, cached: 0.5 },
  "gpt-4.1": { input: 2, output: 8, cached: 0.5 },
  "gpt-5": { input: 1.25, output: 10, cached: 0.125 },
  "gpt-5-mini": { input: 0.25, output: 2, cached: 0.025 },
  "gemini-2.5-flash": { input: 0.3, output: 2.5, cached: 0.03 },
  "gemini-2.5-pro": { input: 1.25, output: 10, cached: 0.125 },
};

export const NO_TOKENS: Tokens = { input: 0, output: 0, cached: 0 };

export const NO_AGENT_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: null };

/** A model may be named with its provider, as in `anthropic/claude-sonnet-5`. */
const bareName = (model: string): string => model.slice(model.lastIndexOf("/") + 1);

/** Whole parts only: `gpt-5.5` is no `gpt-5`, and a wrong price is worse than none. */
const begins = (name: string, start: string): boolean => name === start || name.startsWith(`${start}-`);

export function priceOf(model: string | undefined, prices: Prices): Price | undefined {
  if (model === undefined) return undefined;
  const fits = Object.keys(prices).filter((start) => begins(model, start) || begins(bareName(model), start));
  const longest = fits.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : prices[longest];
}

const MILLION = 1_000_000;

export function costOf({ input, output, cached }: Tokens, price: Price): number {
  const fresh = Math.max(0, input - cached);
  return (fresh * price.input + cached * price.cached + output * price.output) / MILLION;
}

/** Of two readings of a counter, what was counted between them. A counter that fell has been started again. */
export const countedSince = (before: number, now: number): number => (now >= before ? now - before : now);

export const tokensSince = (before: Tokens, now: Tokens): Tokens =>
  now.input < before.input || now.output < before.output
    ? now
    : {
        input: now.input - before.input,
        output: now.output - before.output,
        cached: countedSince(before.cached, now.cached),
      };

export interface Reading {
  readonly tokens: Tokens;
  readonly costUsd?: number | undefined;
  readonly model?: string | undefined;
}

export function usageOf(reading: Reading | undefined, prices: Prices): Usage {
  if (reading === undefined) return NO_AGENT_USAGE;
  const { tokens, costUsd, model } = reading;
  const price = priceOf(model, prices);
  return {
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    cachedTokens: tokens.cached,
    // An agent that stops at its limit may tell what it cost, and forget its tokens.
    costUsd: price === undefined || tokens.input + tokens.output === 0 ? (costUsd ?? null) : costOf(tokens, price),
  };
}

/** A sum is known only as far as its parts are. */
export const addAgentUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cachedTokens: a.cachedTokens + b.cachedTokens,
  costUsd: a.costUsd === null ? b.costUsd : a.costUsd + (b.costUsd ?? 0),
});
