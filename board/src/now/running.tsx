// Attempts that run now: state, time, tokens, cost and the last lines.

import { useRead } from "../api/reads.js";
import type { AttemptRow } from "../api/types.js";
import { linkTo } from "../frame/route.js";
import { useSeconds } from "../parts/bits.js";
import { Plain } from "../parts/plain.js";
import { Id } from "../parts/prose.js";
import { Empty } from "../parts/states.js";
import { dollars, lasted, tokens } from "../parts/words.js";

export const STATES = ["claimed", "prepared", "working", "checking", "reviewing", "integrating"] as const;

export const isRunning = ({ endedAt }: AttemptRow): boolean => endedAt === null;

export function LifeSteps({ state }: { readonly state: string }) {
  const at = STATES.findIndex((each) => each === state);
  return (
    <span className="steps" role="img" aria-label={`${state}, step ${at + 1} of ${STATES.length}`}>
      {STATES.map((each, index) => (
        <i key={each} className={index < at ? "past" : index === at ? "here" : ""} />
      ))}
    </span>
  );
}

function RunningAttempt({ attempt }: { readonly attempt: AttemptRow }) {
  const now = useSeconds();
  const { id, task, state, startedAt, worker } = attempt;
  const shown = useRead("attempt.show", { id }).data;
  const node = useRead("show", { reference: task }).data;
  const lines = shown?.transcript?.last ?? [];
  const title = node && "title" in node ? node.title : task;
  return (
    <li className="attempt">
      <div className="a1">
        <b>
          <a {...linkTo({ view: "attempt", item: id })}>
            <Plain text={title} />
          </a>
        </b>
        <span className="num">{lasted(Math.max(0, now - Date.parse(startedAt)))}</span>
      </div>
      <div className="a2">
        <LifeSteps state={state} />
        <span className="move">{state}</span>
        <span className="grow" />
        <span className="num">{attempt.tokens > 0 && tokens(attempt.tokens)}</span>
        <span className="num">{attempt.costUsd !== null && dollars(attempt.costUsd)}</span>
      </div>
      {lines.length > 0 && (
        <pre aria-live="off">
          <Plain text={lines.slice(-2).join("\n")} />
        </pre>
      )}
      <div className="a3">
        <Id id={task} /> <span className="actor">{worker.name}</span>
      </div>
    </li>
  );
}

export function Running({
  attempts,
  level,
}: {
  readonly attempts: readonly AttemptRow[];
  readonly level: string | null;
}) {
  if (attempts.length === 0) {
    return <Empty>{level === "off" ? "Nothing runs. At level off the daemon begins nothing." : "Nothing runs."}</Empty>;
  }
  return (
    <ul className="list">
      {attempts.map((attempt) => (
        <RunningAttempt key={attempt.id} attempt={attempt} />
      ))}
    </ul>
  );
}
