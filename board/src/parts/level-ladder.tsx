// How far the daemon may go by itself, for the workspace or one feature. Raising it asks once, in place; lowering never asks.

import { useState } from "react";
import { perform, undo } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { say } from "../api/say.js";
import type { ApiFailure, Output, Step } from "../api/types.js";
import { Button } from "./button.js";
import { Prose } from "./prose.js";
import { useMayAct } from "./step-button.js";

const LEVELS = ["off", "on", "auto"] as const;
type Level = (typeof LEVELS)[number];

const MEANING: Readonly<Record<Level, string>> = {
  off: "Begins nothing by itself.",
  on: "Builds and suggests. You land.",
  auto: "Builds, lands what is green, and applies what it can prove.",
};

const levelOf = ({ input }: Step): Level | undefined => LEVELS.find((each) => each === input["level"]);

interface Asked {
  readonly step: Step;
  /** What the server wants to be confirmed besides: that nothing confines workers. */
  readonly refusal?: ApiFailure;
}

/** What it means now, which may be less than what is set. */
function meaning({ level, effective, feature, by }: Output<"level.show">): string {
  if (feature !== null && by === null) return `${feature} follows the workspace, which is at ${effective}.`;
  if (effective !== level) return `The workspace is at ${effective}, and the lower one counts.`;
  return feature === null ? MEANING[level] : `In ${feature}: ${MEANING[level]}`;
}

export function LevelLadder({ of = null }: { readonly of?: string | null }) {
  const { data } = useRead("level.show", of === null ? {} : { in: of });
  const [asked, setAsked] = useState<Asked | null>(null);
  const mayAct = useMayAct();
  if (!data) return null;
  const send = async (step: Step): Promise<void> => {
    const answer = await perform("level", step.input);
    if (answer.ok) {
      setAsked(null);
      const { op } = answer.data as { readonly op: number | null };
      return say(`The level is ${levelOf(step)}.`, op === null ? {} : { undo: () => undo(op) });
    }
    const again = answer.error.next.find(({ operation }) => operation === "level");
    if (again) setAsked({ step: again, refusal: answer.error });
    else say(answer.error.message, { tone: "stop" });
  };
  // A feature that nobody set a level for has none of its own to show.
  const shown = data.feature !== null && data.by === null ? data.effective : data.level;
  const choose = (next: Level): void => {
    const step = data.next.find((each) => levelOf(each) === next);
    if (!step) return setAsked(null);
    if (LEVELS.indexOf(next) > LEVELS.indexOf(shown)) setAsked({ step });
    else void send(step);
  };
  const name = `level of ${of ?? "workspace"}`;
  return (
    <>
      <div className="level">
        <span id={name}>Level</span>
        <div className="seg small" role="radiogroup" aria-labelledby={name}>
          {LEVELS.map((each) => (
            <button
              key={each}
              type="button"
              role="radio"
              aria-checked={each === shown}
              disabled={!mayAct || (each !== shown && !data.next.some((step) => levelOf(step) === each))}
              onClick={() => choose(each)}
            >
              {each}
            </button>
          ))}
        </div>
      </div>
      <p>{meaning(data)}</p>
      {asked !== null && <Raise asked={asked} send={send} close={() => setAsked(null)} />}
    </>
  );
}

function Raise({
  asked: { step, refusal },
  send,
  close,
}: {
  readonly asked: Asked;
  readonly send: (step: Step) => Promise<void>;
  readonly close: () => void;
}) {
  const level = levelOf(step) ?? "on";
  return (
    <div className="raise" role="alert">
      <p>{refusal ? <Prose text={refusal.message} /> : `At level ${level}: ${MEANING[level]}`}</p>
      <div className="acts">
        <Button kind="primary" autoFocus command={step.command} onClick={() => void send(step)}>
          Raise to {level}
          {refusal && " all the same"}
        </Button>
        <Button kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
