// Edits a node in place. If it is approved, the form says beforehand that the approval will be stale.

import { useState } from "react";
import { act } from "../api/act.js";
import type { ShownNode } from "../api/types.js";
import { InPlaceForm } from "./in-place-form.js";

const commandsOf = (node: ShownNode): string => node.checks.map(({ run }) => run).join("\n");

interface Draft {
  readonly title: string;
  readonly body: string;
  /** One command a line. */
  readonly checks: string;
}

function changesOf(node: ShownNode, { title, body, checks }: Draft): Record<string, unknown> {
  const commands = checks.split("\n").map((run) => run.trim());
  return {
    ...(title !== node.title && { title }),
    ...(body !== node.body && { body }),
    ...(checks !== commandsOf(node) && { checks: commands.filter((run) => run !== "") }),
  };
}

export function EditForm({ node, close }: { readonly node: ShownNode; readonly close: () => void }) {
  const [draft, setDraft] = useState<Draft>({ title: node.title, body: node.body, checks: commandsOf(node) });
  const set = (change: Partial<Draft>): void => setDraft((known) => ({ ...known, ...change }));
  const save = async (): Promise<void> => {
    const changes = changesOf(node, draft);
    if (Object.keys(changes).length === 0) return close();
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
      {node.approval !== null && !node.approval.stale && (
        <p className="hint ask">Saving makes its approval stale: approve it again before it runs.</p>
      )}
    </InPlaceForm>
  );
}
