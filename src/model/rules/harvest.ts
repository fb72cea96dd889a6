// What a finished feature has taught, for later plans: discoveries, failures that were overcome, and decisions
// against the checks. At most a few, and none that is known already.

import { isPerson } from "../actor.js";
import type { Lesson } from "../item/lesson.js";
import type { Node, Nr } from "../node/node.js";
import type { Branch } from "../status/rollup.js";
import { keywordsOf, spaced } from "../words.js";

type NewLesson = Pick<Lesson, "text" | "keywords" | "scope" | "source">;

export const LESSONS_AT_MOST = 20;
const KEYWORDS_AT_MOST = 12;

/** Who is asked to compare: the same lesson of the same place is kept once. */
export const lessonKey = ({ text, source }: Pick<Lesson, "text" | "source">): string =>
  `${source}\n${spaced(text).toLowerCase()}`;

const named = ({ id, title }: Node): string => `${id} "${title}"`;

function discoveries(node: Node, byNr: ReadonlyMap<Nr, Node>): [Node, string][] {
  return node.discoveries.map(({ note, from }) => {
    const where = byNr.get(from) ?? node;
    return [where, `${spaced(note)} (found in ${named(where)})`];
  });
}

/** A person accepted what the checks or the worker had rejected. */
const overrideOf = ({ acceptance, report }: Node): string | null =>
  acceptance?.state === "accepted" && isPerson(acceptance.by) && report?.failure ? (acceptance.reason ?? "") : null;

function struggle(task: Node, failures: ReadonlyMap<Nr, string>): [Node, string][] {
  if (task.outcome?.kind !== "done") return [];
  const failure = task.report?.failure?.reason ?? failures.get(task.nr);
  if (failure === undefined) return [];
  const override = overrideOf(task);
  return override === null
    ? [[task, `${named(task)} was rejected before it was accepted: ${spaced(failure)}`]]
    : [[task, `${named(task)} was accepted although ${spaced(failure)}. The reason: ${spaced(override)}`]];
}

/**
 * `failures` has what an earlier attempt of a task failed with; `known` the keys of lessons that were ever kept,
 * forgotten ones included. Discoveries come first, because they were written down on purpose.
 */
export function harvest(branch: Branch, failures: ReadonlyMap<Nr, string>, known: ReadonlySet<string>): NewLesson[] {
  const byNr = new Map(branch.map((node) => [node.nr, node]));
  const told = [
    ...branch.flatMap((node) => discoveries(node, byNr)),
    ...branch.flatMap((node) => struggle(node, failures)),
  ];
  const lessons = new Map<string, NewLesson>();
  for (const [node, text] of told) {
    const feature = node.feature === null ? undefined : byNr.get(node.feature);
    const keywords = keywordsOf([node.title, feature?.title ?? "", ...node.files].join("\n"), KEYWORDS_AT_MOST);
    const lesson = { text, keywords, scope: node.feature, source: node.id };
    const key = lessonKey(lesson);
    if (!known.has(key) && !lessons.has(key)) lessons.set(key, lesson);
  }
  return [...lessons.values()].slice(0, LESSONS_AT_MOST);
}
