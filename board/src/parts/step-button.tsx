// A step of the server as a button: it looks, acts, asks in place, or asks for the words that only you can give.

import { useRef, useState } from "react";
import { act, actOrAsk } from "../api/act.js";
import { session } from "../api/session.js";
import { useSignal } from "../api/signal.js";
import type { ApiFailure, Step } from "../api/types.js";
import { placeOfId } from "../frame/address.js";
import { go, place, useMoment } from "../frame/route.js";
import { approvalIn } from "./approval-in.js";
import { WholeApproval } from "./approval-whole.js";
import { AskingButton, Button } from "./button.js";
import { confirmedInput, doneWords, fieldName, isOffered, labelOf, looks, questionOf, subjectOf } from "./steps.js";

interface StepProps {
  readonly step: Step;
  readonly kind?: "primary" | "quiet" | "";
  readonly k?: string | undefined;
  /** The node it stands beside. */
  readonly beside?: string | undefined;
  readonly label?: string | undefined;
}

function lookAt(step: Step): void {
  const subject = subjectOf(step);
  const { operation } = step;
  if (operation === "log") go({ ...placeOfId(subject ?? "", place.get()), tab: "history" });
  else if (operation === "agents.list" || operation === "daemon.logs") go({ view: "settings", item: null });
  else if (operation === "status" || operation === "list") go({ view: "plan", layout: "tree", item: subject ?? null });
  else if (operation === "question.list") go({ view: "now", item: null });
  else if (subject !== undefined) go(placeOfId(subject, place.get()));
  else go({ view: "plan", item: null });
}

/** Nothing can be done in the past or with read-only access: such buttons are absent. */
export function useMayAct(): boolean {
  const at = useMoment();
  return useSignal(session)?.readOnly !== true && at === null;
}

/** Undo also works while a past moment is shown. */
export const useMayUndo = (): boolean => useSignal(session)?.readOnly !== true;

/** Where a click on it leads, if it leads somewhere instead of doing something. */
function leadsTo(step: Step): (() => void) | undefined {
  if (looks(step)) return () => lookAt(step);
  if (step.operation === "approve" && !step.needs?.length) return () => go({ approve: subjectOf(step) ?? null });
  if (step.operation === "question.answer") return () => go({ view: "now", item: subjectOf(step) ?? null });
  return undefined;
}

export function StepButton({ step, kind = "", k, beside, label }: StepProps) {
  const mayAct = useMayAct();
  const words = label ?? labelOf(step, beside);
  if (!isOffered(step) || (!mayAct && !looks(step))) return null;
  const common = { kind, k, command: step.command };
  const lead = leadsTo(step);
  if (lead) {
    return (
      <Button {...common} onClick={lead}>
        {words}
      </Button>
    );
  }
  return <ActingButton step={step} words={words} common={common} />;
}

interface ActingProps {
  readonly step: Step;
  readonly words: string;
  readonly common: {
    readonly kind: "primary" | "quiet" | "";
    readonly k: string | undefined;
    readonly command: string | undefined;
  };
}

function ActingButton({ step, words, common }: ActingProps) {
  const [asking, setAsking] = useState(false);
  const [wanted, setWanted] = useState<{ readonly error: ApiFailure; readonly step: Step } | null>(null);
  const send = async (input: Readonly<Record<string, unknown>>): Promise<void> => {
    const done = await actOrAsk(step.operation, input, doneWords(step));
    setWanted(typeof done === "object" ? done : null);
  };
  const run = (): void => void send(confirmedInput(step));
  if (wanted) {
    const preview = approvalIn(wanted.error);
    return (
      <div className="asking" role="alert">
        {preview && <WholeApproval preview={preview} />}
        <Button {...common} kind="primary" autoFocus={!preview} onClick={() => void send(wanted.step.input)}>
          {preview ? words : `${words}: ${wanted.error.message}`}
        </Button>
        <Button kind="quiet" onClick={() => setWanted(null)}>
          Cancel
        </Button>
      </div>
    );
  }
  if (step.needs?.length) {
    return asking ? (
      <NeedsForm step={step} words={words} close={() => setAsking(false)} />
    ) : (
      <Button {...common} onClick={() => setAsking(true)}>
        {words.endsWith("…") ? words : `${words} …`}
      </Button>
    );
  }
  const question = questionOf(step);
  return question === undefined ? (
    <Button {...common} onClick={run}>
      {words}
    </Button>
  ) : (
    <AskingButton {...common} question={question} onClick={run}>
      {words}
    </AskingButton>
  );
}

/** Asks for the fields that only the reader can fill in. */
function NeedsForm({
  step,
  words,
  close,
}: {
  readonly step: Step;
  readonly words: string;
  readonly close: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const send = async (): Promise<void> => {
    const given: Record<string, unknown> = {};
    for (const [name, value] of new FormData(form.current ?? undefined)) given[name] = value;
    const isDone = await act(step.operation, { ...confirmedInput(step), ...given }, doneWords(step));
    if (isDone) close();
  };
  return (
    <form
      ref={form}
      className="needs"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {step.needs?.map((name, index) => (
        <input
          key={name}
          name={name}
          aria-label={fieldName(name)}
          placeholder={fieldName(name)}
          required
          // The form opens because of a click, and its first field is what comes next.
          autoFocus={index === 0}
          onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), close())}
        />
      ))}
      <button type="submit" className="btn primary">
        {words.replace(" …", "")}
      </button>
      <Button kind="quiet" onClick={close}>
        Cancel
      </Button>
    </form>
  );
}
