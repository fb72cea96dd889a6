// Asks for the words that a verb needs, in place, and does it: a reason, or where a node goes.

import { useState } from "react";
import { act } from "../api/act.js";
import type { Step, VerbName } from "../api/types.js";
import { doneWords, labelOf } from "../parts/steps.js";
import { plural } from "../parts/words.js";
import { InPlaceForm } from "./in-place-form.js";

const HINTS: Partial<Readonly<Record<VerbName, string>>> = {
  freeze: "It and everything below it stops until you thaw it.",
  drop: "It and everything open below it is given up. You can undo that.",
  waive: "It counts as done from now on, without proof. You can undo that.",
  reset: "It goes back into the queue.",
  accept: "It counts as done on your word. The reason is kept.",
  move: "Everything below it moves with it. The parent is part of what was approved, so it needs a new approval.",
};

/** What a field asks for, and whether its operation takes a list there. */
const FIELDS: Readonly<Record<string, { readonly label: string; readonly list?: true }>> = {
  reason: { label: "Why" },
  to: { label: "Where to" },
  on: { label: "Which node it waits for", list: true },
};

const subjects = ({ input }: Step): readonly string[] => {
  const many = input["references"];
  return Array.isArray(many) ? (many as readonly string[]) : [];
};

const buttonWords = (step: Step): string => {
  const all = subjects(step);
  return all.length > 1 ? `${labelOf({ ...step, input: {} })} ${plural(all.length, "node")}` : labelOf(step);
};

/** Words that say which nodes it was. */
const said = (step: Step): string => {
  const all = subjects(step);
  return all.length > 1 ? `${buttonWords(step)}: done.` : doneWords(step);
};

interface PlaceChoice {
  readonly id: string;
  readonly title: string;
}

function Field({ name, first, value, set }: FieldProps) {
  return (
    <label>
      {FIELDS[name]?.label ?? name}
      <input
        autoFocus={first}
        required
        list={name === "to" ? "places" : undefined}
        value={value}
        onChange={({ target }) => set(target.value)}
      />
    </label>
  );
}

interface FieldProps {
  readonly name: string;
  readonly first: boolean;
  readonly value: string;
  readonly set: (value: string) => void;
}

export function VerbForm({
  step,
  close,
  done,
  places = [],
}: {
  readonly step: Step;
  readonly close: () => void;
  /** After it was done. */
  readonly done?: () => void;
  /** Nodes that can contain others, to choose from. */
  readonly places?: readonly PlaceChoice[];
}) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const send = async (): Promise<void> => {
    const words = Object.entries(given).map(([name, value]) => [name, FIELDS[name]?.list ? [value] : value]);
    if (!(await act(step.operation, { ...step.input, ...Object.fromEntries(words) }, said(step)))) return;
    close();
    done?.();
  };
  return (
    <InPlaceForm label={buttonWords(step).replace(" …", "")} send={() => void send()} close={close}>
      {step.needs?.map((name, index) => (
        <Field
          key={name}
          name={name}
          first={index === 0}
          value={given[name] ?? ""}
          set={(value) => setGiven((known) => ({ ...known, [name]: value }))}
        />
      ))}
      <datalist id="places">
        {places.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </datalist>
      {HINTS[step.operation] !== undefined && <p className="hint">{HINTS[step.operation]}</p>}
    </InPlaceForm>
  );
}
