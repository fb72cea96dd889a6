// Approval: a full dialog, because it lets commands run. It shows every command and carries the hash of what it showed.

import { useEffect, useState } from "react";
import { perform, undo } from "../api/act.js";
import { ask } from "../api/client.js";
import { useRead } from "../api/reads.js";
import { say } from "../api/say.js";
import type { Answer, ApiFailure, ApprovalPreview, Step } from "../api/types.js";
import { Dialog } from "../frame/dialog.js";
import { go } from "../frame/route.js";
import { Button } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Prose } from "../parts/prose.js";
import { Failed, Loading } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { plural } from "../parts/words.js";
import { ApprovalContent } from "./approval-content.js";

const close = (): void => go({ approve: null });

interface PreviewRead {
  readonly answer: Answer<OfferedPreview> | undefined;
  /** Looks again; with a reason, at what needs one. */
  readonly load: (despite?: string) => void;
}

type OfferedPreview = ApprovalPreview & { readonly next: readonly Step[] };

function usePreview(reference: string): PreviewRead {
  const [answer, setAnswer] = useState<Answer<OfferedPreview>>();
  const load = (despite = ""): void => {
    setAnswer(undefined);
    const input = { references: reference.split(" "), preview: true, ...(despite !== "" && { despite }) };
    // You need not say who you are to look. What is shown stays as it is until you decide: its hash names exactly that.
    void ask("approve", input).then(({ answer: shown }) => setAnswer(shown as Answer<OfferedPreview>));
  };
  useEffect(() => load(), [reference]);
  return { answer, load };
}

interface Approving {
  readonly busy: boolean;
  /** Why the server said no. */
  readonly refusal: string | null;
  readonly approve: (preview: OfferedPreview) => Promise<void>;
}

function useApproving(reload: () => void): Approving {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const approve = async ({ nodes, next }: OfferedPreview): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const done = await perform("approve", next[0]?.input ?? {});
    setBusy(false);
    if (!done.ok) {
      if (done.error.reason === "declined") return;
      setRefusal(done.error.message);
      // What was shown may no longer be what would be approved: show it again.
      return reload();
    }
    const { op } = done.data as { readonly op?: number };
    say(`You approved ${plural(nodes.length, "node")}.`, op === undefined ? {} : { undo: () => undo(op) });
    close();
  };
  return { busy, refusal, approve };
}

const takesReason = ({ next }: ApiFailure): boolean => next.some(({ needs }) => needs?.includes("despite"));

/** What contradicts a record is shown with the record, and asks for a reason. */
function Contradiction({ error, load }: { readonly error: ApiFailure; readonly load: PreviewRead["load"] }) {
  const [despite, setDespite] = useState("");
  return (
    <form
      className="edit-form"
      onSubmit={(event) => {
        event.preventDefault();
        load(despite.trim());
      }}
    >
      <p className="stop-text" role="alert">
        <Prose text={error.message} />
      </p>
      <label>
        Approve it all the same, because
        <input required value={despite} onChange={({ target }) => setDespite(target.value)} />
      </label>
      <div className="acts">
        <button type="submit" className="btn">
          See what that approves
        </button>
      </div>
    </form>
  );
}

function Footer({ preview, busy, approve }: FooterProps) {
  const mayAct = useMayAct();
  return (
    <>
      <span className="hint">
        {preview ? (
          <>
            Content{" "}
            <span className="id" title={preview.hash}>
              {preview.hash.slice(0, 10)}…
            </span>
            . If it changes before you confirm, nothing is approved.
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
        <Button kind="primary" disabled={!preview || busy} command={preview?.next[0]?.command} onClick={approve}>
          {preview ? `Approve ${plural(preview.nodes.length, "node")}` : "Approve"}
        </Button>
      )}
    </>
  );
}

interface FooterProps {
  readonly preview: OfferedPreview | undefined;
  readonly busy: boolean;
  readonly approve: () => void;
}

export function ApprovalDialog({ reference }: { readonly reference: string }) {
  const { answer, load } = usePreview(reference);
  const { busy, refusal, approve } = useApproving(load);
  const shown = useRead("show", { reference }).data;
  const level = useRead("level.show", {}).data?.level;
  const preview = answer?.ok ? answer.data : undefined;
  const failure = answer && !answer.ok ? answer.error : undefined;
  const title = shown && "title" in shown ? shown.title : reference;
  const send = (): void => {
    if (preview) void approve(preview);
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
      footer={<Footer preview={preview} busy={busy} approve={send} />}
    >
      <div className="scroll" data-first tabIndex={0} role="region" aria-label="What you would approve">
        {refusal !== null && (
          <p className="stop-text" role="alert">
            {refusal}
          </p>
        )}
        {!answer && <Loading rows={6} />}
        {failure && takesReason(failure) && <Contradiction error={failure} load={load} />}
        {failure && !takesReason(failure) && <Failed error={failure} again={load} />}
        {preview && (
          <ApprovalContent preview={preview} level={level} isRun={/^RUN-/i.test(reference)} reference={reference} />
        )}
      </div>
    </Dialog>
  );
}
