// What the palette offers for some words.

import { act, undo } from "../api/act.js";
import type { LogRow, Output, Step } from "../api/types.js";
import { VIEWS } from "../frame/address.js";
import { go, openId } from "../frame/route.js";
import { switchTheme } from "../frame/theme.js";
import type { LineName } from "../parts/sign.js";
import { confirmedInput, doneWords, labelOf, looks } from "../parts/steps.js";
import { clock, date, upperFirst } from "../parts/words.js";
import { findMoment } from "./moment.js";

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

const GLOBAL: readonly Choice[] = [
  { key: "undo", icon: "undo", words: "Undo the latest operation", run: () => undo() },
  { key: "theme", icon: "settings", words: "Switch between light and dark", run: switchTheme },
  {
    key: "off",
    icon: "now",
    words: "Pause all: level off",
    run: () => void act("level.set", { level: "off" }, "The level is off."),
  },
];

/** Verbs on what is selected come from the server; steps that need words are answered in the panel. */
export function verbChoices(text: string, subject: string | null, steps: readonly Step[], mayAct: boolean): Choice[] {
  const refused = mayAct ? undefined : "Read-only here";
  const own = steps
    .filter((step) => !looks(step))
    .map((step) => ({
      key: JSON.stringify(step),
      icon: "right" as const,
      words: labelOf(step),
      refused: refused ?? (step.needs?.length ? "Needs your words: use the panel" : undefined),
      run: () =>
        step.operation === "approve"
          ? go({ approve: subject })
          : void act(step.operation, confirmedInput(step), doneWords(step)),
    }));
  const approve: Choice[] =
    subject === null
      ? []
      : [
          {
            key: "approve",
            icon: "approval",
            words: `Review and approve ${subject}`,
            refused,
            run: () => go({ approve: subject }),
          },
        ];
  const all = [
    ...own,
    ...approve,
    ...GLOBAL.map((choice) => (choice.key === "theme" ? choice : { ...choice, refused })),
  ];
  const wanted = text.toLowerCase();
  return all.filter(({ words }) => words.toLowerCase().includes(wanted)).slice(0, 8);
}

export function momentChoices(text: string, log: readonly LogRow[]): Choice[] {
  const found = findMoment(text, log, Date.now());
  const rows = found ? [found] : log.slice(0, 6);
  return rows.map((row) => ({
    key: `op ${row.op}`,
    icon: "history" as const,
    id: String(row.op),
    words: `${date(Date.parse(row.at))}, ${clock(Date.parse(row.at))}: ${row.sentence}`,
    run: () => go({ at: row.op }),
  }));
}
