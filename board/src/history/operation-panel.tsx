// One operation: whether it can be undone, what it changed row by row, and the plan then and now.

import { useState } from "react";
import { perform, undo } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { say } from "../api/say.js";
import type { ApiFailure, Output } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go, linkTo } from "../frame/route.js";
import { Button } from "../parts/button.js";
import { Id, Plain, Prose } from "../parts/prose.js";
import { Line } from "../parts/sign.js";
import { Shown } from "../parts/states.js";
import { useMayUndo } from "../parts/step-button.js";
import { clock, date, named, plural } from "../parts/words.js";
import { fieldWords } from "./field-words.js";
import { ThenAndNow } from "./then-and-now.js";

type Diff = Output<"diff">;

const ROWS_SHOWN = 30;

function Rows({ diff }: { readonly diff: Diff }) {
  return (
    <>
      <h3>
        What it changed <span className="hint">{plural(diff.rows, "row")}</span>
      </h3>
      <ul className="rows">
        {diff.changes.slice(0, ROWS_SHOWN).map(({ id, entity, change, fields }) => (
          <li key={`${entity} ${id}`}>
            <p className="check-line">
              {entity === "node" ? <Id id={id} /> : <span className="id">{id}</span>}
              <span className="hint">
                {entity} {change}
              </span>
            </p>
            {change === "changed" && (
              <pre className="diff">
                {fields.flatMap(({ field, before, after }) => [
                  <i key={`${field}-`} className="del">
                    - {field}: <Plain text={fieldWords(before)} />
                  </i>,
                  <i key={`${field}+`} className="add">
                    + {field}: <Plain text={fieldWords(after)} />
                  </i>,
                ])}
              </pre>
            )}
          </li>
        ))}
      </ul>
      {diff.rows > ROWS_SHOWN && <p className="hint">and {diff.rows - ROWS_SHOWN} more rows</p>}
    </>
  );
}

function Refusal({ error }: { readonly error: ApiFailure }) {
  const listed = error.details?.["operations"] ?? error.details?.["later"];
  const later = Array.isArray(listed)
    ? listed
        .map((each: unknown) => (typeof each === "number" ? each : (each as { op?: number }).op))
        .filter((op) => op !== undefined)
    : [];
  const undoAll = async (): Promise<void> => {
    for (const op of [...later].sort((a, b) => b - a)) {
      const answer = await perform("undo", { operation: String(op) });
      if (!answer.ok) return say(answer.error.message, { tone: "stop" });
    }
  };
  return (
    <>
      <p role="alert">
        <Prose text={error.message} />{" "}
        {later.map((op) => (
          <a key={op} className="id" {...linkTo({ item: String(op) })}>
            {op}{" "}
          </a>
        ))}
      </p>
      {later.length > 0 && <Button onClick={() => void undoAll()}>Undo these too, newest first</Button>}
    </>
  );
}

/** What an undo would set in motion, or what is in its way; looked at, not done. */
function UndoPreview({ diff }: { readonly diff: Diff }) {
  const { data, error } = useRead("undo", diff.undone ? null : { operation: String(diff.op), preview: true }, {
    now: true,
  });
  if (diff.undone) return <p>It was taken back.</p>;
  if (error) return <Refusal error={error} />;
  if (!data || !("targets" in data)) return <p>Looking at what an undo would change.</p>;
  return (
    <p>
      <b>It can be undone.</b> That changes {plural(data.rows, "row")}: <Prose text={named(data.targets, 4)} />.
      {data.stillLanded !== null && ` The code of ${data.stillLanded} stays on the main branch.`}
    </p>
  );
}

function UndoBox({ diff }: { readonly diff: Diff }) {
  const mayUndo = useMayUndo();
  const [refusal, setRefusal] = useState<ApiFailure | null>(null);
  const take = async (): Promise<void> => {
    const answer = await perform(diff.undone ? "redo" : "undo", { operation: diff.undone ? diff.op : String(diff.op) });
    if (!answer.ok) return setRefusal(answer.error);
    const op = (answer.data as { op?: number | null }).op;
    say(diff.undone ? `Operation ${diff.op} is done again.` : `Operation ${diff.op} is undone.`, {
      ...(typeof op === "number" && { undo: () => undo(op) }),
    });
  };
  useKeys(mayUndo ? { u: () => void take(), "shift+u": () => void take() } : {});
  return (
    <div className={`why${refusal ? "" : " calm"}`}>
      {refusal ? <Refusal error={refusal} /> : <UndoPreview diff={diff} />}
      <div className="acts">
        {mayUndo && (
          <Button
            kind="primary"
            k={diff.undone ? "Shift u" : "u"}
            command={`planwright undo ${diff.op}`}
            onClick={() => void take()}
          >
            {diff.undone ? "Do it again" : "Undo this operation"}
          </Button>
        )}
        <Button k="o" onClick={() => go({ view: "plan", layout: "tree", item: null, at: diff.op })}>
          Open the plan as it was
        </Button>
      </div>
    </div>
  );
}

export function OperationPanel({ op }: { readonly op: number }) {
  const read = useRead("diff", { operation: op, limit: ROWS_SHOWN }, { now: true });
  return (
    <aside className="panel" aria-label={`Operation ${op}`}>
      <header>
        <span className="id">operation {op.toLocaleString("en")}</span>
        <span className="grow" />
        {read.data && (
          <span className="hint">
            {date(Date.parse(read.data.at))} {clock(Date.parse(read.data.at))}
            {read.data.commit !== null && (
              <>
                , at commit <span className="id">{read.data.commit.slice(0, 10)}</span>
              </>
            )}
          </span>
        )}
        <button type="button" className="icon" aria-label="Close" onClick={() => go({ item: null, at: null })}>
          <Line name="close" size={14} />
        </button>
      </header>
      <Shown read={read}>
        {(diff) => (
          <div className="scroll" tabIndex={-1}>
            <h2>
              <span>
                <Prose text={diff.sentence} plainIds />
              </span>
            </h2>
            <UndoBox diff={diff} />
            <Rows diff={diff} />
            <ThenAndNow op={op} />
          </div>
        )}
      </Shown>
    </aside>
  );
}
