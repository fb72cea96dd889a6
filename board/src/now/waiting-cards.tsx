// One card for each thing that waits for you. The first is open; Enter or a click opens another.

import { type ReactNode, useEffect, useState } from "react";
import type { WaitingEntry } from "../api/types.js";
import { LandCard } from "../cards/land-card.js";
import { QuestionCard } from "../cards/question-card.js";
import { useKeys } from "../frame/keys.js";
import { go, openId, usePlace } from "../frame/route.js";
import { Age } from "../parts/bits.js";
import { Prose } from "../parts/prose.js";
import { Line, type LineName } from "../parts/sign.js";
import { StepButton } from "../parts/step-button.js";
import { isOffered, looks, subjectOf } from "../parts/steps.js";
import { hours, plural } from "../parts/words.js";

const ICONS: Readonly<Record<WaitingEntry["kind"], LineName>> = {
  daemon: "daemon",
  question: "question",
  rejected: "question",
  stopped: "question",
  acceptance: "approval",
  landing: "land",
  gate: "gate",
  plan: "approval",
  proposal: "approval",
  stale: "approval",
  unapproved: "approval",
};

const keyOf = ({ kind, id }: WaitingEntry): string => `${kind} ${id ?? ""}`;

/** Whose card holds more than its buttons. */
function bodyOf(entry: WaitingEntry): ReactNode {
  if (entry.kind === "question" && entry.id !== null) return <QuestionCard id={entry.id} />;
  const land = entry.next.find(({ operation }) => operation === "land");
  if (entry.kind === "landing" && land) return <LandCard feature={entry.about ?? entry.id ?? ""} step={land} />;
  return undefined;
}

function Steps({ entry }: { readonly entry: WaitingEntry }) {
  const steps = entry.next.filter(isOffered);
  const acting = steps.find((step) => !looks(step));
  const chosen = acting ?? steps[0];
  if (!chosen) return null;
  const label = chosen.operation === "approve" ? (entry.kind === "stale" ? "See the change" : "Review") : undefined;
  return <StepButton step={chosen} beside={entry.id ?? undefined} label={label} />;
}

function Card({ entry, open, current, toggle }: CardProps) {
  const body = open ? bodyOf(entry) : undefined;
  const hasBody = entry.kind === "question" || entry.kind === "landing";
  const title = (
    <>
      <b>
        <Prose text={entry.sentence} plainIds />
      </b>
      <small>
        {entry.id !== null && <span className="id">{entry.id}</span>}
        {entry.holdsUp.nodes > 0 && (
          <span>
            holds up {plural(entry.holdsUp.nodes, "task")}, {hours(entry.holdsUp.hours)} of work
          </span>
        )}
        {entry.suggestion !== null && !open && <span>{entry.suggestion}</span>}
      </small>
    </>
  );
  return (
    <li className={`card ask${current ? " current" : ""}`} data-card={entry.id ?? entry.kind}>
      <div className="row">
        <span className="kind">
          <Line name={ICONS[entry.kind]} />
        </span>
        {hasBody ? (
          <button type="button" className="what" aria-expanded={open} onClick={toggle}>
            {title}
          </button>
        ) : (
          <div className="what">{title}</div>
        )}
        <Age since={entry.since} />
        {!hasBody && <Steps entry={entry} />}
      </div>
      {body !== undefined && <div className="body">{body}</div>}
    </li>
  );
}

interface CardProps {
  readonly entry: WaitingEntry;
  readonly open: boolean;
  readonly current: boolean;
  readonly toggle: () => void;
}

export function WaitingCards({ entries }: { readonly entries: readonly WaitingEntry[] }) {
  const { item } = usePlace();
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState<string | null>(null);
  const isNamed = entries.findIndex(({ id, about }) => item !== null && (id === item || about === item));
  useEffect(() => {
    const entry = entries[isNamed];
    if (!entry) return;
    setAt(isNamed);
    setOpen(keyOf(entry));
    document.querySelector(`[data-card="${CSS.escape(entry.id ?? "")}"]`)?.scrollIntoView({ block: "nearest" });
  }, [item, isNamed]);
  const index = Math.min(at, entries.length - 1);
  const current = entries[index];
  const shown = open ?? (entries[0] ? keyOf(entries[0]) : null);
  const toggle = (entry: WaitingEntry): void => setOpen(shown === keyOf(entry) ? "" : keyOf(entry));
  const move = (by: number): void => {
    const next = Math.max(0, Math.min(entries.length - 1, index + by));
    setAt(next);
    document
      .querySelector(`[data-card="${CSS.escape(entries[next]?.id ?? "")}"]`)
      ?.scrollIntoView({ block: "nearest" });
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
  return (
    <ul className="list cards">
      {entries.map((entry, position) => (
        <Card
          key={keyOf(entry)}
          entry={entry}
          open={shown === keyOf(entry)}
          current={position === index}
          toggle={() => {
            setAt(position);
            toggle(entry);
          }}
        />
      ))}
    </ul>
  );
}
