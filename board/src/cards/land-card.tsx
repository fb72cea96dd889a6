// Landing: five lines, one for each thing that it proves. A dry run fills them; landing proves all of it again, and main moves last.

import { useEffect } from "react";
import { hasActed } from "../api/act.js";
import { landingProgress } from "../api/live.js";
import { useRead } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import type { ApiFailure, Step } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { Age } from "../parts/bits.js";
import { AskingButton, Button } from "../parts/button.js";
import { CardRow } from "../parts/card-row.js";
import { Plain } from "../parts/plain.js";
import { Output, Prose } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { StepButton, useMayAct } from "../parts/step-button.js";
import { forget, type Landing, type LandState, land, landingOf, landings } from "./landings.js";
import {
  evidenceOf,
  landingLines,
  openLines,
  type Progress,
  type ProofLine,
  provenLines,
  refusedLines,
} from "./proof-lines.js";

function Lines({ lines, error }: { readonly lines: readonly ProofLine[]; readonly error?: ApiFailure | undefined }) {
  return (
    <ul className="proof">
      {lines.map(({ sign, words, evidence }) => (
        <li key={words} className={sign === "rejected" ? "refused" : ""}>
          <Sign name={sign} />
          <span className="grow">{words}</span>
          <span className="id">
            <Plain text={evidence} />
          </span>
          {sign === "rejected" && error && <Reason error={error} />}
        </li>
      ))}
    </ul>
  );
}

/** Why it was refused, with the files or the output that say so. */
function Reason({ error }: { readonly error: ApiFailure }) {
  const { paths, output } = evidenceOf(error);
  return (
    <div className="reason" role="alert">
      <p>
        <Prose text={error.message} />
      </p>
      {paths.length > 0 && (
        <p className="files">
          {paths.slice(0, 20).map((path) => (
            <code key={path}>
              <Plain text={path} />
            </code>
          ))}
        </p>
      )}
      {output !== "" && <Output text={output} limit={20} />}
    </div>
  );
}

function linesOf({ busy, tried }: LandState, progress: Progress | undefined): readonly ProofLine[] {
  if (busy !== null) return landingLines(progress);
  if (tried?.error) return refusedLines(tried.error);
  return tried?.landing ? provenLines(tried.landing) : openLines();
}

function Hint({ busy, tried }: LandState) {
  if (busy !== null) return busy === "dry" ? "Trying it in a worktree of its own." : "Main moves last.";
  if (!tried) return "All of it is proven before main moves.";
  return (
    <>
      {tried.error ? "Tried" : "Dry run"} <Age since={tried.at} before />. All of it is proven again before main moves.
    </>
  );
}

/** At level off nothing begins by itself, and only you start commands. */
function useFirstDryRun(state: LandState, step: Step): void {
  const isMe = useSignal(hasActed);
  const level = useRead("level.show", {}).data?.level ?? "off";
  const mayAct = useMayAct();
  const isDue = mayAct && isMe && level !== "off" && !state.tried && !state.landed && state.busy === null;
  useEffect(() => {
    if (isDue) void land(state.feature, step, true);
  }, [isDue]);
}

interface LandProps {
  readonly feature: string;
  readonly step: Step;
  /** Whether keys are meant for it. */
  readonly current: boolean;
}

export function LandCard({ feature, step, current }: LandProps) {
  const state = landingOf(useSignal(landings), feature);
  const mayAct = useMayAct();
  const progress = useSignal(landingProgress).get(feature);
  useFirstDryRun(state, step);
  const { busy, tried } = state;
  const error = busy === null ? tried?.error : undefined;
  const lines = linesOf(state, progress);
  const go = (dryRun: boolean): void => void land(feature, step, dryRun);
  const isFree = mayAct && busy === null;
  useKeys(isFree && current ? { d: () => go(true) } : {});
  return (
    <>
      <Lines lines={lines} error={error} />
      {error && !lines.some(({ sign }) => sign === "rejected") && <Reason error={error} />}
      {mayAct && (
        <div className="acts">
          <AskingButton
            kind="primary"
            k="l"
            command={step.command}
            disabled={busy !== null}
            listens={isFree && current}
            question={`Land ${feature} now`}
            onClick={() => go(false)}
          >
            {busy === "landing" ? "Landing …" : "Land on main"}
          </AskingButton>
          <Button k="d" disabled={busy !== null} onClick={() => go(true)}>
            {busy === "dry" ? "Trying …" : "Try without landing"}
          </Button>
          {error?.next
            .filter(({ operation }) => operation !== "land")
            .map((each) => (
              <StepButton key={JSON.stringify(each)} step={each} beside={feature} />
            ))}
          <span className="grow" />
          <span className="hint">
            <Hint {...state} />
          </span>
        </div>
      )}
    </>
  );
}

function Landed({ landing }: { readonly landing: Landing }) {
  const { feature, commit, next, branch } = landing;
  return (
    <>
      <Lines lines={provenLines(landing)} />
      <div className="acts">
        {next.map((step) => (
          <StepButton key={step.operation} step={step} label="Revert by a new task" />
        ))}
        <Button kind="quiet" onClick={() => forget(feature)}>
          Dismiss
        </Button>
        <span className="grow" />
        <span className="hint">
          {branch ?? "main"} is <span className="id">{commit?.slice(0, 10)}</span>. An undo changes the plan only.
        </span>
      </div>
    </>
  );
}

/** What lands or landed from this page, and no longer waits for you. */
export function LandedCards({ waiting }: { readonly waiting: ReadonlySet<string> }) {
  const known = [...useSignal(landings).values()];
  const shown = known.filter(({ feature, busy, landed }) => landed || (busy === "landing" && !waiting.has(feature)));
  return shown.map(({ feature, landed, step }) => (
    <li key={`landed ${feature}`} className="card" data-card={`landed ${feature}`}>
      <CardRow
        icon="land"
        headline={landed ? `${feature} landed` : `${feature} is landing`}
        small={<small>{landed?.proof}</small>}
      />
      <div className="body">
        {landed && <Landed landing={landed} />}
        {!landed && step && <LandCard feature={feature} step={step} current={false} />}
      </div>
    </li>
  ));
}
