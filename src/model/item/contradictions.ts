// Where a plan breaks an active constraint, or leaves an active requirement to chance.

import { matchesGlob } from "../conflict/glob.js";
import type { Content, Nr } from "../node/node.js";
import { type KeyedRecord, measureText, type Override, type PlanRecord } from "./record.js";

export interface JudgedTask extends Pick<Content, "title" | "body" | "files"> {
  readonly id: string;
  readonly nr: Nr | null;
  readonly checks: readonly { readonly run: string; readonly expect?: string | undefined }[];
  /** Of the approved content, if it is approved. */
  readonly hash?: string | null;
  /** The feature that it belongs to, or will belong to. */
  readonly feature: Nr | null;
}

export interface Contradiction {
  readonly record: string;
  /** Null for a requirement that nothing in the plan takes up. */
  readonly task: string | null;
  readonly kind: "forbidden-file" | "forbidden-words" | "requirement-missed";
  /** The file, the words or the metric. */
  readonly what: string;
  readonly message: string;
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Whole words in any case, however they are spaced; of a script without spaces any place counts. */
function finder(words: string): RegExp {
  const pattern = words
    .trim()
    .split(/\s+/)
    .map((word) => escapeRegExp(word))
    .join("\\s+");
  const edge = (char: string | undefined, look: string): string => (/[\p{L}\p{N}_]/u.test(char ?? "") ? look : "");
  const spaced = !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(words);
  const letters = spaced ? Array.from(words.trim()) : [];
  return new RegExp(
    `${edge(letters[0], "(?<![\\p{L}\\p{N}_])")}${pattern}${edge(letters.at(-1), "(?![\\p{L}\\p{N}_])")}`,
    "iu",
  );
}

export const says = (text: string, words: string): boolean => words.trim() !== "" && finder(words).test(text);

const textOf = ({ title, body, checks }: JudgedTask): string =>
  [title, body, ...checks.flatMap(({ run, expect }) => [run, expect ?? ""])].join("\n");

const applies = ({ scope }: PlanRecord, { feature }: JudgedTask): boolean => scope === null || scope === feature;

const named = (key: string, { title }: PlanRecord): string => `${key} "${title}"`;

const isActive = ({ fields }: KeyedRecord): boolean => fields.state === "active";

const overridesFor = ({ nr, hash }: JudgedTask, { overrides = [] }: PlanRecord): Override[] =>
  overrides.filter((override) => nr !== null && override.task === nr && override.hash === hash);

/** Approved all the same: the record with the overrides of these contradictions. `taskOf`: what is approved, by its id. */
export function overriding(
  { key, fields: { overrides = [] } }: KeyedRecord,
  found: readonly Contradiction[],
  taskOf: (id: string) => Pick<Override, "task" | "hash"> | undefined,
  made: Pick<Override, "by" | "at" | "reason">,
): Pick<PlanRecord, "overrides"> {
  const own = found.filter(({ record }) => record === key);
  const added: Override[] = [];
  for (const id of new Set(own.flatMap(({ task }) => task ?? []))) {
    const task = taskOf(id);
    if (task === undefined) continue;
    const whats = (kind: Contradiction["kind"]): string[] =>
      own.filter((each) => each.task === id && each.kind === kind).map(({ what }) => what);
    added.push({ ...task, files: whats("forbidden-file"), words: whats("forbidden-words"), ...made });
  }
  // What held for an earlier content holds no more.
  const others = overrides.filter(({ task, hash }) => !added.some((each) => each.task === task && each.hash !== hash));
  return { overrides: [...others, ...added] };
}

/** Every file and every word of a task that an active constraint forbids. */
export function brokenConstraints(tasks: readonly JudgedTask[], records: readonly KeyedRecord[]): Contradiction[] {
  const found: Contradiction[] = [];
  for (const { key, fields } of records.filter(isActive)) {
    if (fields.forbids === null) continue;
    const { files, words } = fields.forbids;
    for (const task of tasks) {
      if (!applies(fields, task)) continue;
      const allowed = overridesFor(task, fields);
      for (const file of task.files) {
        if (allowed.some((override) => override.files.some((glob) => matchesGlob(glob, file)))) continue;
        const pattern = files.find((glob) => matchesGlob(glob, file));
        if (pattern === undefined) continue;
        const message = `${task.id} touches ${file}, which ${named(key, fields)} forbids (${pattern}).`;
        found.push({ record: key, task: task.id, kind: "forbidden-file", what: file, message });
      }
      for (const forbidden of words) {
        if (!says(textOf(task), forbidden) || allowed.some((override) => override.words.includes(forbidden))) continue;
        const message = `${task.id} says "${forbidden}", which ${named(key, fields)} forbids.`;
        found.push({ record: key, task: task.id, kind: "forbidden-words", what: forbidden, message });
      }
    }
  }
  return found;
}

/** A task takes up a requirement when it is linked to it, or names its key, its metric or its command. */
function takesUp(task: JudgedTask, { key, fields }: KeyedRecord): boolean {
  if (!applies(fields, task)) return false;
  if (task.nr !== null && fields.tasks.includes(task.nr)) return true;
  const { metric = "", run = null } = fields.measure ?? {};
  const text = textOf(task);
  return (
    says(text, key) || says(text, metric) || (run !== null && task.checks.some((check) => check.run.includes(run)))
  );
}

/** Every active requirement that none of the tasks takes up. */
export function missedRequirements(tasks: readonly JudgedTask[], records: readonly KeyedRecord[]): Contradiction[] {
  return records
    .filter((record) => isActive(record) && record.fields.kind === "requirement")
    .filter((record) => !tasks.some((task) => takesUp(task, record)))
    .map(({ key, fields }) => {
      const what = fields.measure?.metric ?? fields.title;
      const measured = fields.measure ? measureText(fields.measure) : fields.title;
      const message = `No task takes up ${named(key, fields)} (${measured}): name ${key} in a task or its checks.`;
      return { record: key, task: null, kind: "requirement-missed", what, message };
    });
}

export const contradictions = (tasks: readonly JudgedTask[], records: readonly KeyedRecord[]): Contradiction[] => [
  ...brokenConstraints(tasks, records),
  ...missedRequirements(tasks, records),
];
