// What a finished feature has taught, for later plans: discoveries, failures that were overcome, and decisions
// against the checks. At most a few, and none that is known already.

import { type Actor, isPerson } from "../actor.js";
import type { Lesson } from "../item/lesson.js";
import type { Node, Nr, Report } from "../node/node.js";
import type { Branch } from "../status/rollup.js";
import { keywordsOf, spaced } from "../words.js";

/** `by`: who wrote its words; null if a check said them. */
type NewLesson = Pick<Lesson, "text" | "keywords" | "scope" | "source"> & { readonly by: Actor | null };

/** Why an earlier attempt was rejected, and whose words these are. */
export interface Rejection {
  readonly reason: string;
  readonly by: Actor | null;
}

export const LESSONS_AT_MOST = 20;
const KEYWORDS_AT_MOST = 12;

/** Who is asked to compare: the same lesson of the same place is kept once. */
export const lessonKey = ({ text, source }: Pick<Lesson, "text" | "source">): string =>
  `${source}\n${spaced(text).toLowerCase()}`;

const named = ({ id, title }: Node): string => `${id} "${title}"`;

type Told = readonly [about: Node, text: string, by: Actor | null];

const discoveries = (node: Node, byNr: ReadonlyMap<Nr, Node>): Told[] =>
  node.discoveries.map(({ note, from, by }) => {
    const where = byNr.get(from) ?? node;
    return [where, discoveryText(note, where), by];
  });

export const discoveryText = (note: string, where: Node): string => `${spaced(note)} (found in ${named(where)})`;

/** A person accepted what the checks or the worker had rejected. */
const overrideOf = ({ acceptance, report }: Node): string | null =>
  acceptance?.state === "accepted" && isPerson(acceptance.by) && report?.failure ? (acceptance.reason ?? "") : null;

/** The words of an override are a person's, but those of what it overrode may be an agent's. */
function struggle(task: Node, failures: ReadonlyMap<Nr, Rejection>): Told[] {
  if (task.outcome?.kind !== "done") return [];
  const { report } = task;
  const own = report?.failure && { reason: report.failure.reason, by: wordsOfChecks(report) ? null : report.by };
  const failure = own ?? failures.get(task.nr);
  if (failure === undefined) return [];
  const { reason, by } = failure;
  const override = overrideOf(task);
  return override === null
    ? [[task, `${named(task)} was rejected before it was accepted: ${spaced(reason)}`, by]]
    : [[task, `${named(task)} was accepted although ${spaced(reason)}. The reason: ${spaced(override)}`, by]];
}

const wordsOfChecks = ({ checks, failure }: Report): boolean =>
  checks.some(({ run, outcome }) => failure?.reason === `${run}: ${outcome}`);

export const lessonKeywords = ({ title, files }: Node, feature: Node | undefined): string[] =>
  keywordsOf([title, feature?.title ?? "", ...files].join("\n"), KEYWORDS_AT_MOST);

/**
 * `failures` has what an earlier attempt of a task failed with; `known` the keys of lessons that were ever kept,
 * forgotten ones included. Discoveries come first, because they were written down on purpose.
 */
export function harvest(branch: Branch, failures: ReadonlyMap<Nr, Rejection>, known: ReadonlySet<string>): NewLesson[] {
  const byNr = new Map(branch.map((node) => [node.nr, node]));
  const told = [
    ...branch.flatMap((node) => discoveries(node, byNr)),
    ...branch.flatMap((node) => struggle(node, failures)),
  ];
  const lessons = new Map<string, NewLesson>();
  for (const [node, text, by] of told) {
    const feature = node.feature === null ? undefined : byNr.get(node.feature);
    const lesson = { text, keywords: lessonKeywords(node, feature), scope: node.feature, source: node.id, by };
    const key = lessonKey(lesson);
    if (!known.has(key) && !lessons.has(key)) lessons.set(key, lesson);
  }
  return [...lessons.values()].slice(0, LESSONS_AT_MOST);
}
