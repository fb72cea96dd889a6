// The palette: finds nodes, runs, questions and operations, and does verbs on what is selected.

import "../styles/palette.css";
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useRead } from "../api/reads.js";
import { Dialog } from "../frame/dialog.js";
import { usePlace } from "../frame/route.js";
import { Key } from "../parts/button.js";
import { Plain } from "../parts/prose.js";
import { Line } from "../parts/sign.js";
import { useMayAct } from "../parts/step-button.js";
import { type Choice, foundChoices, momentChoices, verbChoices, viewChoices } from "./choices.js";

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

function useChoices(text: string): { readonly goTo: readonly Choice[]; readonly toDo: readonly Choice[] } {
  const { item } = usePlace();
  const mayAct = useMayAct();
  const isVerbs = text.startsWith(">");
  const isMoment = text.startsWith("@");
  const wanted = useDeferredValue(text.replace(/^[>@]/, "").trim());
  const found = useRead("search", wanted === "" || isVerbs || isMoment ? null : { text: wanted, limit: 8 });
  const log = useRead("log", isMoment ? { limit: 2_000 } : null, { now: true });
  const subject = item !== null && /^[A-Z]/i.test(item) && !/^(RUN|ATT|ESC)-/.test(item) ? item : null;
  const why = useRead("why", subject === null ? null : { reference: subject });
  return useMemo(() => {
    if (isMoment) return { goTo: momentChoices(wanted, log.data?.operations ?? []), toDo: [] };
    const steps = why.data && "chain" in why.data ? why.data.next : [];
    const toDo = verbChoices(wanted, subject, steps, mayAct);
    if (isVerbs) return { goTo: [], toDo };
    return { goTo: [...foundChoices(found.data?.hits ?? []), ...viewChoices(wanted)], toDo };
  }, [isMoment, isVerbs, wanted, found.data, log.data, why.data, subject, mayAct]);
}

export default function PaletteDialog({ close }: { readonly close: () => void }) {
  const [text, setText] = useState("");
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
