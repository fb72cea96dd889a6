// The foot of the rail: how far the daemon may go, and whether the page is live.

import { connection } from "../api/live.js";
import { session } from "../api/session.js";
import { useSignal } from "../api/signal.js";
import { LevelLadder } from "../parts/level-ladder.js";
import { clockSeconds } from "../parts/words.js";
import { usePlace } from "./route.js";

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
      <p className={`live${isLive ? "" : " not"}`}>
        <i />
        {words(state, op, heardAt, at)}
      </p>
      {known?.readOnly && <p>Read-only</p>}
    </div>
  );
}
