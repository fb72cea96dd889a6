// Answers that fit into a conversation: without what is empty, with long texts and lists cut until the rest fits, and lists page by
// page. A client that wants everything asks for detail.

import { isRecord } from "../../base/json.js";
import { estimateTokens } from "../../model/words.js";
import { harmless } from "../../verbs/kit/wording.js";
import type { JsonObject } from "./tools.js";

/** Tokens of an answer about one thing, of a list, and of either in detail. */
export const BUDGET = { one: 600, list: 1_500, detail: 12_000 } as const;

/** JSON has more signs than prose has, so a token of it is shorter than the estimate takes it to be. */
const SIGNS = 1.5;

const tokensOf = (value: unknown): number => estimateTokens(JSON.stringify(value) ?? "") * SIGNS;

const NOISE: ReadonlySet<string> = new Set(
  "uuid revision epoch createdAt createdBy updatedAt dependsOnTotal score".split(" "),
);

/** A client never sees these: the server keeps them. */
const SECRET: ReadonlySet<string> = new Set(["token"]);

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);

/** Removes secrets and harmful signs and, unless you ask for detail, what is empty or noise. */
export function tidy(value: unknown, detail: boolean): unknown {
  if (typeof value === "string") return harmless(value);
  if (Array.isArray(value)) return value.map((each) => tidy(each, detail));
  if (!isRecord(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [field, each] of Object.entries(value)) {
    if (SECRET.has(field) || (!detail && NOISE.has(field))) continue;
    const tidied = tidy(each, detail);
    if (detail ? tidied !== undefined : !isEmpty(tidied)) kept[field] = tidied;
  }
  return kept;
}

export const cleanedWhole = (value: object): JsonObject =>
  JSON.parse(JSON.stringify(value), (_, each: unknown) => (typeof each === "string" ? harmless(each) : each));

interface Limits {
  readonly text: number;
  readonly items: number;
}

/** Each level cuts more. Texts come first, because a list that is cut loses whole entries. */
const LEVELS: readonly Limits[] = [
  { text: 2_000, items: 50 },
  { text: 600, items: 20 },
  { text: 300, items: 20 },
  { text: 120, items: 20 },
  { text: 60, items: 20 },
  { text: 60, items: 10 },
  { text: 60, items: 5 },
  { text: 40, items: 2 },
];

const MORE = "More";

/** The value itself if it fits; otherwise its texts and lists are cut, and what is missing is counted. */
export function fitBudget(value: unknown, budget: number): { readonly value: unknown; readonly isCut: boolean } {
  if (tokensOf(value) <= budget) return { value, isCut: false };
  let shown = value;
  for (const limits of LEVELS) {
    shown = cut(value, limits);
    if (tokensOf(shown) <= budget) break;
  }
  return { value: shown, isCut: true };
}

function cut(value: unknown, limits: Limits): unknown {
  if (typeof value === "string") return cutText(value, limits.text);
  if (Array.isArray(value)) return value.slice(0, limits.items).map((each) => cut(each, limits));
  if (!isRecord(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [field, each] of Object.entries(value)) {
    kept[field] = cut(each, limits);
    if (Array.isArray(each) && each.length > limits.items) kept[`${field}${MORE}`] = each.length - limits.items;
  }
  return kept;
}

const cutText = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length - longest} more characters)`;

export const PAGE = 50;

export interface Page {
  readonly items: readonly unknown[];
  /** Where the next page begins; undefined on the last one. */
  readonly from?: number;
}

/** As many entries as fit, but at least one. `total`: how many there are, where the list itself may be cut already. */
export function pageOf(list: readonly unknown[], from: number, budget: number, total = list.length): Page {
  const items: unknown[] = [];
  let used = 0;
  for (const entry of list.slice(from, from + PAGE)) {
    const { value } = fitBudget(entry, budget / 4);
    used += tokensOf(value);
    if (used > budget && items.length > 0) break;
    items.push(value);
  }
  const next = from + items.length;
  return next < Math.max(total, list.length) ? { items, from: next } : { items };
}

export function pagedAnswer(value: unknown, name: string, from: number, budget: number): JsonObject {
  if (name === "") {
    const { items, ...rest } = pageOf(Array.isArray(value) ? value : [], from, budget);
    return { items, ...rest };
  }
  const { [name]: list = [], ...beside } = isRecord(value) ? value : {};
  const total = typeof beside["total"] === "number" ? beside["total"] : undefined;
  const { items, ...rest } = pageOf(Array.isArray(list) ? list : [], from, budget * 0.9, total);
  return { [name]: items, ...(fitBudget(beside, budget / 4).value as JsonObject), ...rest };
}
