import "../styles/planning.css";
// A live attempt: its life as a bar, what the worker does, the diff so far, and the checks.

import "../styles/attempt.css";
import { useEffect, useRef, useState } from "react";
import { pulses } from "../api/live.js";
import { useRead } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import type { Output } from "../api/types.js";
import { DiffFiles } from "../diff/diff-files.js";
import { useKeys } from "../frame/keys.js";
import { go, usePlace } from "../frame/route.js";
import { STATES } from "../now/running.js";
import { signOfAttempt } from "../panel/attempts-tab.js";
import { Trace } from "../panel/trace.js";
import { PageHead, useSeconds } from "../parts/bits.js";
import { Button } from "../parts/button.js";
import { Id, Output as OutputText, Plain, Prose } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { clock, dollars, lasted, plural, tokens } from "../parts/words.js";
import { useTranscript } from "./use-transcript.js";

type Attempt = Output<"attempt.show">;

function Life({ attempt }: { readonly attempt: Attempt }) {
  const now = useSeconds();
  const isOver = attempt.endedAt !== null;
  const byState = new Map(attempt.steps.map((step) => [step.state as string, step]));
  return (
    <ol className="life" aria-label="Its life">
      {STATES.map((state) => {
        const step = byState.get(state);
        const isHere = !isOver && attempt.state === state;
        const time = step ? (step.durationMs ?? Math.max(0, now - Date.parse(step.at))) : null;
        return (
          <li key={state} className={isHere ? "here" : step ? "past" : ""} aria-current={isHere ? "step" : undefined}>
            {state}
            <span className="num">
              {time === null ? "" : state === "claimed" && step ? clock(Date.parse(step.at)) : lasted(time)}
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

const MOST_LINES = 2_000;

function Transcript({ attempt }: { readonly attempt: Attempt }) {
  const { lines, earlier } = useTranscript(attempt);
  const [raw, setRaw] = useState(false);
  const [follows, setFollows] = useState(true);
  const pane = useRef<HTMLDivElement>(null);
  const toEnd = (): void => {
    setFollows(true);
    pane.current?.scrollTo({ top: pane.current.scrollHeight });
  };
  useEffect(() => {
    if (follows) pane.current?.scrollTo({ top: pane.current.scrollHeight });
  }, [lines.length, follows]);
  useKeys({ End: toEnd, r: () => setRaw((known) => !known) });
  return (
    <section className="live-pane" aria-label="Transcript">
      <header className="sec">
        <h2>Transcript</h2>
        <span className="grow" />
        {earlier > 0 && <span className="hint">{plural(earlier, "earlier line")}</span>}
        <Button kind="quiet" k="r" pressed={raw} onClick={() => setRaw(!raw)}>
          Raw
        </Button>
      </header>
      <div
        className="log"
        ref={pane}
        tabIndex={0}
        role="region"
        aria-label="What the worker did"
        aria-live="off"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setFollows(scrollTop + clientHeight >= scrollHeight - 8)
        }
      >
        {lines.length === 0 ? (
          <Empty>The worker has written nothing yet.</Empty>
        ) : (
          <ol>
            {lines.slice(-MOST_LINES).map(({ verb, text }, index) => (
              <li key={index} className={raw ? "" : verb}>
                <span className="verb">{raw ? "" : verb}</span>
                <span>
                  <Plain text={raw && verb !== "says" ? `${verb} ${text}` : text} />
                </span>
              </li>
            ))}
          </ol>
        )}
      </div>
      <footer className="follow">
        <i className={follows ? "on" : ""} />
        {follows ? "Follows the end" : "Scrolled away from the end"}
        <span className="grow" />
        <Button kind="quiet" k="End" onClick={toEnd}>
          To the end
        </Button>
      </footer>
    </section>
  );
}

function Changes({ attempt }: { readonly attempt: Attempt }) {
  const diff = useRead("attempt.diff", { id: attempt.id });
  const shown = useRead("show", { reference: attempt.task }).data;
  const node = shown && "tier" in shown ? shown : undefined;
  const checks = attempt.mergedChecks.length > 0 ? attempt.mergedChecks : attempt.checks;
  return (
    <section className="live-pane side" aria-label="Changes and checks" tabIndex={0}>
      <header className="sec">
        <h2>{attempt.endedAt === null ? "Changes so far" : "Changes"}</h2>
      </header>
      <div className="inset">
        {diff.error ? (
          <p className="hint">
            <Plain text={diff.error.message} />
          </p>
        ) : (
          <Shown read={diff} rows={3}>
            {({ diff: text }) => <DiffFiles diff={text} footprint={node?.files ?? []} />}
          </Shown>
        )}
        <h3>
          Checks <span className="hint">run after the worker hands in, then again on the merged tree</span>
        </h3>
        <ul className="check-list">
          {(checks.length > 0 ? checks : (node?.checks ?? [])).map((check) => (
            <li key={check.run}>
              <p className="check-line">
                <Sign name={"passed" in check ? (check.passed ? "done" : "rejected") : "pending"} />
                <code>
                  <Plain text={check.run} />
                </code>
                <span className="grow" />
                <span className="num">{"passed" in check ? check.outcome : "not run yet"}</span>
              </p>
              {"output" in check && check.output !== "" && !check.passed && <OutputText text={check.output} />}
            </li>
          ))}
        </ul>
        {node && <Trace node={node} />}
      </div>
    </section>
  );
}

function AttemptPage({ attempt }: { readonly attempt: Attempt }) {
  const pulse = useSignal(pulses).get(attempt.id);
  const used = pulse?.usage ? pulse.usage.inputTokens + pulse.usage.outputTokens : attempt.tokens;
  const shown = useRead("show", { reference: attempt.task }).data;
  const title = shown && "title" in shown ? shown.title : attempt.task;
  useKeys({
    o: () => go({ view: "plan", layout: "tree", item: attempt.task }),
    Escape: () => go({ view: "now", item: null }),
  });
  return (
    <>
      <PageHead
        title={<Plain text={title} />}
        tools={
          <Button k="o" onClick={() => go({ view: "plan", layout: "tree", item: attempt.task, tab: "overview" })}>
            Open the task
          </Button>
        }
      >
        <span className="id">{attempt.id}</span>
        <Id id={attempt.task} />
        <span>{attempt.worker.name}</span>
        {used > 0 && <span>{tokens(used)} tokens</span>}
        {used > 0 && <span>{dollars(pulse?.usage?.costUsd ?? attempt.costUsd)}</span>}
      </PageHead>
      <Life attempt={attempt} />
      {attempt.endedAt !== null && attempt.note !== null && attempt.note !== "" && (
        <p className="ending" tabIndex={0}>
          <Prose text={attempt.note} />
        </p>
      )}
      <div className="pair">
        <Transcript attempt={attempt} />
        <Changes attempt={attempt} />
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
