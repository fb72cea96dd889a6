// The spec, line by line: a green bar has a task, amber has none, hatched is left out with a reason, nothing is prose.

import { useEffect, useRef } from "react";
import type { Step } from "../api/types.js";
import { Plain } from "../parts/plain.js";
import { Sign } from "../parts/sign.js";
import { StepButton } from "../parts/step-button.js";
import { plural } from "../parts/words.js";
import { ChangedSpec } from "./changed-spec.js";
import type { SpecLine } from "./coverage.js";
import type { Run } from "./types.js";

function Chips({ line }: { readonly line: SpecLine }) {
  if (line.state === "uncovered") return <span className="chip gap1">no task</span>;
  if (line.state === "omitted") return <span className="chip left">left out</span>;
  return (
    <span className="chips">
      {line.tasks.map((id) => (
        <span key={id} className="chip">
          <Plain text={id} />
        </span>
      ))}
    </span>
  );
}

function Line({ line, lit, pick }: { readonly line: SpecLine; readonly lit: boolean; readonly pick: () => void }) {
  const content = (
    <>
      <span className="no">{line.number}</span>
      <span className={`txt${line.text.startsWith("#") ? " h" : ""}`}>
        <Plain text={line.text} />
      </span>
      <Chips line={line} />
    </>
  );
  const isPickable = line.tasks.length > 0 || line.state === "uncovered";
  return (
    <li className={`${line.state}${lit ? " lit" : ""}`} data-line={line.number}>
      {isPickable ? (
        <button type="button" onClick={pick} aria-pressed={lit}>
          {content}
        </button>
      ) : (
        <div>{content}</div>
      )}
    </li>
  );
}

/** The line that is lit, or else the first without a task; the author can be asked about it. */
function Gap({ run, lit }: { readonly run: Run; readonly lit: readonly number[] }) {
  const unclear = run.coverage?.unclear ?? [];
  const shown = unclear.find(({ line }) => lit.includes(line)) ?? unclear[0];
  if (!shown) return null;
  const revise = run.next.find(({ operation }) => operation === "plan.revise");
  const about = (words: string): Step | undefined =>
    revise && { operation: revise.operation, input: { ...revise.input, note: words } };
  const [ask, leave] = [
    about(`Line ${shown.line} of the spec has no task: "${shown.text}". Plan it.`),
    about(`Leave line ${shown.line} of the spec out, and say why: "${shown.text}".`),
  ];
  return (
    <div className="gap">
      <Sign name="ask" />
      <p>
        <b>Line {shown.line} has no task.</b> It does not stop the plan; the approval lists it.
        {unclear.length > 1 && ` ${plural(unclear.length - 1, "more line")}: n and p.`}
      </p>
      {ask && <StepButton step={ask} label="Ask the author" />}
      {leave && <StepButton step={leave} label="Leave it out" />}
    </div>
  );
}

export function SpecPane({
  run,
  lines,
  lit,
  pick,
}: {
  readonly run: Run;
  readonly lines: readonly SpecLine[];
  readonly lit: readonly number[];
  readonly pick: (line: SpecLine) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-line="${lit[0] ?? 0}"]`)?.scrollIntoView({ block: "nearest" });
  }, [lit]);
  const { planned = 0, leftOut = 0, notUnderstood = 0 } = run.coverage ?? {};
  return (
    <section className="spec" aria-label="Spec" tabIndex={0}>
      <header className="sec">
        <h2>Spec</h2>
        <span className="grow" />
        {run.coverage && (
          <>
            <span className="meter" role="img" aria-label={`${planned} % planned`}>
              <i className="has" style={{ width: `${planned}%` }} />
              <i className="left" style={{ width: `${leftOut}%` }} />
              <i className="gap1" style={{ width: `${notUnderstood}%` }} />
            </span>
            <span className="hint">
              {planned} % planned, {leftOut} % left out, {plural(run.coverage.unclear.length, "line")} without a task
            </span>
          </>
        )}
      </header>
      <ChangedSpec run={run} />
      <ol ref={list}>
        {lines.map((line) => (
          <Line key={line.number} line={line} lit={lit.includes(line.number)} pick={() => pick(line)} />
        ))}
      </ol>
      <Gap run={run} lit={lit} />
    </section>
  );
}
