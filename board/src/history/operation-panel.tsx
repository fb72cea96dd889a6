// One operation: whether it can be undone, what it changed row by row, and the plan then and now.

import { useState } from "react";
import { perform, undo } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { say } from "../api/say.js";
import type { ApiFailure, Output, Step } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go, linkTo } from "../frame/route.js";
import { Button } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Id, Prose } from "../parts/prose.js";
import { Line } from "../parts/sign.js";
import { Shown } from "../parts/states.js";
import { useMayUndo } from "../parts/step-button.js";
import { clock, date, named, plural } from "../parts/words.js";
import { fieldWords } from "./field-words.js";
import { ThenAndNow } from "./then-and-now.js";

type Diff = Output<"diff">;

const ROWS_SHOWN = 30;
/** Changed rows that have a page of their own, or a text. */
const LINKED: ReadonlySet<string> = new Set(["node", "artifact", "attempt", "run"]);

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
              {LINKED.has(entity) ? <Id id={id} /> : <span className="id">{id}</span>}
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

interface Later {
  readonly op: number;
  readonly sentence: string;
}

const isLater = (value: unknown): value is Later =>
  typeof value === "object" && value !== null && "op" in value && typeof value.op === "number";

/** Undoes what came later, the newest first, and then the operation itself. What refuses ends it. */
async function undoAll(operations: readonly Later[], op: number): Promise<ApiFailure | null> {
  for (const each of [...operations.map((later) => later.op).sort((a, b) => b - a), op]) {
    const answer = await perform("undo", { operation: String(each) });
    if (!answer.ok) return answer.error;
  }
  say(`Operation ${op} is undone, with ${plural(operations.length, "later operation")}.`);
  return null;
}

function Refusal({ error, op, again }: { readonly error: ApiFailure; readonly op: number; readonly again: Again }) {
  const mayUndo = useMayUndo();
  const listed: unknown = error.details?.["operations"];
  const later = Array.isArray(listed) ? listed.filter(isLater) : [];
  if (later.length === 0) {
    return (
      <p role="alert">
        <Prose text={error.message} />
      </p>
    );
  }
  return (
    <div role="alert">
      <p>
        <b>Later operations touched the same rows:</b>
      </p>
      <ul className="notes">
        {later.slice(0, LATER_SHOWN).map((each) => (
          <li key={each.op}>
            <a className="id" {...linkTo({ item: String(each.op) })}>
              {each.op.toLocaleString("en")}
            </a>{" "}
            <Prose text={each.sentence} plainIds />
          </li>
        ))}
        {later.length > LATER_SHOWN && <li className="hint">and {later.length - LATER_SHOWN} more</li>}
      </ul>
      {error.details?.["turnable"] !== true && <p className="hint">{error.message.split("\n")[0]}</p>}
      {mayUndo && error.details?.["turnable"] === true && (
        <Button onClick={() => void undoAll(later, op).then(again)}>Undo these too, newest first</Button>
      )}
    </div>
  );
}

type Again = (refusal: ApiFailure | null) => void;
const LATER_SHOWN = 8;

type UndoRead = ReturnType<typeof useRead<"undo">>;

/** What an undo would set in motion, or what is in its way; looked at, not done. */
function UndoPreview({ diff, read, again }: { readonly diff: Diff; readonly read: UndoRead; readonly again: Again }) {
  const { data, error } = read;
  const level = useRead("level.show", {}, { now: true }).data?.level;
  if (diff.undone) return <p>It was taken back.</p>;
  if (error) return <Refusal error={error} op={diff.op} again={again} />;
  if (!data || !("targets" in data)) return <p>Looking at what an undo would change.</p>;
  const { rows, targets, ready, stillLanded } = data;
  return (
    <p>
      <b>It can be undone.</b> No later operation touched these rows. That changes {plural(rows, "row")}:{" "}
      <Prose text={named(targets, 4)} />.{ready.length > 0 && ` Undoing it makes ${plural(ready.length, "task")} ready`}
      {ready.length > 0 && (level === "off" ? "." : `; at level ${level ?? "on"} the daemon begins with it.`)}
      {stillLanded !== null && ` The code of ${stillLanded} stays on the main branch.`}
    </p>
  );
}

interface Undoing {
  readonly preview: UndoRead;
  readonly refusal: ApiFailure | null;
  readonly setRefusal: Again;
  /** Undefined while nothing can be undone or done again. */
  readonly step: Step | undefined;
  readonly take: () => Promise<void>;
}

/** Reads whether it can be undone before anything is offered. */
function useUndoing(diff: Diff): Undoing {
  const mayUndo = useMayUndo();
  const [refusal, setRefusal] = useState<ApiFailure | null>(null);
  const preview = useRead("undo", diff.undone ? null : { operation: String(diff.op), preview: true }, { now: true });
  const isPossible = diff.undone || (preview.data !== undefined && preview.error === undefined);
  const step = mayUndo && isPossible ? diff.next[0] : undefined;
  const take = async (): Promise<void> => {
    if (!step) return;
    const answer = await perform(step.operation, step.input);
    if (!answer.ok) return setRefusal(answer.error);
    setRefusal(null);
    const op = (answer.data as { op?: number | null }).op;
    say(diff.undone ? `Operation ${diff.op} is done again.` : `Operation ${diff.op} is undone.`, {
      ...(typeof op === "number" && { undo: () => undo(op) }),
    });
  };
  // The key means this operation while it is open: where it cannot be undone, it must not undo the latest one.
  useKeys(mayUndo ? { [diff.undone ? "shift+u" : "u"]: () => void take() } : {});
  return { preview, refusal, setRefusal, step, take };
}

function UndoBox({ diff }: { readonly diff: Diff }) {
  const { preview, refusal, setRefusal, step, take } = useUndoing(diff);
  return (
    <div className={`why${refusal ? "" : " calm"}`}>
      {refusal ? (
        <Refusal error={refusal} op={diff.op} again={setRefusal} />
      ) : (
        <UndoPreview diff={diff} read={preview} again={setRefusal} />
      )}
      <div className="acts">
        {step && (
          <Button kind="primary" k={diff.undone ? "Shift u" : "u"} command={step.command} onClick={() => void take()}>
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
