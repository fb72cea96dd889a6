// The last few operations, each with undo where it can be undone.

import { undo } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { Prose } from "../parts/prose.js";
import { Line } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { clock, exact } from "../parts/words.js";

const SHOWN = 7;

export function Lately() {
  const log = useRead("log", { limit: SHOWN });
  const undoable = useRead("undo", { list: true }, { now: true });
  const mayAct = useMayAct();
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
                {mayAct && can.has(op) && (
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
