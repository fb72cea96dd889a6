// Approval: a full dialog, because it lets commands run. It shows every command and carries the hash of what it showed.

import { useEffect, useState } from "react";
import { perform, undo } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { say } from "../api/say.js";
import type { Answer, ApprovalPreview } from "../api/types.js";
import { Dialog } from "../frame/dialog.js";
import { go } from "../frame/route.js";
import { Button } from "../parts/button.js";
import { Plain } from "../parts/prose.js";
import { Failed, Loading } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { plural } from "../parts/words.js";
import { ApprovalContent } from "./approval-content.js";

const close = (): void => go({ approve: null });

function usePreview(reference: string): { answer: Answer<unknown> | undefined; load: () => void } {
  const [answer, setAnswer] = useState<Answer<unknown>>();
  const load = (): void => {
    setAnswer(undefined);
    void perform("approve", { references: [reference], preview: true }).then(setAnswer);
  };
  useEffect(load, [reference]);
  return { answer, load };
}

interface Approving {
  readonly busy: boolean;
  /** Why the server said no. */
  readonly refusal: string | null;
  readonly approve: (preview: ApprovalPreview, despite: string) => Promise<void>;
}

function useApproving(reference: string, reload: () => void): Approving {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const approve = async (preview: ApprovalPreview, despite: string): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const reason = despite.trim() === "" ? {} : { despite };
    const done = await perform("approve", { references: [reference], seen: preview.hash, ...reason });
    setBusy(false);
    if (!done.ok) {
      setRefusal(done.error.message);
      // What was shown may no longer be what would be approved: show it again.
      if (!NEEDS_REASON.has(done.error.reason)) reload();
      return;
    }
    const { op } = done.data as { readonly op?: number };
    say(`You approved ${plural(preview.nodes.length, "node")}.`, op === undefined ? {} : { undo: () => undo(op) });
    close();
  };
  return { busy, refusal, approve };
}

/** Refusals that a reason settles. */
const NEEDS_REASON: ReadonlySet<string> = new Set(["contradicts-record", "leaves-out-requirement"]);

function Footer({ reference, preview, busy, approve }: FooterProps) {
  const mayAct = useMayAct();
  return (
    <>
      <span className="hint">
        {preview ? (
          <>
            Content <span className="id">{preview.hash.slice(0, 10)}</span>. If it changes before you confirm, nothing
            is approved.
          </>
        ) : (
          "Nothing is approved yet."
        )}
      </span>
      <span className="grow" />
      <Button k="Esc" onClick={close}>
        Cancel
      </Button>
      {mayAct && (
        <Button
          kind="primary"
          disabled={!preview || busy}
          command={`planwright approve ${reference}`}
          onClick={() => approve()}
        >
          {preview ? `Approve ${plural(preview.nodes.length, "node")}` : "Approve"}
        </Button>
      )}
    </>
  );
}

interface FooterProps {
  readonly reference: string;
  readonly preview: ApprovalPreview | undefined;
  readonly busy: boolean;
  readonly approve: () => void;
}

export function ApprovalDialog({ reference }: { readonly reference: string }) {
  const { answer, load } = usePreview(reference);
  const { busy, refusal, approve } = useApproving(reference, load);
  const [despite, setDespite] = useState("");
  const shown = useRead("show", { reference }).data;
  const level = useRead("level.show", {}).data?.level;
  const preview = answer?.ok ? (answer.data as ApprovalPreview) : undefined;
  const title = shown && "title" in shown ? shown.title : reference;
  const send = (): void => {
    if (preview) void approve(preview, despite);
  };
  return (
    <Dialog
      label={`Approve ${reference}`}
      className="dialog approval"
      title={
        <>
          Approve: <Plain text={title} /> <span className="id">{reference}</span>
        </>
      }
      close={close}
      footer={<Footer reference={reference} preview={preview} busy={busy} approve={send} />}
    >
      <div className="scroll" tabIndex={0} role="region" aria-label="What you would approve">
        {refusal !== null && (
          <p className="stop-text" role="alert">
            {refusal}
          </p>
        )}
        {refusal !== null && preview && (
          <label className="field">
            Approve it all the same, because
            <input value={despite} onChange={({ target }) => setDespite(target.value)} />
          </label>
        )}
        {!answer && <Loading rows={6} />}
        {answer && !answer.ok && <Failed error={answer.error} again={load} />}
        {preview && (
          <ApprovalContent preview={preview} level={level} isRun={/^RUN-/i.test(reference)} reference={reference} />
        )}
      </div>
    </Dialog>
  );
}
