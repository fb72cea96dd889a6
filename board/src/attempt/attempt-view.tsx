// A live attempt: its life as a bar, what the worker does, the diff so far, and the checks.

import "../styles/planning.css";
import "../styles/attempt.css";
import { useState } from "react";
import { pulses } from "../api/live.js";
import { useRead } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import type { Output, ShownNode } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go, usePlace } from "../frame/route.js";
import { STATES } from "../now/running.js";
import { signOfAttempt } from "../panel/attempts-tab.js";
import { useVerbs } from "../panel/use-verbs.js";
import { VerbForm } from "../panel/verb-form.js";
import { Actor, PageHead, useSeconds } from "../parts/bits.js";
import { Button, copy } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Id, Prose } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { clock, dollars, lasted, tokens } from "../parts/words.js";
import { ChangesPane } from "./changes-pane.js";
import { TranscriptPane } from "./transcript-pane.js";

type Attempt = Output<"attempt.show">;

function Life({ attempt }: { readonly attempt: Attempt }) {
  const now = useSeconds();
  const isOver = attempt.endedAt !== null;
  return (
    <ol className="life" aria-label="Its life">
      {STATES.map((state) => {
        // Work that was sent back is in the same state more than once.
        const steps = attempt.steps.filter((step) => step.state === state);
        const isHere = !isOver && attempt.state === state;
        const time = steps.reduce(
          (sum, { durationMs, at }) => sum + (durationMs ?? Math.max(0, now - Date.parse(at))),
          0,
        );
        const [first] = steps;
        return (
          <li key={state} className={isHere ? "here" : first ? "past" : ""} aria-current={isHere ? "step" : undefined}>
            {state}
            <span className="num">
              {first && (state === "claimed" ? clock(Date.parse(first.at)) : lasted(time))}
              {steps.length > 1 && ` ×${steps.length}`}
            </span>
          </li>
        );
      })}
      {isOver && (
        <li className={`end ${attempt.state}`}>
          <Sign name={signOfAttempt(attempt.state)} size={12} /> {attempt.state}
        </li>
      )}
    </ol>
  );
}

/** What it used so far, against its limits where there are some. */
function Used({ attempt }: { readonly attempt: Attempt }) {
  const pulse = useSignal(pulses).get(attempt.id);
  const settings = useRead("config.list", {}).data;
  const limit = (key: string): number | null => {
    const value = settings?.find((each) => each.key === key)?.value;
    return typeof value === "number" ? value : null;
  };
  const used = pulse?.usage ? pulse.usage.inputTokens + pulse.usage.outputTokens : attempt.tokens;
  const cost = pulse?.usage?.costUsd ?? attempt.costUsd;
  const [mostTokens, mostCost] = [limit("execution.attemptTokens"), limit("execution.attemptCostUsd")];
  if (used === 0 && mostTokens === null && mostCost === null) return null;
  return (
    <>
      <span>
        {tokens(used)}
        {mostTokens !== null && ` of ${tokens(mostTokens)}`} tokens
      </span>
      <span>
        {dollars(cost)}
        {mostCost !== null && ` of ${dollars(mostCost)}`}
      </span>
    </>
  );
}

function Tools({ attempt, freeze }: { readonly attempt: Attempt; readonly freeze: (() => void) | undefined }) {
  const { worktree, task } = attempt;
  const openTask = (): void => go({ view: "plan", layout: "tree", item: task, tab: "overview" });
  useKeys({
    o: openTask,
    Escape: () => go({ view: "now", item: null }),
    ...(worktree !== null && { w: () => void copy(worktree) }),
    ...(freeze && { f: freeze }),
  });
  return (
    <>
      {worktree !== null && (
        <Button k="w" onClick={() => void copy(worktree)} title={worktree}>
          Copy the worktree’s path
        </Button>
      )}
      {freeze && (
        <Button k="f" onClick={freeze}>
          Freeze the task …
        </Button>
      )}
      <Button k="o" onClick={openTask}>
        Open the task
      </Button>
    </>
  );
}

/** The output of a failed check stands beside the check itself. */
function endingWords({ note, checks, mergedChecks }: Attempt): string {
  const failed = [...mergedChecks, ...checks].find(({ passed }) => !passed);
  return failed && note.startsWith("The check") ? `The check \`${failed.run}\` failed: ${failed.outcome}.` : note;
}

const asNode = (shown: Output<"show"> | undefined): ShownNode | undefined =>
  shown && "tier" in shown ? shown : undefined;

function AttemptPage({ attempt }: { readonly attempt: Attempt }) {
  const node = asNode(useRead("show", { reference: attempt.task }).data);
  const freeze = useVerbs(attempt.endedAt === null ? attempt.task : null).get("freeze");
  const mayAct = useMayAct();
  const [freezing, setFreezing] = useState(false);
  const mayFreeze = mayAct && freeze?.refused === null;
  return (
    <>
      <PageHead
        title={<Plain text={node?.title ?? attempt.task} />}
        tools={<Tools attempt={attempt} freeze={mayFreeze ? () => setFreezing(true) : undefined} />}
      >
        <span className="id">{attempt.id}</span>
        <span>
          <Id id={attempt.task} />
          {node?.parent && (
            <>
              {" in "}
              <Id id={node.parent} />
            </>
          )}
        </span>
        <Actor name={attempt.worker.kind === "agent" ? `agent:${attempt.worker.name}` : attempt.worker.name} />
        {attempt.worker.model !== null && <span>{attempt.worker.model}</span>}
        <Used attempt={attempt} />
      </PageHead>
      {freezing && freeze && <VerbForm step={freeze.step} close={() => setFreezing(false)} />}
      <Life attempt={attempt} />
      {attempt.endedAt !== null && attempt.note !== "" && (
        <p className="ending" tabIndex={0}>
          <Prose text={endingWords(attempt)} />
        </p>
      )}
      <div className="pair">
        <TranscriptPane attempt={attempt} />
        <ChangesPane attempt={attempt} node={node} />
      </div>
    </>
  );
}

export default function AttemptView() {
  const { item } = usePlace();
  const read = useRead("attempt.show", item === null ? null : { id: item });
  return (
    <Shown read={read} rows={8}>
      {(attempt) => <AttemptPage attempt={attempt} />}
    </Shown>
  );
}
