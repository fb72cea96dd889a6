// Says that the page shows a past moment, and leads back to now.

import { useEffect } from "react";
import { connection } from "../api/live.js";
import { useRead } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import { shownMoment } from "../parts/bits.js";
import { Button } from "../parts/button.js";
import { Line } from "../parts/sign.js";
import { clock, date } from "../parts/words.js";
import { go } from "./route.js";

export function PastBar({ at }: { readonly at: number }) {
  const { op } = useSignal(connection);
  const shown = useRead("diff", { operation: at, limit: 1 }, { now: true }).data;
  const time = shown ? Date.parse(shown.at) : null;
  useEffect(() => {
    shownMoment.set(time);
    return () => shownMoment.set(null);
  }, [time]);
  const later = Math.max(0, op - at);
  return (
    <div className="then-bar" role="status">
      <Line name="history" />
      <p>
        {time !== null && <b>{`${date(time)}, ${clock(time)}. `}</b>}
        You see the plan as it was after operation {at.toLocaleString("en")}; {later.toLocaleString("en")} came later.
        From here you can only look, and undo.
      </p>
      <Button k="Esc" onClick={() => go({ at: null })}>
        Back to now
      </Button>
    </div>
  );
}
