// The stages of a run, and who works now.

import { useSeconds } from "../parts/bits.js";
import { Sign, type SignName } from "../parts/sign.js";
import { lasted } from "../parts/words.js";
import type { Run } from "./types.js";

const STAGES = ["intake", "clarify", "capabilities", "files", "tasks", "sequence", "review", "overview", "approval"];

function signOf(index: number, at: number, run: Run): SignName {
  if (index < at) return "done";
  if (index > at) return "pending";
  if (run.status === "running") return "in_progress";
  if (run.status === "halted") return "rejected";
  return run.status === "ready" || run.status === "waiting" ? "ask" : "done";
}

function Working({ run }: { readonly run: Run }) {
  const now = useSeconds();
  const call = run.roleCalls.find(({ state }) => state === "asked");
  if (run.status !== "running" || !call) return null;
  return (
    <p className="hint working-now" role="status">
      {call.agent} works as {call.role}, {lasted(Math.max(0, now - Date.parse(call.startedAt)))} so far.
    </p>
  );
}

export function Stages({ run }: { readonly run: Run }) {
  const at = STAGES.indexOf(run.stage);
  const isOver = run.status === "finished";
  return (
    <>
      <ol className="stages" aria-label="Stages" tabIndex={0}>
        {STAGES.map((stage, index) => (
          <li
            key={stage}
            className={index === at && !isOver ? "here" : ""}
            aria-current={index === at ? "step" : undefined}
          >
            <Sign name={isOver ? "done" : signOf(index, at, run)} />
            {stage}
          </li>
        ))}
      </ol>
      <Working run={run} />
    </>
  );
}
