// What a card that was dropped on a column is offered: the verbs that lead there, or why none does.

import { useEffect, useRef, useState } from "react";
import type { StatusTree, Step } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { useVerbs } from "../panel/use-verbs.js";
import { VerbForm } from "../panel/verb-form.js";
import { Button } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Sign } from "../parts/sign.js";
import { StepButton } from "../parts/step-button.js";
import { labelOf } from "../parts/steps.js";
import { type Column, verbsInto, whyNone } from "./columns.js";

interface OfferProps {
  readonly task: StatusTree;
  readonly column: Column;
  readonly close: () => void;
}

function Offers({ task, column, close, fill }: OfferProps & { readonly fill: (step: Step) => void }) {
  const verbs = useVerbs(task.id);
  const offered = verbsInto(column, verbs);
  return (
    <>
      <p>
        {offered.length > 0
          ? `Its status follows from what happens to it. This leads to ${column.name}:`
          : verbs.size > 0 && whyNone(column, verbs)}
      </p>
      <div className="acts">
        {offered.map(({ step }) =>
          step.needs?.length ? (
            <Button key={step.operation} command={step.command} onClick={() => fill(step)}>
              {labelOf(step, task.id).replace(" …", "")} …
            </Button>
          ) : (
            <StepButton key={step.operation} step={step} beside={task.id} />
          ),
        )}
        <Button kind="quiet" k="Esc" onClick={close}>
          Close
        </Button>
      </div>
    </>
  );
}

export function DropOffer({ task, column, close }: OfferProps) {
  const [filling, setFilling] = useState<Step | null>(null);
  const section = useRef<HTMLElement>(null);
  useKeys({ Escape: close });
  useEffect(() => {
    section.current?.focus();
    // Back to the card, wherever it stands then.
    return () => document.getElementById(`task-${task.id}`)?.focus();
  }, []);
  const label = `${task.id} to ${column.name}`;
  return (
    <section ref={section} tabIndex={-1} className="drop-offer" role="alertdialog" aria-label={label}>
      <header>
        <Sign name={column.sign} />
        <span className="id">{task.id}</span>
        <b>
          <Plain text={task.title} />
        </b>
      </header>
      {filling ? (
        <VerbForm step={filling} close={() => setFilling(null)} done={close} />
      ) : (
        <Offers task={task} column={column} close={close} fill={setFilling} />
      )}
    </section>
  );
}
