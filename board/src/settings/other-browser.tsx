// A code for another browser of yours: good for one sign-in.

import { useState } from "react";
import { postSigned } from "../api/client.js";
import { Button } from "../parts/button.js";
import { clock } from "../parts/words.js";

interface Made {
  readonly address: string;
  readonly code: string;
  readonly until: number;
}

export function OtherBrowser() {
  const [made, setMade] = useState<Made | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    const answer = await postSigned<Made>("/api/session/code", {});
    setMade(answer.ok ? answer.data : null);
    setFailure(answer.ok ? null : answer.error.message);
  };
  return (
    <div className="acts">
      <Button onClick={() => void make()}>Make a code for another browser</Button>
      <span className="hint" role="status">
        {failure ?? (made === null && "Good for one sign-in on this machine. Other tabs of this browser need none.")}
        {made !== null && (
          <>
            Open <code>{made.address}</code> and type <code>{made.code}</code> before {clock(made.until)}.
          </>
        )}
      </span>
    </div>
  );
}
