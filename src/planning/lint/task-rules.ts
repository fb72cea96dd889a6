// Whether the work is cut well, not too large for one worker, not in crumbs, not twice in the same files, and whether its texts
// say what has to be done. A worker sees only its task and cannot ask.

import { inferProfile } from "../../model/node/profile.js";
import { finding } from "../contracts/findings.js";
import { type DraftTask, nodesOf } from "../contracts/plan-draft.js";
import { taskOf } from "../draft/shape.js";
import { type LintRule, names, quoted } from "./rules.js";

const SIZE_LIMITS = { files: 3, hours: 8, tinyHours: 0.5 } as const;

const isTestFile = ({ path, layer }: DraftTask["files"][number]): boolean =>
  layer === "test" || inferProfile([path]) === "test";

/** Why a task is large; nothing, if it is not. */
function largeness(task: DraftTask): string[] {
  const code = task.files.filter((file) => !isTestFile(file));
  const layers = new Set(code.flatMap(({ layer }) => (layer === undefined || layer === "docs" ? [] : [layer])));
  const why: string[] = [];
  if (code.length > SIZE_LIMITS.files) why.push(`${code.length} files without the tests`);
  if (layers.size > 1) why.push(`layers ${[...layers].join(" and ")}`);
  if ((task.estimateHours ?? 0) > SIZE_LIMITS.hours) why.push(`${task.estimateHours} hours`);
  return why;
}

const tasksAreSmall: LintRule = function* ({ work }) {
  for (const task of work) {
    if ((task.sizeReason ?? "").trim() !== "") continue;
    const why = largeness(task);
    if (why.length === 0) continue;
    const say = `${task.id} ${quoted(task.title)} is large: ${why.join(", ")}.`;
    yield finding("P-LARGE", task.id, say);
  }
};

const footprint = ({ files }: DraftTask): string => [...new Set(files.map(({ path }) => path))].sort().join("\n");

const isTiny = (task: DraftTask): boolean =>
  task.kind === "work" &&
  task.files.length > 0 &&
  (task.sizeReason ?? "").trim() === "" &&
  task.estimateHours !== undefined &&
  task.estimateHours < SIZE_LIMITS.tinyHours;

const tasksAreNoCrumbs: LintRule = function* ({ shape }) {
  for (const [nr, task] of shape.draft.tasks.entries()) {
    if (!isTiny(task)) continue;
    const before = (shape.waits[nr] as readonly number[])
      .filter((other) => other < shape.tasks && isTiny(taskOf(shape, other)))
      .map((other) => taskOf(shape, other))
      .filter((other) => footprint(other) === footprint(task));
    if (before.length === 0) continue;
    const ids = [...before.map(({ id }) => id), task.id];
    const say = `${ids.join(" and ")} take less than ${SIZE_LIMITS.tinyHours} hours each, one after the other, in the same files.`;
    yield finding("P-SMALL", ids.join(", "), say);
  }
};

const overlapsAreOrdered: LintRule = function* ({ sequence }) {
  const shared = new Map<string, Set<string>>();
  for (const { task, on, why } of sequence.added) {
    const ids = shared.get(why) ?? new Set<string>();
    shared.set(why, ids.add(on).add(task));
  }
  for (const [why, ids] of shared) {
    const say = `${names([...ids])} could run together, but ${why}.`;
    yield finding("P-OVERLAP", names([...ids]), say, { fixable: true });
  }
  for (const { tasks, paths } of sequence.unordered) {
    const say = `${tasks.join(" and ")} both touch ${names(paths, 3)}, and neither can wait for the other.`;
    yield finding("P-OVERLAP", tasks.join(", "), say, { suggestion: "Move one of them into the other's feature." });
  }
};

/** The profile that a task should have been given. */
export function profileToGive({ profile, files }: DraftTask): string | undefined {
  return profile === undefined ? (inferProfile(files.map(({ path }) => path)) ?? undefined) : undefined;
}

const profilesAreGiven: LintRule = function* ({ work }) {
  for (const task of work) {
    const profile = profileToGive(task);
    if (profile === undefined) continue;
    const say = `${task.id} has no profile; its files say ${profile}.`;
    yield finding("P-PROFILE", task.id, say, { fixable: true });
  }
};

/** Words in capitals are meant as marks; "a todo list" is not. */
const OPEN: readonly RegExp[] = [
  /\b(TBD|FIXME|XXX)\b/,
  /\bTODO\b(?!\.\w|[ -]?(list|item|app|entr|comment|file))/,
  /\bto be (determined|decided|defined|confirmed|announced)\b/i,
  /\b(lorem ipsum|placeholder text|fill (this|me) in|your (text|description) here)\b/i,
  /\betc\.?(?=[\s,;)]|$)/i,
  /\b(and so on|and so forth)\b/i,
  /\?\?\?|<(insert|placeholder|todo|tbd|your)[^<>]*>/i,
  /\bas (needed|appropriate|necessary)\b/i,
];

const openWords = (text: string): string | undefined =>
  OPEN.map((pattern) => pattern.exec(text)?.[0]).find((words) => words !== undefined);

const textsSayWhatToDo: LintRule = function* ({ draft }) {
  for (const { id, title, body } of nodesOf(draft)) {
    const words = openWords(title) ?? openWords(body);
    if (words === undefined) continue;
    yield finding("P-VAGUE", id, `${id} leaves something open: ${quoted(words)}.`);
  }
  const whole = openWords(draft.overview) ?? openWords(draft.rollback);
  if (whole !== undefined) yield finding("P-VAGUE", "plan", `The overview leaves something open: ${quoted(whole)}.`);
};

const textsAreTrimmed: LintRule = function* ({ draft }) {
  for (const { id, title, body } of nodesOf(draft)) {
    if (title === title.trim() && body === body.trimEnd()) continue;
    yield finding("P-SPACES", id, `The title or text of ${id} begins or ends with white space.`, { fixable: true });
  }
};

export const SIZE_RULES: readonly LintRule[] = [tasksAreSmall, tasksAreNoCrumbs, overlapsAreOrdered, profilesAreGiven];

export const TEXT_RULES: readonly LintRule[] = [textsSayWhatToDo, textsAreTrimmed];
