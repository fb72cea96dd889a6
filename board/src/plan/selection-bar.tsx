// Verbs on all selected nodes. Which there are, the server says: those that none of the nodes refuses.

import { useState } from "react";
import { act } from "../api/act.js";
import { useSignal } from "../api/signal.js";
import type { Step, VerbName } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go } from "../frame/route.js";
import { useSharedVerbs } from "../panel/use-verbs.js";
import { VerbForm } from "../panel/verb-form.js";
import { Button } from "../parts/button.js";
import { useMayAct } from "../parts/step-button.js";
import { labelOf } from "../parts/steps.js";
import { plural, upperFirst } from "../parts/words.js";
import { containersOf } from "./containers.js";
import { clearSelection, selection } from "./selection.js";
import type { Plan } from "./use-plan.js";

const KEYS: Partial<Readonly<Record<VerbName, string>>> = { approve: "a", freeze: "f", move: "m" };
const ORDER: readonly VerbName[] = ["approve", "freeze", "thaw", "reset", "move", "unapprove", "waive", "drop"];

function Bar({ ids, plan }: { readonly ids: readonly string[]; readonly plan: Plan }) {
  const verbs = useSharedVerbs(ids);
  const [open, setOpen] = useState<Step | null>(null);
  const offered = ORDER.flatMap((name) => verbs.get(name)?.step ?? []);
  const take = (step: Step): void => {
    // An approval shows what it allows; it takes as many nodes as are named.
    if (step.operation === "approve") go({ approve: ids.join(" ") });
    else if (step.needs?.length) setOpen(step);
    else {
      const words = `${upperFirst(step.operation)}: ${plural(ids.length, "node")}.`;
      void act(step.operation, step.input, words).then((done) => done && clearSelection());
    }
  };
  useKeys({
    ...Object.fromEntries(
      offered.flatMap((step) => {
        const key = KEYS[step.operation];
        return key === undefined ? [] : [[key, () => take(step)] as const];
      }),
    ),
    Escape: clearSelection,
  });
  return (
    <section className="selection" aria-label="Selected nodes">
      <p role="status">
        <b>{plural(ids.length, "node")} selected</b>
      </p>
      {open === null ? (
        <div className="acts">
          {offered.map((step) => (
            <Button key={step.operation} k={KEYS[step.operation]} command={step.command} onClick={() => take(step)}>
              {labelOf({ ...step, input: {} })}
              {step.needs?.length && !labelOf(step).endsWith("…") ? " …" : ""}
            </Button>
          ))}
          {offered.length === 0 && <span className="hint">No verb fits all of them.</span>}
          <Button kind="quiet" k="Esc" onClick={clearSelection}>
            Clear
          </Button>
        </div>
      ) : (
        <VerbForm step={open} places={containersOf(plan.tree)} close={() => setOpen(null)} done={clearSelection} />
      )}
    </section>
  );
}

export function SelectionBar({ plan }: { readonly plan: Plan }) {
  const ids = [...useSignal(selection)];
  const mayAct = useMayAct();
  return ids.length > 0 && mayAct ? <Bar ids={ids} plan={plan} /> : null;
}
