// Landing: five lines, one for each thing that it proves. A dry run fills them; landing proves all of it again.

import { useState } from "react";
import { perform } from "../api/act.js";
import { refreshSoon } from "../api/reads.js";
import { say } from "../api/say.js";
import { signal, useSignal } from "../api/signal.js";
import type { ApiFailure, Output as OutputOf, Step } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { Age } from "../parts/bits.js";
import { AskingButton, Button } from "../parts/button.js";
import { Output, Prose } from "../parts/prose.js";
import { Sign, type SignName } from "../parts/sign.js";
import { StepButton, useMayAct } from "../parts/step-button.js";
import { lasted, plural } from "../parts/words.js";

type Landing = OutputOf<"land">;

interface Tried {
  readonly at: string;
  readonly landing?: Landing;
  readonly error?: ApiFailure;
}

/** The last dry run of each feature, while the page is open. */
const tries = signal<ReadonlyMap<string, Tried>>(new Map());

interface ProofLine {
  readonly sign: SignName;
  readonly words: string;
  readonly evidence: string;
}

const NOT_YET: readonly string[] = [
  "Every task is done and accepted",
  "Merges with main as it is now",
  "The commit of every task is in the result",
  "Nothing is in the way in the checkout",
  "Checks and requirements are green on the result",
];

function provenLines({ tasks, from, proofs, checkout, checks, requirements, branch }: Landing): ProofLine[] {
  const spent = checks.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const weak = proofs.filter(({ strength }) => strength !== "strong").length;
  const required = requirements.length === 0 ? "" : ` and ${plural(requirements.length, "requirement")}`;
  return [
    {
      sign: "done",
      words: `${tasks.length} of ${tasks.length} tasks are done and accepted`,
      evidence: weak > 0 ? plural(weak, "weak proof") : "",
    },
    { sign: "done", words: `Merges with ${branch} as it is now`, evidence: from?.slice(0, 10) ?? "" },
    { sign: "done", words: "The commit of every task is in the result", evidence: plural(tasks.length, "commit") },
    { sign: "done", words: "Nothing is in the way in the checkout", evidence: checkout ?? "" },
    {
      sign: checks.every(({ passed }) => passed) ? "done" : "rejected",
      words: `${plural(checks.length, "check")}${required} green on the result`,
      evidence: lasted(spent),
    },
  ];
}

function Lines({ lines }: { readonly lines: readonly ProofLine[] }) {
  return (
    <ul className="proof">
      {lines.map(({ sign, words, evidence }) => (
        <li key={words}>
          <Sign name={sign} />
          <span className="grow">{words}</span>
          <span className="id">{evidence}</span>
        </li>
      ))}
    </ul>
  );
}

function Refused({ error }: { readonly error: ApiFailure }) {
  const checks = error.details?.["checks"];
  const failed = Array.isArray(checks)
    ? checks.find((check: { passed?: boolean }) => check.passed === false)
    : undefined;
  const output = (failed as { output?: unknown } | undefined)?.output;
  return (
    <div className="refused" role="alert">
      <p>
        <Sign name="rejected" /> <Prose text={error.message} />
      </p>
      {typeof output === "string" && output !== "" && <Output text={output} limit={20} />}
      <div className="acts">
        {error.next.map((step) => (
          <StepButton key={JSON.stringify(step)} step={step} />
        ))}
      </div>
    </div>
  );
}

type Busy = "dry" | "landing" | null;

function LandButtons({ feature, step, tried, busy, go }: ButtonsProps) {
  return (
    <div className="acts">
      <AskingButton
        kind="primary"
        k="l"
        command={step.command}
        disabled={busy !== null}
        question={`Land ${feature} now`}
        onClick={() => go(false)}
      >
        {busy === "landing" ? "Landing …" : "Land on main"}
      </AskingButton>
      <Button
        k="d"
        disabled={busy !== null}
        command={step.command && `${step.command} --dry-run`}
        onClick={() => go(true)}
      >
        {busy === "dry" ? "Trying …" : "Try without landing"}
      </Button>
      <span className="grow" />
      <span className="hint">
        {tried?.landing ? (
          <>
            Tried <Age since={tried.at} />. All of it is proven again before main moves.
          </>
        ) : (
          "All of it is proven before main moves."
        )}
      </span>
    </div>
  );
}

interface ButtonsProps {
  readonly feature: string;
  readonly step: Step;
  readonly tried: Tried | undefined;
  readonly busy: Busy;
  readonly go: (dryRun: boolean) => void;
}

async function tryLanding(feature: string, dryRun: boolean): Promise<void> {
  const remember = (entry: Tried): void => tries.update((known) => new Map([...known, [feature, entry]]));
  const answer = await perform("land", { reference: feature, ...(dryRun ? { dryRun } : { yes: true }) });
  const at = new Date().toISOString();
  if (!answer.ok) return remember({ at, error: answer.error });
  const landing = answer.data as Landing;
  remember({ at, landing });
  if (!dryRun) say(`${feature} landed: ${landing.proof}. To take the code back, revert it by a new task.`);
  refreshSoon();
}

export function LandCard({ feature, step }: { readonly feature: string; readonly step: Step }) {
  const tried = useSignal(tries).get(feature);
  const [busy, setBusy] = useState<Busy>(null);
  const mayAct = useMayAct();
  const go = (dryRun: boolean): void => {
    setBusy(dryRun ? "dry" : "landing");
    void tryLanding(feature, dryRun).finally(() => setBusy(null));
  };
  useKeys(mayAct && busy === null ? { d: () => go(true) } : {});
  const sign = busy === null ? "pending" : "in_progress";
  const waiting = NOT_YET.map((words) => ({ sign, words, evidence: "" }) as const);
  const isKnown = busy === null && tried !== undefined;
  return (
    <>
      {isKnown && tried.error ? (
        <Refused error={tried.error} />
      ) : (
        <Lines lines={isKnown && tried.landing ? provenLines(tried.landing) : waiting} />
      )}
      {mayAct && <LandButtons feature={feature} step={step} tried={tried} busy={busy} go={go} />}
    </>
  );
}
