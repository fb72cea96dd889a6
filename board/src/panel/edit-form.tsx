// Edits a node in place. If it is approved, the form says beforehand that the approval will be stale.

import { useState } from "react";
import { act } from "../api/act.js";
import type { ShownNode } from "../api/types.js";
import { InPlaceForm } from "./in-place-form.js";
import { changesOf, differing, draftOf, type NodeDraft } from "./node-draft.js";

const WORDS: Readonly<Record<keyof NodeDraft, string>> = { title: "title", body: "text", checks: "checks" };

/** Says what changed in the plan while you were writing, and what it is now. */
function Meanwhile({ fields, now }: { readonly fields: readonly (keyof NodeDraft)[]; readonly now: NodeDraft }) {
  return (
    <div className="meanwhile" role="alert">
      {fields.map((field) => (
        <p key={field}>
          Its {WORDS[field]} changed meanwhile: <q>{now[field]}</q>
        </p>
      ))}
      <p className="hint">Save again to replace it with yours, or cancel.</p>
    </div>
  );
}

export function EditForm({ node, close }: { readonly node: ShownNode; readonly close: () => void }) {
  const [opened, setOpened] = useState(node);
  const [draft, setDraft] = useState<NodeDraft>(draftOf(node));
  const [conflict, setConflict] = useState<readonly (keyof NodeDraft)[]>([]);
  const set = (change: Partial<NodeDraft>): void => setDraft((known) => ({ ...known, ...change }));
  const save = async (): Promise<void> => {
    const changes = changesOf(opened, draft);
    if (Object.keys(changes).length === 0) return close();
    const moved = differing(draftOf(opened), draftOf(node)).filter((field) => field in changes);
    // Nothing is done if what you changed is not what you saw; asked again, it is yours that counts.
    setConflict(moved);
    if (moved.length > 0) return setOpened(node);
    if (await act("edit", { reference: node.id, ...changes }, `You edited ${node.id}.`)) close();
  };
  return (
    <InPlaceForm label="Save" send={() => void save()} close={close}>
      <label>
        Title
        <input value={draft.title} autoFocus onChange={({ target }) => set({ title: target.value })} />
      </label>
      <label>
        Text
        <textarea rows={6} value={draft.body} onChange={({ target }) => set({ body: target.value })} />
      </label>
      {node.kind === "work" && (
        <label>
          Checks, one command a line
          <textarea
            className="mono"
            rows={3}
            value={draft.checks}
            onChange={({ target }) => set({ checks: target.value })}
          />
        </label>
      )}
      {conflict.length > 0 && <Meanwhile fields={conflict} now={draftOf(node)} />}
      {node.approval !== null && !node.approval.stale && (
        <p className="hint ask">Saving makes its approval stale: approve it again before it runs.</p>
      )}
    </InPlaceForm>
  );
}
