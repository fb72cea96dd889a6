// What the palette offers for some words.

import { act, undo } from "../api/act.js";
import type { AttemptRow, LogRow, Output, Step } from "../api/types.js";
import { VIEWS } from "../frame/address.js";
import { go, openId } from "../frame/route.js";
import { switchTheme } from "../frame/theme.js";
import type { Verbs } from "../panel/use-verbs.js";
import type { LineName } from "../parts/sign.js";
import { confirmedInput, doneWords, isOffered, labelOf, looks, subjectOf } from "../parts/steps.js";
import { clock, date, plural, upperFirst } from "../parts/words.js";

export interface Choice {
  readonly key: string;
  readonly icon: LineName;
  readonly id?: string;
  readonly words: string;
  /** Why it is not allowed; it is listed all the same. */
  readonly refused?: string | undefined;
  readonly run: () => void;
}

type Hit = Output<"search">["hits"][number];

const ICONS: Readonly<Record<string, LineName>> = {
  node: "plan",
  question: "question",
  run: "planning",
  attempt: "now",
};

export const foundChoices = (hits: readonly Hit[]): Choice[] =>
  hits.map(({ kind, id, title }) => ({
    key: `${kind} ${id}`,
    icon: ICONS[kind] ?? "file",
    id,
    words: title,
    run: () => openId(id),
  }));

export const viewChoices = (text: string): Choice[] =>
  VIEWS.filter((view) => text === "" || view.startsWith(text.toLowerCase())).map((view) => ({
    key: `view ${view}`,
    icon: view,
    words: upperFirst(view),
    run: () => go({ view, item: null, approve: null }),
  }));

const SHOWN = 4;
const has = (wanted: string, ...texts: readonly string[]): boolean =>
  texts.some((text) => text.toLowerCase().includes(wanted));

interface Others {
  readonly runs: readonly { readonly id: string; readonly title: string }[];
  readonly attempts: readonly AttemptRow[];
  readonly operations: readonly LogRow[];
}

/** Runs, attempts, files and operations. */
export function otherChoices(text: string, { runs, attempts, operations }: Others): Choice[] {
  const wanted = text.toLowerCase();
  if (wanted === "") return [];
  const mentions = operations.filter(({ op, actor, sentence }) => has(wanted, String(op), actor, sentence)).length;
  const isFile = /[/.]/.test(text) && !/\s/.test(text);
  return [
    ...runs
      .filter(({ id, title }) => has(wanted, id, title))
      .slice(0, SHOWN)
      .map(({ id, title }) => ({ key: id, icon: "planning" as const, id, words: title, run: () => openId(id) })),
    ...attempts
      .filter(({ id, task }) => has(wanted, id, task))
      .slice(0, SHOWN)
      .map(({ id, task, state }) => ({
        key: id,
        icon: "now" as const,
        id,
        words: `of ${task}, ${state}`,
        run: () => openId(id),
      })),
    ...(isFile
      ? [
          {
            key: "file",
            icon: "file" as const,
            words: `Tasks that touch ${text}`,
            run: () => go({ view: "plan", layout: "tree", item: null, filter: `file:${text}` }),
          },
        ]
      : []),
    ...(mentions > 0
      ? [
          {
            key: "operations",
            icon: "history" as const,
            words: `${plural(mentions, "operation")} that ${mentions === 1 ? "mentions" : "mention"} “${text}”`,
            run: () => go({ view: "history", item: null, filter: text }),
          },
        ]
      : []),
  ];
}

interface Subject {
  readonly subject: string | null;
  readonly verbs: Verbs;
  /** Absent at level off. */
  readonly pause: Step | undefined;
  readonly mayAct: boolean;
}

const runStep = (step: Step): void => {
  if (step.operation === "approve") go({ approve: subjectOf(step) ?? null });
  else if (step.operation === "question.answer") go({ view: "now", item: subjectOf(step) ?? null });
  else void act(step.operation, confirmedInput(step), doneWords(step));
};

/** What the server lets you do with the node, and what it refuses, with the reason. */
function verbsOn({ subject, verbs, mayAct }: Subject): Choice[] {
  if (subject === null) return [];
  return [...verbs.values()]
    .filter(({ step }) => isOffered(step) && !looks(step))
    .map(({ step, refused }) => ({
      key: JSON.stringify(step),
      icon: step.operation === "approve" ? "approval" : "right",
      words: labelOf(step),
      refused: mayAct ? (refused ?? undefined) : "read-only here",
      // What needs your words asks for them in the panel.
      run: () => (step.needs?.length ? openId(subject) : runStep(step)),
    }));
}

export function verbChoices(text: string, about: Subject): Choice[] {
  const { pause, mayAct } = about;
  const refused = mayAct ? undefined : "read-only here";
  const all: Choice[] = [
    ...verbsOn(about),
    { key: "undo", icon: "undo", words: "Undo the latest operation", refused, run: () => undo() },
    {
      key: "off",
      icon: "now",
      words: "Pause all: level off",
      refused: refused ?? (pause ? undefined : "the level is off"),
      run: () => pause && runStep(pause),
    },
    { key: "theme", icon: "settings", words: "Switch between light and dark", run: switchTheme },
  ];
  const wanted = text.toLowerCase();
  // What is not allowed comes last, with its reason.
  const fitting = all.filter(({ words }) => words.toLowerCase().includes(wanted));
  return fitting.sort((a, b) => Number(a.refused !== undefined) - Number(b.refused !== undefined)).slice(0, MOST_VERBS);
}

const MOST_VERBS = 12;

export function momentChoices(log: readonly LogRow[]): Choice[] {
  return log.map((row) => ({
    key: `op ${row.op}`,
    icon: "history" as const,
    id: String(row.op),
    words: `${date(Date.parse(row.at))}, ${clock(Date.parse(row.at))}: ${row.sentence}`,
    run: () => go({ at: row.op }),
  }));
}
