// Decisions, constraints, requirements and assumptions, with what can be done about each.

import { useRead } from "../api/reads.js";
import { Actor } from "../parts/bits.js";
import { Plain } from "../parts/plain.js";
import { Sign, type SignName } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { StepButton } from "../parts/step-button.js";

const SIGNS: Readonly<Record<string, SignName>> = { active: "done", proposed: "ask", superseded: "dropped" };
const STATES: Readonly<Record<string, string>> = { active: "in force", proposed: "proposed", superseded: "replaced" };

export function Records() {
  const read = useRead("record.list", { all: true });
  return (
    <Shown read={read} rows={3}>
      {(records) =>
        records.length === 0 ? (
          <Empty>No decision, constraint, requirement or assumption is written down.</Empty>
        ) : (
          <ul className="plain">
            {records.map(({ id, kind, state, title, createdBy, approvedBy, supersededBy, next }) => (
              <li key={id} className="wrap">
                <Sign name={SIGNS[state] ?? "planned"} />
                <span className="id">{id}</span>
                <span className="name">
                  <Plain text={title} />
                </span>
                <span className="hint">
                  {kind}, {STATES[state] ?? state}
                  {supersededBy !== null && ` by ${supersededBy}`}
                </span>
                <Actor name={approvedBy ?? createdBy} />
                {next.map((step) => (
                  <StepButton key={step.operation} step={step} beside={id} />
                ))}
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
}
