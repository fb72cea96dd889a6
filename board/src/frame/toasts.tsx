// What just happened, at the bottom left. What can be undone says so.

import { dismiss, toasts } from "../api/say.js";
import { useSignal } from "../api/signal.js";
import { Button } from "../parts/button.js";
import { Prose } from "../parts/prose.js";

export function Toasts() {
  const all = useSignal(toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {all.map(({ id, text, tone, undo }) => (
        <div key={id} className={`toast ${tone}`}>
          <p>
            <Prose text={text} />
          </p>
          {undo && (
            <Button
              k="u"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
          <button type="button" className="icon" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
