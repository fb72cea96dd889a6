// The last few operations, each with undo where it can be undone.

import { undo } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { session } from "../api/session.js";
import { useSignal } from "../api/signal.js";
import { Prose } from "../parts/prose.js";
import { Line } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { clock, exact } from "../parts/words.js";

const SHOWN = 7;

export function Lately() {
  const log = useRead("log", { limit: SHOWN });
  const mayAct = useMayAct();
  // The list belongs to who you are, so there is none before you said so: until then the server decides on the click.
  const isKnown = useSignal(session)?.confirmed === true;
  const undoable = useRead("undo", isKnown ? { list: true } : null, { now: true });
  const can = new Set(Array.isArray(undoable.data) ? undoable.data.map(({ op }) => op) : []);
  return (
    <Shown read={log} rows={4}>
      {({ operations }) =>
        operations.length === 0 ? (
          <Empty>Nothing has happened yet.</Empty>
        ) : (
          <ul className="plain lately">
            {operations.map(({ op, at, actor, sentence, undone }) => (
              <li key={op}>
                <time className="num" dateTime={at} title={exact(Date.parse(at))}>
                  {clock(Date.parse(at))}
                </time>
                <span className={`name${undone ? " undone" : ""}`} title={sentence}>
                  {!sentence.startsWith(actor) && <span className="actor">{actor} </span>}
                  <Prose text={sentence} />
                </span>
                {mayAct && (isKnown ? can.has(op) : actor.startsWith("human:") && !undone) && (
                  <button type="button" className="icon" aria-label={`Undo operation ${op}`} onClick={() => undo(op)}>
                    <Line name="undo" size={14} />
                  </button>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
}
