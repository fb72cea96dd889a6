// The stages of a run, and who works now.

import { useEffect } from "react";
import { useSeconds } from "../parts/bits.js";
import { Plain } from "../parts/plain.js";
import { Sign, type SignName } from "../parts/sign.js";
import { lasted } from "../parts/words.js";
import { skippedWords } from "./skipped-stage.js";
import type { Run } from "./types.js";

const STAGES: readonly Run["stage"][] = [
  "intake",
  "clarify",
  "capabilities",
  "files",
  "tasks",
  "sequence",
  "review",
  "overview",
  "approval",
];

function signOf(index: number, at: number, run: Run): SignName {
  if (index < at) return "done";
  if (index > at) return "pending";
  if (run.status === "running") return "in_progress";
  if (run.status === "halted") return "rejected";
  return run.status === "ready" || run.status === "waiting" ? "ask" : "done";
}

const LINES_SHOWN = 3;
const LOOK_MS = 2_000;

/** Who works, for how long, and what was said last. What is said makes no operation, so it is asked for while you look. */
function Working({ run, again }: { readonly run: Run; readonly again: () => void }) {
  const now = useSeconds();
  useEffect(() => {
    const timer = setInterval(again, LOOK_MS);
    return () => clearInterval(timer);
  }, [again]);
  const call = run.roleCalls.find(({ state }) => state === "asked");
  if (!call) return null;
  const lines = call.last.slice(-LINES_SHOWN);
  return (
    <div className="working-now">
      <p className="hint">
        {call.agent} works as {call.role}, {lasted(Math.max(0, now - Date.parse(call.startedAt)))} so far.
      </p>
      {lines.length > 0 && (
        <pre className="out" aria-live="off">
          <Plain text={lines.join("\n")} />
        </pre>
      )}
    </div>
  );
}

export function Stages({ run, again }: { readonly run: Run; readonly again: () => void }) {
  const at = STAGES.indexOf(run.stage);
  const isOver = run.status === "finished";
  return (
    <>
      <ol className="stages" aria-label="Stages" tabIndex={0}>
        {STAGES.map((stage, index) => {
          const skipped = isOver || index < at ? skippedWords(stage, run) : null;
          return (
            <li
              key={stage}
              className={index === at && !isOver ? "here" : ""}
              aria-current={index === at ? "step" : undefined}
            >
              <Sign name={skipped === null ? (isOver ? "done" : signOf(index, at, run)) : "skipped"} />
              {stage}
              {skipped !== null && <span className="hint">{skipped}</span>}
            </li>
          );
        })}
      </ol>
      {run.status === "running" && <Working run={run} again={again} />}
    </>
  );
}
