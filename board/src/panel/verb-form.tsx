// Asks for the words that a verb needs, in place, and does it: a reason, or where a node goes.

import { useState } from "react";
import { act } from "../api/act.js";
import type { OperationName, Step } from "../api/types.js";
import { Button } from "../parts/button.js";
import { doneWords, labelOf } from "../parts/steps.js";
import { plural } from "../parts/words.js";

const HINTS: Partial<Readonly<Record<OperationName, string>>> = {
  freeze: "It and everything below it stops until you thaw it.",
  drop: "It and everything open below it is given up. You can undo that.",
  waive: "It counts as done from now on, without proof. You can undo that.",
  reset: "It goes back into the queue.",
  accept: "It counts as done on your word. The reason is kept.",
  move: "Everything below it moves with it. The parent is part of what was approved, so it needs a new approval.",
};

const FIELDS: Readonly<Record<string, string>> = { reason: "Why", to: "Where to" };

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

export function VerbForm({
  step,
  close,
  places = [],
}: {
  readonly step: Step;
  readonly close: () => void;
  /** Nodes that can contain others, to choose from. */
  readonly places?: readonly { readonly id: string; readonly title: string }[];
}) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const send = async (): Promise<void> => {
    if (await act(step.operation, { ...step.input, ...given }, said(step))) close();
  };
  const label = buttonWords(step).replace(" …", "");
  return (
    <form
      className="edit-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          close();
        }
      }}
    >
      {step.needs?.map((name, index) => (
        <label key={name}>
          {FIELDS[name] ?? name}
          <input
            autoFocus={index === 0}
            required
            list={name === "to" ? "places" : undefined}
            value={given[name] ?? ""}
            onChange={({ target }) => setGiven((known) => ({ ...known, [name]: target.value }))}
          />
        </label>
      ))}
      {places.length > 0 && (
        <datalist id="places">
          {places.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </datalist>
      )}
      {HINTS[step.operation] !== undefined && <p className="hint">{HINTS[step.operation]}</p>}
      <div className="acts">
        <button type="submit" className="btn primary">
          {label}
        </button>
        <Button kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
