// Attempts at a task, newest first.

import { useRead } from "../api/reads.js";
import { linkTo } from "../frame/route.js";
import { Age } from "../parts/bits.js";
import { Prose } from "../parts/prose.js";
import { Sign, type SignName } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { dollars, lasted, tokens } from "../parts/words.js";

export function signOfAttempt(state: string): SignName {
  if (state === "accepted") return "done";
  if (state === "rejected" || state === "failed" || state === "lost") return "rejected";
  if (state === "pending") return "ask";
  return state === "released" ? "dropped" : "in_progress";
}

export function AttemptsTab({ task }: { readonly task: string }) {
  const read = useRead("attempt.list", { reference: task, all: true });
  return (
    <Shown read={read} rows={3}>
      {(attempts) =>
        attempts.length === 0 ? (
          <Empty>No attempt yet.</Empty>
        ) : (
          <ul className="attempt-list">
            {attempts.map((attempt) => (
              <li key={attempt.id}>
                <p className="check-line">
                  <Sign name={signOfAttempt(attempt.state)} />
                  <a className="id" {...linkTo({ view: "attempt", item: attempt.id })}>
                    {attempt.id}
                  </a>
                  <b>{attempt.state}</b>
                  <span className="grow" />
                  <Age since={attempt.startedAt} />
                </p>
                <p className="hint">
                  {attempt.worker.name}
                  {attempt.durationMs !== null && `, ${lasted(attempt.durationMs)}`}
                  {attempt.tokens > 0 && `, ${tokens(attempt.tokens)} tokens, ${dollars(attempt.costUsd)}`}
                </p>
                {attempt.note !== null && attempt.note !== "" && (
                  <p className="soft">
                    <Prose text={attempt.note} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
}
