// What happened lately: the steps of one attempt or one run are one line, and what can be undone says so.

import { hasActed, undo } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import { linkTo } from "../frame/route.js";
import { foldLines, type HistoryLine, isOutcome } from "../history/fold.js";
import { Actor } from "../parts/bits.js";
import { Prose } from "../parts/prose.js";
import { Line } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { clock, exact, withoutActor } from "../parts/words.js";

const READ = 40;
const SHOWN = 6;

/** An undo, and what it took back, say nothing together. */
const isWorthSaying = ({ row, said }: HistoryLine): boolean =>
  !row.undone && row.verb !== "undo" && row.verb !== "redo" && isOutcome(said);

export function Lately() {
  const log = useRead("log", { limit: READ });
  const mayAct = useMayAct();
  // The list belongs to who you are, so there is none before you said so: until then the server decides on the click.
  const isKnown = useSignal(hasActed);
  const undoable = useRead("undo", isKnown ? { list: true } : null, { now: true });
  const can = new Set(Array.isArray(undoable.data) ? undoable.data.map(({ op }) => op) : []);
  const canUndo = ({ row, rows }: HistoryLine): boolean =>
    mayAct && rows.length === 1 && row.actor.startsWith("human:") && (!isKnown || can.has(row.op));
  return (
    <Shown read={log} rows={4}>
      {({ operations }) =>
        operations.length === 0 ? (
          <Empty>Nothing has happened yet.</Empty>
        ) : (
          <ul className="plain lately">
            {foldLines(operations)
              .filter(isWorthSaying)
              .slice(0, SHOWN)
              .map((line) => (
                <li key={line.row.op}>
                  <time className="num" dateTime={line.row.at} title={exact(Date.parse(line.row.at))}>
                    {clock(Date.parse(line.row.at))}
                  </time>
                  <a
                    className="name"
                    title={line.said.sentence}
                    {...linkTo({ view: "history", item: String(line.row.op) })}
                  >
                    <Actor name={line.said.actor} /> <Prose text={withoutActor(line.said)} plainIds />
                  </a>
                  {canUndo(line) && (
                    <button
                      type="button"
                      className="icon"
                      aria-label={`Undo operation ${line.row.op}`}
                      onClick={() => undo(line.row.op)}
                    >
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
