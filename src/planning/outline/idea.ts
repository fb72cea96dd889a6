// A bare idea says what somebody wants and nothing else: no heading, no list. The outline asks what only a person knows, and
// lays a skeleton around the idea, so that nobody takes one long task for a plan.

import type { ClarifyingQuestion } from "../contracts/answers.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { collapse, isOrder, isSmallChange } from "../spec/cues.js";
import type { Spec } from "../spec/spec.js";
import { workOf } from "./read-work.js";
import { shorten, taskTitle, withoutMarks } from "./wording.js";
import { itemsOf } from "./work.js";

const MAX_WORDS = 80;
const MAX_PARTS = 6;

/** What a spec wants, part by part, if it is a bare idea. */
export function ideaOf(spec: Spec): readonly string[] | undefined {
  const { sections, statements, fences } = spec;
  const isProse = statements.every(({ kind, requirements }) => kind === "paragraph" && requirements.length === 0);
  const text = collapse(withoutMarks(statements.map((statement) => statement.text).join(" ")));
  const isBare = sections.every(({ level }) => level === 0) && fences.length === 0 && isProse;
  const words = text.split(" ").length;
  if (!isBare || words < 3 || words > MAX_WORDS || isSmallChange(text)) return undefined;
  const items = itemsOf(workOf(spec)).length;
  return items === 0 || items > MAX_PARTS ? undefined : partsIn(text);
}

/** Where a sentence, a comma or an "and" may begin the next part. */
const MAY_BEGIN = /[.;!,] (?:and )?(?:then )?| and (?:then )?/g;

/** "Add a toggle, and remember it": every order is a part; what orders nothing belongs to the part before it. */
function partsIn(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: between, index } of text.matchAll(MAY_BEGIN)) {
    const rest = text.slice(index + between.length);
    if (parts.length === MAX_PARTS - 1 || !isOrder(rest) || !rest.includes(" ")) continue;
    parts.push(text.slice(from, index));
    from = index + between.length;
  }
  return [...parts, text.slice(from)];
}

const HOW_MUCH = "How much of the idea is planned?";
const ALL = "The idea, what can go wrong, and a word to its users";
const ONLY = "Only the idea itself";
const WHAT_SHOWS = "What shows that it works?";
const A_PERSON = "A person tries it";

type Commands = readonly { readonly purpose: string; readonly run: string }[];

/** Commands that prove something come first. */
const proofs = (commands: Commands): string[] => {
  const tests = commands.filter(({ purpose, run }) => /\b(?:tests?|check|verify)\b/i.test(`${purpose} ${run}`));
  return [...new Set(tests.map(({ run }) => run.trim()))].filter((run) => run.length <= 100).slice(0, 3);
};

export function questionsAboutIdea(commands: Commands): ClarifyingQuestion[] {
  const tests = proofs(commands).map((label) => ({ label, detail: "It has to pass, with new tests for the idea." }));
  const person = { label: A_PERSON, detail: "A task of the plan waits until somebody tried it." };
  const shows = [...tests, person];
  return [
    {
      id: "Q-IDEA-SIZE",
      question: HOW_MUCH,
      why: "An idea does not say where it ends.",
      options: [
        { label: ALL, detail: "A first version from end to end, then failures and wrong input, then its description." },
        { label: ONLY, detail: "What the words ask for, and nothing around it." },
      ],
      default: ALL,
    },
    {
      id: "Q-IDEA-PROOF",
      question: WHAT_SHOWS,
      why: "Nothing counts as done that nobody can show.",
      // One option would be no question.
      options: tests.length > 0 ? shows : [person, { label: "Nothing for now", detail: "You add checks later." }],
      default: (shows[0] as { label: string }).label,
    },
  ];
}

type Answers = readonly { readonly question: string; readonly answer: string }[];

const answerTo = (answers: Answers, question: string): string | undefined =>
  answers.find((given) => given.question === question)?.answer;

/** A draft of one task becomes a task for each part; then come one for what goes wrong, one for the users, and a gate where
 *  no command shows that it works. */
export function withSkeleton(
  draft: PlanDraft,
  parts: readonly string[],
  given: { readonly answers: Answers; readonly commands: Commands },
): PlanDraft {
  const [whole] = draft.tasks;
  if (whole === undefined) return draft;
  const shown = answerTo(given.answers, WHAT_SHOWS);
  const checks = proofs(given.commands).includes(shown ?? "") ? [{ run: shown as string }] : whole.checks;
  const isWhole = answerTo(given.answers, HOW_MUCH) !== ONLY;
  const isCut = draft.tasks.length > 1;
  const built = isCut
    ? draft.tasks.map((task) => ({ ...task, checks, estimateHours: 3 }))
    : parts.map((part, at) => partOf({ ...whole, checks }, part, at));
  const ids = built.map(({ id }) => id);
  const name = shorten((built[0] as DraftTask).title, 50);
  const rest = { ...whole, checks, behaviours: [], dependsOn: ids, steelThread: false };
  const isTried = shown === A_PERSON || (shown === undefined && checks.length === 0);
  return {
    ...draft,
    tasks: [
      ...built,
      ...(isWhole ? around(rest, name) : []),
      ...(isTried ? [tryIt({ ...rest, dependsOn: isWhole ? [...ids, `${whole.id}-FAIL`] : ids }, name)] : []),
    ],
  };
}

function partOf(whole: DraftTask, part: string, at: number): DraftTask {
  const idOf = (place: number): string => (place === 0 ? whole.id : `${whole.id}-${place + 1}`);
  const first = "Make the smallest version that works from end to end, with a test that shows it.";
  const next = "Build it on what is there, with a test that shows it.";
  return {
    ...whole,
    id: idOf(at),
    title: taskTitle(part),
    body: `${part}\n\n${at === 0 ? first : next}\n\nThe whole idea: ${whole.body}`,
    dependsOn: at === 0 ? [] : [idOf(at - 1)],
    estimateHours: 3,
    steelThread: at === 0,
  };
}

const around = (rest: DraftTask, name: string): DraftTask[] => [
  {
    ...rest,
    id: `${rest.id}-FAIL`,
    title: `Handle what can go wrong: ${name}`,
    body: `Empty, wrong and very large input, what is missing, what fails half-way, two at once: decide what happens, build it, and show each with a test.\n\nThe whole idea: ${rest.body}`,
    estimateHours: 2,
  },
  {
    ...rest,
    id: `${rest.id}-TELL`,
    title: `Tell its users: ${name}`,
    body: `Describe it where its users look: help texts, README, change log.\n\nThe whole idea: ${rest.body}`,
    files: [],
    estimateHours: 1,
  },
];

const tryIt = (rest: DraftTask, name: string): DraftTask => ({
  ...rest,
  id: `${rest.id}-TRY`,
  kind: "gate",
  title: `Try it: ${name}`,
  body: `Try it as its users would, and say whether it does what was wanted.\n\nThe whole idea: ${rest.body}`,
  files: [],
  checks: [],
  estimateHours: 1,
});
