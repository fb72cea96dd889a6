// One card for each thing that waits for you. The first and what can land are open; Enter or a click opens another.

import { type ReactNode, useEffect, useState } from "react";
import { useRead } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import type { WaitingEntry } from "../api/types.js";
import { LandCard, LandedCards } from "../cards/land-card.js";
import { landings } from "../cards/landings.js";
import { QuestionCard } from "../cards/question-card.js";
import { useKeys } from "../frame/keys.js";
import { go, openId, usePlace } from "../frame/route.js";
import { useWidth } from "../frame/width.js";
import { Age } from "../parts/bits.js";
import { CardRow } from "../parts/card-row.js";
import { Plain } from "../parts/plain.js";
import { Line, type LineName } from "../parts/sign.js";
import { Empty } from "../parts/states.js";
import { StepButton } from "../parts/step-button.js";
import { isOffered, looks, subjectOf } from "../parts/steps.js";
import { hours, plural } from "../parts/words.js";

const ICONS: Readonly<Record<WaitingEntry["kind"], LineName>> = {
  daemon: "daemon",
  question: "question",
  rejected: "question",
  obstacle: "daemon",
  stopped: "question",
  acceptance: "approval",
  landing: "land",
  lost: "land",
  unplanned: "question",
  gate: "gate",
  plan: "approval",
  proposal: "approval",
  stale: "approval",
  unapproved: "approval",
};

const PHONE = 640;

const keyOf = ({ kind, id }: WaitingEntry): string => `${kind} ${id ?? ""}`;
const landOf = ({ next }: WaitingEntry) => next.find(({ operation }) => operation === "land");
const hasBody = (entry: WaitingEntry): boolean =>
  entry.kind === "question" || (entry.kind === "landing" && landOf(entry) !== undefined);

/** Whose card holds more than its buttons. */
function bodyOf(entry: WaitingEntry, current: boolean): ReactNode {
  if (entry.kind === "question" && entry.id !== null) return <QuestionCard id={entry.id} current={current} />;
  const land = landOf(entry);
  return land && <LandCard feature={entry.about ?? entry.id ?? ""} step={land} current={current} />;
}

function Steps({ entry }: { readonly entry: WaitingEntry }) {
  const steps = entry.next.filter(isOffered);
  const acting = steps.find((step) => !looks(step));
  const chosen = acting ?? steps[0];
  if (!chosen) return null;
  const label = chosen.operation === "approve" ? (entry.kind === "stale" ? "See the change" : "Review") : undefined;
  const beside = entry.kind === "proposal" ? subjectOf(chosen) : (entry.id ?? undefined);
  return <StepButton step={chosen} beside={beside} label={label} />;
}

/** How much a plan is: its tasks, and how much of the spec they carry. */
function PlanSize({ run }: { readonly run: string }) {
  const shown = useRead("plan.show", { run }).data;
  const { counts, coverage, checked } = shown ?? {};
  if (!counts) return null;
  const parts = [
    plural(counts.tasks, "task"),
    ...(coverage ? [`${coverage.planned} % of the spec`] : []),
    ...(checked ? [`${checked.withCheck} of ${checked.tasks} with a check`] : []),
  ];
  return <span>{parts.join(", ")}</span>;
}

function Small({ entry }: { readonly entry: WaitingEntry }) {
  const { kind, id, about, detail, holdsUp } = entry;
  const shown = kind === "landing" ? about : id;
  return (
    <small>
      {shown !== null && <span className="id">{shown}</span>}
      {kind === "plan" && id !== null && <PlanSize run={id} />}
      {detail !== null && (
        <span className="detail">
          <Plain text={detail} />
        </span>
      )}
      {holdsUp.nodes > 0 && kind !== "unapproved" && (
        <span>
          holds up {plural(holdsUp.nodes, "task")}, {hours(holdsUp.hours)} of work
        </span>
      )}
      {kind === "unapproved" && holdsUp.hours > 0 && <span>{hours(holdsUp.hours)} of work</span>}
    </small>
  );
}

function Card({ entry, open, current, toggle }: CardProps) {
  const isFoldable = hasBody(entry);
  return (
    <li className={`card ask${current ? " current" : ""}`} data-card={entry.id ?? entry.kind}>
      <CardRow
        icon={ICONS[entry.kind]}
        headline={entry.headline}
        small={<Small entry={entry} />}
        {...(isFoldable && { open, toggle })}
      >
        <Age since={entry.since} />
        {isFoldable ? <Line name={open ? "down" : "right"} size={14} /> : <Steps entry={entry} />}
      </CardRow>
      {open && isFoldable && <div className="body">{bodyOf(entry, current)}</div>}
    </li>
  );
}

interface CardProps {
  readonly entry: WaitingEntry;
  readonly open: boolean;
  readonly current: boolean;
  readonly toggle: () => void;
}

const cardOf = (id: string): Element | null => document.querySelector(`[data-card="${CSS.escape(id)}"]`);

const scrollTo = (id: string): void => cardOf(id)?.scrollIntoView({ block: "nearest" });

const BY_HAND = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** What is in a card comes in a moment, and belongs on the screen: it stays at the top while it grows, until you do something. */
function keepAtTop(id: string): () => void {
  const card = cardOf(id);
  if (!card) return () => undefined;
  const observer = new ResizeObserver(() => card.scrollIntoView({ block: "start" }));
  const stop = (): void => observer.disconnect();
  observer.observe(card);
  for (const event of BY_HAND) window.addEventListener(event, stop, { once: true, passive: true });
  return () => {
    stop();
    for (const event of BY_HAND) window.removeEventListener(event, stop);
  };
}

interface Opened {
  readonly isOpen: (entry: WaitingEntry) => boolean;
  readonly set: (entry: WaitingEntry, open: boolean) => void;
}

/** Which cards are open: on a phone one at a time. */
function useOpened(entries: readonly WaitingEntry[]): Opened {
  const isPhone = useWidth() < PHONE;
  const [chosen, choose] = useState<ReadonlyMap<string, boolean>>(new Map());
  const first = entries[0];
  const atFirst = (entry: WaitingEntry): boolean => entry === first || (!isPhone && entry.kind === "landing");
  return {
    isOpen: (entry) => chosen.get(keyOf(entry)) ?? (atFirst(entry) && !(isPhone && chosen.size > 0)),
    set: (entry, open) => choose((known) => new Map([...(isPhone ? [] : known), [keyOf(entry), open]])),
  };
}

export function WaitingCards({ entries }: { readonly entries: readonly WaitingEntry[] }) {
  const { item } = usePlace();
  const isEmpty = useSignal(landings).size === 0 && entries.length === 0;
  const [at, setAt] = useState(0);
  const [byKey, setByKey] = useState(false);
  const opened = useOpened(entries);
  const isNamed = entries.findIndex(({ id, about }) => item !== null && (id === item || about === item));
  useEffect(() => {
    const entry = entries[isNamed];
    if (!entry) return undefined;
    setAt(isNamed);
    opened.set(entry, true);
    return keepAtTop(entry.id ?? "");
  }, [item, isNamed]);
  const index = Math.min(at, entries.length - 1);
  const current = entries[index];
  const toggle = (entry: WaitingEntry): void => opened.set(entry, !opened.isOpen(entry));
  const move = (by: number): void => {
    const next = Math.max(0, Math.min(entries.length - 1, index + by));
    setAt(next);
    setByKey(true);
    scrollTo(entries[next]?.id ?? "");
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => current && toggle(current),
    o: () => current && openId(current.about ?? current.id ?? ""),
    a: () => {
      const step = current?.next.find(({ operation }) => operation === "approve");
      if (step) go({ approve: subjectOf(step) ?? null });
    },
  });
  if (isEmpty) return <Empty>Nothing waits for you.</Empty>;
  return (
    <ul className={`list cards${byKey ? " keys" : ""}`}>
      {entries.map((entry, position) => (
        <Card
          key={keyOf(entry)}
          entry={entry}
          open={opened.isOpen(entry)}
          current={position === index}
          toggle={() => {
            setAt(position);
            toggle(entry);
          }}
        />
      ))}
      <LandedCards waiting={new Set(entries.flatMap(({ about }) => about ?? []))} />
    </ul>
  );
}
