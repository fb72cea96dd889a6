// The foot of the rail: how far the daemon may go, and whether the page is live.

import { useState } from "react";
import { act } from "../api/act.js";
import { connection } from "../api/live.js";
import { useRead } from "../api/reads.js";
import { session } from "../api/session.js";
import { useSignal } from "../api/signal.js";
import { Button } from "../parts/button.js";
import { useMayAct } from "../parts/step-button.js";
import { clockSeconds } from "../parts/words.js";
import { usePlace } from "./route.js";

const LEVELS = ["off", "on", "auto"] as const;
type Level = (typeof LEVELS)[number];

const MEANING: Readonly<Record<Level, string>> = {
  off: "Begins nothing by itself.",
  on: "Builds and suggests. You land.",
  auto: "Builds, lands what is green, and applies what it can prove.",
};

const setLevel = (level: Level): void => void act("level.set", { level }, `The level is ${level}.`);

function LevelLadder() {
  const level = useRead("level.show", {}).data?.level;
  const [raising, setRaising] = useState<Level | null>(null);
  const mayAct = useMayAct();
  if (level === undefined) return null;
  const choose = (next: Level): void => {
    // Raising lets more happen without you, so it asks once; lowering never asks.
    if (LEVELS.indexOf(next) > LEVELS.indexOf(level)) setRaising(next);
    else if (next !== level) setLevel(next);
  };
  return (
    <>
      <div className="level">
        <span id="level-name">Level</span>
        <div className="seg small" role="radiogroup" aria-labelledby="level-name">
          {LEVELS.map((each) => (
            <button
              key={each}
              type="button"
              role="radio"
              aria-checked={each === level}
              disabled={!mayAct}
              onClick={() => choose(each)}
            >
              {each}
            </button>
          ))}
        </div>
      </div>
      <p>{MEANING[level]}</p>
      {raising !== null && (
        <div className="raise" role="alert">
          <p>
            At level {raising}: {MEANING[raising]}
          </p>
          <div className="acts">
            <Button
              kind="primary"
              command={`planwright level ${raising}`}
              onClick={() => {
                setLevel(raising);
                setRaising(null);
              }}
            >
              Raise to {raising}
            </Button>
            <Button kind="quiet" onClick={() => setRaising(null)}>
              Cancel
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

function words(state: string, op: number, heardAt: number | null, at: number | null): string {
  if (at !== null) return `Past, operation ${at.toLocaleString("en")}`;
  if (state === "live") return `Live, operation ${op.toLocaleString("en")}`;
  return heardAt === null ? "Connecting" : `Reconnecting, last heard ${clockSeconds(heardAt)}`;
}

export function Foot() {
  const { state, op, heardAt } = useSignal(connection);
  const known = useSignal(session);
  const { at } = usePlace();
  const isLive = state === "live" && at === null;
  return (
    <div className="foot">
      <LevelLadder />
      <p className={`live${isLive ? "" : " not"}`} role="status">
        <i />
        {words(state, op, heardAt, at)}
      </p>
      {known?.readOnly && <p>Read-only</p>}
    </div>
  );
}
