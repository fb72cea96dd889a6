// What triage suggests, and what proves it. The proof is made again on the click.

import type { Question } from "../api/types.js";
import { Prose } from "../parts/prose.js";
import { StepButton } from "../parts/step-button.js";

export function Suggestion({ suggestion }: { readonly suggestion: NonNullable<Question["suggestion"]> }) {
  const { sentence, bucket, proof, next } = suggestion;
  return (
    <div className="acts suggestion">
      <span className="hint">
        <Prose text={sentence} />
        {proof === null && " It can prove nothing here."}
      </span>
      <span className="tag">{bucket}</span>
      {proof !== null && <StepButton step={next} label="Confirm" />}
    </div>
  );
}
