// Planning: does this plan do what the spec says, and may it run?

import "../styles/planning.css";
import { useRead } from "../api/reads.js";
import { useKeys } from "../frame/keys.js";
import { go, linkTo, usePlace } from "../frame/route.js";
import { Actor, Age, PageHead } from "../parts/bits.js";
import { Button } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Sign, type SignName } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { StepButton, useMayAct } from "../parts/step-button.js";
import { isOffered, looks } from "../parts/steps.js";
import { dollars, plural, tokens } from "../parts/words.js";
import { RunBody } from "./run-body.js";
import { RunQuestions } from "./run-questions.js";
import { Stages } from "./stages.js";
import type { Run, RunSummary } from "./types.js";

const SIGNS: Readonly<Record<string, SignName>> = {
  ready: "ask",
  waiting: "ask",
  running: "in_progress",
  halted: "rejected",
  finished: "done",
  aborted: "dropped",
};

function RunList({ runs, current }: { readonly runs: readonly RunSummary[]; readonly current: string }) {
  if (runs.length < 2) return null;
  return (
    <ul className="run-list" aria-label="Planning runs">
      {runs.map(({ id, title, status, createdAt }) => (
        <li key={id}>
          <a aria-current={id === current ? "page" : undefined} {...linkTo({ item: id })}>
            <Sign name={SIGNS[status] ?? "planned"} />
            <span className="id">{id}</span>
            <span className="title">
              <Plain text={title} />
            </span>
            <span className="hint">{status}</span>
            <Age since={createdAt} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Tools({ run }: { readonly run: Run }) {
  const mayAct = useMayAct();
  // What decides stands last, at the edge.
  const acting = run.next
    .filter((step) => isOffered(step) && !looks(step))
    .sort((a, b) => Number(a.operation === "approve") - Number(b.operation === "approve"));
  useKeys(mayAct && run.status === "ready" ? { a: () => go({ approve: run.id }) } : {});
  return (
    <>
      <Button kind="quiet" onClick={() => window.print()}>
        Print
      </Button>
      {acting.map((step) => {
        const isApproval = step.operation === "approve";
        return (
          <StepButton
            key={JSON.stringify(step)}
            step={step}
            beside={run.id}
            kind={isApproval ? "primary" : ""}
            {...(isApproval && { k: "a" })}
          />
        );
      })}
    </>
  );
}

const TEXTS = [
  ["spec", "Spec"],
  ["plan", "Plan document"],
] as const;

/** What the run reads and writes for people, as text. */
function Texts({ artifacts }: Pick<Run, "artifacts">) {
  return TEXTS.map(([kind, words]) => {
    const key = artifacts[kind];
    return (
      key !== undefined && (
        <a key={kind} className="link" title={key} {...linkTo({ artifact: key })}>
          {words}
        </a>
      )
    );
  });
}

function RunPage({ id, runs }: { readonly id: string; readonly runs: readonly RunSummary[] }) {
  const read = useRead("plan.show", { run: id });
  return (
    <Shown read={read} rows={10}>
      {(run) => (
        <>
          <PageHead title={<Plain text={run.title} />} tools={<Tools run={run} />}>
            <span className="id">{run.id}</span>
            {run.source !== null && <Plain text={run.source} />}
            <Texts artifacts={run.artifacts} />
            <span>
              started by <Actor name={run.createdBy} /> <Age since={run.createdAt} />
            </span>
            <span>
              {plural(run.calls, "role call")}
              {run.tokens > 0 && `, ${tokens(run.tokens)} tokens, ${dollars(run.costUsd)}`}
            </span>
          </PageHead>
          <RunList runs={runs} current={id} />
          <Stages run={run} again={read.again} />
          <RunQuestions run={run} />
          <RunBody run={run} />
        </>
      )}
    </Shown>
  );
}

export default function PlanningView() {
  const { item } = usePlace();
  const read = useRead("plan.list", {});
  return (
    <Shown read={read} rows={8}>
      {({ runs }) => {
        const id = item ?? runs.find(({ status }) => status !== "aborted")?.id ?? runs[0]?.id;
        return id === undefined ? (
          <>
            <PageHead title="Planning" />
            <Empty>No plan was made here yet. Start one in a terminal, from a spec or an idea.</Empty>
          </>
        ) : (
          <RunPage key={id} id={id} runs={runs} />
        );
      }}
    </Shown>
  );
}
