// What is stuck, by its cause: one rejected task that holds three is one line, with what frees it.

import { useRead } from "../api/reads.js";
import type { StatusTree } from "../api/types.js";
import { Heading } from "../parts/bits.js";
import { Prose } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { StepButton } from "../parts/step-button.js";
import { isOffered, looks } from "../parts/steps.js";
import { type Stuck as Group, stuckGroups } from "./stuck-groups.js";

function StuckRow({ group }: { readonly group: Group }) {
  const why = useRead("why", { reference: group.cause }).data;
  const question = why && "escalations" in why ? why.escalations[0] : undefined;
  const step = question?.answer ?? why?.next.find((each) => isOffered(each) && !looks(each));
  return (
    <li className="row">
      <Sign name={group.sign} />
      <span className="what one">
        <Prose text={group.sentence} />
      </span>
      {step && <StepButton step={step} />}
    </li>
  );
}

const SHOWN = 12;

export function Stuck({ tree }: { readonly tree: readonly StatusTree[] | undefined }) {
  const groups = tree ? stuckGroups(tree) : [];
  if (groups.length === 0) return null;
  return (
    <section aria-label="Stuck, and what frees it">
      <Heading title="Stuck, and what frees it" count={groups.length} />
      <ul className="list">
        {groups.slice(0, SHOWN).map((group) => (
          <StuckRow key={group.cause} group={group} />
        ))}
      </ul>
    </section>
  );
}
