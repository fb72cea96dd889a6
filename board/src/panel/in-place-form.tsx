// A form in its place: Enter or Ctrl Enter sends it, Esc closes it.

import type { ReactNode } from "react";
import { Button } from "../parts/button.js";

export function InPlaceForm({
  label,
  send,
  close,
  children,
}: {
  /** Of the button that sends it. */
  readonly label: string;
  readonly send: () => void;
  readonly close: () => void;
  readonly children: ReactNode;
}) {
  return (
    <form
      className="edit-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          close();
        }
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
      }}
    >
      {children}
      <div className="acts">
        <button type="submit" className="btn primary">
          {label}
        </button>
        <Button kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
