// Freezes or drops a node, with a reason.

import { useState } from "react";
import { act } from "../api/act.js";
import { Button } from "../parts/button.js";

const WORDS = {
  freeze: { label: "Freeze", done: "is frozen.", hint: "It and everything below it stops until you thaw it." },
  drop: {
    label: "Drop",
    done: "was dropped.",
    hint: "It and everything open below it is given up. You can undo that.",
  },
} as const;

export function VerbForm({
  verb,
  id,
  close,
}: {
  readonly verb: keyof typeof WORDS;
  readonly id: string;
  readonly close: () => void;
}) {
  const [reason, setReason] = useState("");
  const { label, done, hint } = WORDS[verb];
  const send = async (): Promise<void> => {
    const input = { references: [id], ...(reason.trim() !== "" && { reason }) };
    if (await act(verb, input, `${id} ${done}`)) close();
  };
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
      <label>
        Why
        <input
          autoFocus
          required={verb === "freeze"}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      <p className="hint">{hint}</p>
      <div className="acts">
        <button type="submit" className="btn primary">
          {label} {id}
        </button>
        <Button kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
