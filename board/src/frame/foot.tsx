// The foot of the rail: how far the daemon may go, and whether the page is live.

import { type Connection, connection } from "../api/live.js";
import { session } from "../api/session.js";
import { useSignal } from "../api/signal.js";
import { token } from "../api/token.js";
import { LevelLadder } from "../parts/level-ladder.js";
import { clockSeconds } from "../parts/words.js";
import { usePlace } from "./route.js";

function words({ state, op, heardAt }: Connection, isSignedIn: boolean, at: number | null): string {
  if (!isSignedIn) return "Signed out";
  if (at !== null) return `Past, operation ${at.toLocaleString("en")}`;
  if (state === "live") return `Live, operation ${op.toLocaleString("en")}`;
  return heardAt === null ? "Connecting" : `Reconnecting, last heard ${clockSeconds(heardAt)}`;
}

export function Foot() {
  const now = useSignal(connection);
  const isSignedIn = useSignal(token) !== undefined;
  const known = useSignal(session);
  const { at } = usePlace();
  const isLive = now.state === "live" && isSignedIn && at === null;
  return (
    <div className="foot">
      <LevelLadder />
      <p className={`live${isLive ? "" : " not"}`}>
        <i />
        {words(now, isSignedIn, at)}
      </p>
      {known?.readOnly && <p>Read-only</p>}
    </div>
  );
}
