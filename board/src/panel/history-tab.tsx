// What happened to one node, each with undo.

import { undo } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { linkTo } from "../frame/route.js";
import { Age } from "../parts/bits.js";
import { Prose } from "../parts/prose.js";
import { Line } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";

/** The latest operations of a node. */
export const HISTORY_SHOWN = 100;

export function HistoryTab({ id }: { readonly id: string }) {
  const read = useRead("log", { reference: id, limit: HISTORY_SHOWN });
  const mayAct = useMayAct();
  return (
    <Shown read={read} rows={5}>
      {({ operations }) =>
        operations.length === 0 ? (
          <Empty>Nothing has happened to it yet.</Empty>
        ) : (
          <ul className="plain">
            {operations.map(({ op, at, sentence, undone, undoes }) => (
              <li key={op} className="wrap">
                <a className="num" {...linkTo({ view: "history", item: String(op) })}>
                  {op}
                </a>
                <span className={`name${undone ? " undone" : ""}`}>
                  <Prose text={sentence} />
                </span>
                <Age since={at} />
                {mayAct && !undone && undoes === null && (
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
