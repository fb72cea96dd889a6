// The palette: finds nodes, runs, questions and operations, and does verbs on what is selected.

import "../styles/palette.css";
import { type KeyboardEvent, useDeferredValue, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { useRead } from "../api/reads.js";
import { Dialog } from "../frame/dialog.js";
import { usePlace } from "../frame/route.js";
import { useVerbs } from "../panel/use-verbs.js";
import { Key } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Line } from "../parts/sign.js";
import { useMayAct } from "../parts/step-button.js";
import { type Choice, foundChoices, momentChoices, otherChoices, verbChoices, viewChoices } from "./choices.js";
import { momentQuery } from "./moment.js";

function Group({
  title,
  choices,
  at,
  from,
  run,
}: {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly at: number;
  readonly from: number;
  readonly run: (choice: Choice) => void;
}) {
  if (choices.length === 0) return null;
  return (
    <>
      <li role="presentation" className="palette-head">
        {title}
      </li>
      {choices.map((choice, index) => (
        <li
          key={choice.key}
          id={`choice-${from + index}`}
          role="option"
          aria-selected={from + index === at}
          aria-disabled={choice.refused !== undefined}
          onClick={() => run(choice)}
        >
          <Line name={choice.icon} />
          {choice.id !== undefined && <span className="id">{choice.id}</span>}
          <span className="title">
            <Plain text={choice.words} />
          </span>
          {choice.refused !== undefined && <span className="hint">{choice.refused}</span>}
          {from + index === at && <Key>↵</Key>}
        </li>
      ))}
    </>
  );
}

interface Choices {
  readonly goTo: readonly Choice[];
  readonly toDo: readonly Choice[];
}

/** What is selected, if it is a node. */
const subjectIn = (item: string | null): string | null =>
  item !== null && /^[A-Z]/i.test(item) && !/^(RUN|ATT|ESC)-/.test(item) ? item : null;

function useChoices(text: string): Choices {
  const [openedAt] = useState(Date.now);
  const { item } = usePlace();
  const mayAct = useMayAct();
  const isVerbs = text.startsWith(">");
  const isMoment = text.startsWith("@");
  const isEverything = !isVerbs && !isMoment;
  const wanted = useDeferredValue(text.replace(/^[>@]/, "").trim());
  const isFinding = wanted !== "" && isEverything;
  const found = useRead("search", isFinding ? { text: wanted, limit: 8 } : null);
  const query = isMoment ? momentQuery(wanted, openedAt) : isFinding ? { limit: 500 } : null;
  const log = useRead("log", query, { now: true });
  const runs = useRead("plan.list", isFinding ? {} : null);
  const attempts = useRead("attempt.list", isFinding ? { all: true } : null);
  const subject = subjectIn(item);
  const verbs = useVerbs(subject);
  const level = useRead("level.show", {});
  return useMemo(() => {
    const operations = log.data?.operations ?? [];
    if (isMoment) return { goTo: momentChoices(operations), toDo: [] };
    const pause = level.data?.next.find(({ input }) => input["level"] === "off");
    const toDo = verbChoices(wanted, { subject, verbs, pause, mayAct });
    if (isVerbs) return { goTo: [], toDo };
    const others = otherChoices(wanted, { runs: runs.data?.runs ?? [], attempts: attempts.data ?? [], operations });
    return { goTo: [...foundChoices(found.data?.hits ?? []), ...others, ...viewChoices(wanted)], toDo };
  }, [isMoment, isVerbs, wanted, found.data, log.data, runs.data, attempts.data, verbs, level.data, subject, mayAct]);
}

interface PaletteProps {
  readonly close: () => void;
  /** What was typed before the field was there. */
  readonly typed: () => string;
}

export default function PaletteDialog({ close, typed }: PaletteProps) {
  const [text, setText] = useState("");
  // When it is drawn, not when it was made: letters may come in between.
  useLayoutEffect(() => setText(typed()), [typed]);
  const [at, setAt] = useState(0);
  const { goTo, toDo } = useChoices(text);
  const all = [...goTo, ...toDo];
  const index = Math.min(at, Math.max(0, all.length - 1));
  const run = (choice: Choice | undefined): void => {
    if (!choice || choice.refused !== undefined) return;
    close();
    choice.run();
  };
  useEffect(() => setAt(0), [text]);
  useEffect(() => {
    document.getElementById(`choice-${index}`)?.scrollIntoView({ block: "nearest" });
  }, [index]);
  const keys = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setAt((index + by + all.length) % Math.max(1, all.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(all[index]);
    }
  };
  return (
    <Dialog label="Find or do" className="palette" close={close}>
      <label className="search big">
        <Line name="search" />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls="choices"
          aria-activedescendant={all.length > 0 ? `choice-${index}` : undefined}
          aria-label="Find or do"
          placeholder="Find a node, or type > for verbs, @ for a moment"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={keys}
        />
      </label>
      <ul id="choices" role="listbox" aria-label="Choices">
        <Group title="Go to" choices={goTo} at={index} from={0} run={run} />
        <Group title="Do" choices={toDo} at={index} from={goTo.length} run={run} />
        {all.length === 0 && (
          <li role="presentation" className="palette-head">
            Nothing found.
          </li>
        )}
      </ul>
    </Dialog>
  );
}
