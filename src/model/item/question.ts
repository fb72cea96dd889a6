// A question for a person: what they can answer, what is recommended, until when, and what waits for it.

import type { Actor } from "../actor.js";
import type { SplitDraft } from "../attempt/attempt.js";
import { type NextStep, step } from "../next-step.js";
import { spaced } from "../words.js";

export interface Option {
  /** What is typed to choose it. */
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** The answer needs a note. */
  readonly free?: boolean;
}

export const QUESTION_KINDS = [
  "question",
  "stagnation",
  "limit",
  "conformance",
  "critic",
  "overview",
  "failure",
  "approval",
  "rejected",
  "footprint",
  "split",
  "conflict",
  "budget",
  "land",
  "merge",
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** The option that ends the pause after a storm of failures. */
export const GO_ON = "go-on";

/** The option that says that the main branch has the feature already. */
export const LANDED = "landed";

export interface Answer {
  readonly option: string;
  readonly note: string;
  readonly by: Actor;
  readonly at: number;
  /** `by` is the agent that passed on what a person said to it. */
  readonly relayed?: true;
}

export interface Question {
  /** What a worker outside of an attempt proposed to split its task into. */
  readonly split?: SplitDraft;
  /** Whose end it is about. */
  readonly attempt?: string;
  /** Values that two clones gave to one field of a node, by option. */
  readonly merge?: { readonly node: number; readonly field: string; readonly values: readonly unknown[] };
  readonly kind: QuestionKind;
  readonly state: "open" | "answered" | "withdrawn";
  readonly question: string;
  readonly context: string;
  readonly options: readonly Option[];
  /** The id of an option, or null. */
  readonly recommended: string | null;
  /** Afterwards the recommended option is taken, if there is one; null: it never expires. */
  readonly expiresAt: number | null;
  /** Ids of the runs and nodes that wait for it. */
  readonly blocks: readonly string[];
  /** What belongs to it, such as a planning run: the same question of the same owner is asked once. */
  readonly owner: string;
  readonly answer: Answer | null;
  /** Why it was withdrawn, where that is known. */
  readonly withdrawnBecause?: string;
  readonly createdAt: number;
  readonly createdBy: Actor;
}

export interface KeyedQuestion {
  readonly key: string;
  readonly fields: Pick<Question, "owner" | "question" | "state">;
}

/** The same question of the same owner that is still open: it is asked once. */
export const openTwin = <T extends KeyedQuestion>(
  known: readonly T[],
  asked: Pick<Question, "owner" | "question">,
): T | undefined =>
  known.find(
    ({ fields }) =>
      fields.state === "open" && fields.owner === asked.owner && spaced(fields.question) === spaced(asked.question),
  );

/** Each option once; what is recommended must be one of them. */
export function soundOptions(
  options: readonly Option[],
  recommended: string | null,
): Pick<Question, "options" | "recommended"> {
  const seen = new Set<string>();
  const distinct = options.filter(({ id }) => {
    const key = id.trim().toLowerCase();
    return key !== "" && !seen.has(key) && seen.add(key);
  });
  return { options: distinct, recommended: distinct.some(({ id }) => id === recommended) ? recommended : null };
}

/** An option by its id, by its number in the list, or by the beginning of its label, if only one begins so. */
export function pickOption(options: readonly Option[], typed: string): readonly Option[] {
  const words = typed.trim().toLowerCase();
  if (words === "") return [];
  const byId = options.filter(({ id }) => id.toLowerCase() === words);
  if (byId.length > 0) return byId;
  const numbered = /^\d{1,4}$/.test(words) ? options[Number(words) - 1] : undefined;
  if (numbered) return [numbered];
  const whole = options.filter(({ label }) => label.trim().toLowerCase() === words);
  return whole.length === 1 ? whole : options.filter(({ label }) => label.trim().toLowerCase().startsWith(words));
}

/** Several words that are no option are the answer itself, where own words are welcome. */
export const freeOption = (options: readonly Option[], typed: string): Option | undefined =>
  /\S\s+\S/.test(typed) ? options.find(({ free }) => free === true) : undefined;

/** How to answer a question: with what is recommended, or what the reader chooses. */
export const answerStep = (id: string, recommended: string | null): NextStep =>
  recommended === null
    ? step("question.answer", { id }, "option")
    : step("question.answer", { id, option: recommended });

export const isExpired = ({ expiresAt }: Pick<Question, "expiresAt">, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;
