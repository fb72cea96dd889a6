// Asked once for each browser session: that a person sits here.

import { useState } from "react";
import { pendingPerson } from "../api/act.js";
import { confirmPerson, session } from "../api/session.js";
import { useSignal } from "../api/signal.js";
import { Button } from "../parts/button.js";
import { Dialog } from "./dialog.js";

export function PersonDialog() {
  const pending = useSignal(pendingPerson);
  const known = useSignal(session);
  const [failure, setFailure] = useState<string | null>(null);
  if (!pending) return null;
  const confirm = async (): Promise<void> => {
    const error = await confirmPerson();
    if (error) setFailure(error.message);
    else pending.go(true);
  };
  return (
    <Dialog
      label="Confirm that it is you"
      title="Is it you?"
      close={() => pending.go(false)}
      footer={
        <>
          <span className="hint">Asked once in this browser.</span>
          <span className="grow" />
          <Button onClick={() => pending.go(false)}>Cancel</Button>
          <Button kind="primary" onClick={() => void confirm()}>
            It is me
          </Button>
        </>
      }
    >
      <div className="scroll">
        <p>
          What you do from here is done and signed as <b>{known?.actor}</b>: approve, answer, land, undo.
        </p>
        {failure !== null && (
          <p className="stop-text" role="alert">
            {failure}
          </p>
        )}
      </div>
    </Dialog>
  );
}
