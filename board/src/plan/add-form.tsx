// Adds a node: one line, below what is selected.

import { useState } from "react";
import { act } from "../api/act.js";
import { useKeys } from "../frame/keys.js";
import { Button } from "../parts/button.js";

const TIERS = ["task", "story", "feature", "initiative"] as const;

export function AddForm({ parent, close }: { readonly parent: string | null; readonly close: () => void }) {
  const [title, setTitle] = useState("");
  const [tier, setTier] = useState<(typeof TIERS)[number]>(parent === null ? "feature" : "task");
  useKeys({ Escape: close });
  const add = async (): Promise<void> => {
    if (title.trim() === "") return;
    const input = { title, tier, ...(parent !== null && { parent }) };
    if (await act("add", input, `Added "${title}".`)) close();
  };
  return (
    <form
      className="add-form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <select
        aria-label="Tier"
        value={tier}
        onChange={({ target }) => setTier(TIERS.find((each) => each === target.value) ?? "task")}
      >
        {TIERS.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <input
        // It opens because of a key or a click: the next thing is to type.
        autoFocus
        aria-label="Title of the new node"
        placeholder={parent === null ? "What is to be done" : `What is to be done in ${parent}`}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <button type="submit" className="btn primary">
        Add
      </button>
      <Button kind="quiet" onClick={close}>
        Cancel
      </Button>
    </form>
  );
}
