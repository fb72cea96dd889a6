// What every part of the page can be: loading, empty, failed.

import { type ReactNode, useEffect, useState } from "react";
import type { ApiFailure } from "../api/types.js";
import { Button } from "./button.js";
import { Prose } from "./prose.js";

const PATIENCE_MS = 150;

/** Grey bars, but only for what takes longer than a moment. */
export function Loading({ rows = 6 }: { readonly rows?: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <i key={index} style={{ width: `${[70, 54, 62, 40, 66, 48][index % 6]}%` }} />
      ))}
    </div>
  );
}

export function Empty({ children, button }: { readonly children: ReactNode; readonly button?: ReactNode }) {
  return (
    <div className="empty">
      <p>{children}</p>
      {button}
    </div>
  );
}

export function Failed({ error, again }: { readonly error: ApiFailure; readonly again?: (() => void) | undefined }) {
  return (
    <div className="failed" role="alert">
      <p>
        <Prose text={error.message} />
      </p>
      {error.next.some(({ command }) => command !== undefined) && (
        <p className="hint">
          {error.next.map(({ command }) => command !== undefined && <code key={command}>{command}</code>)}
        </p>
      )}
      {again && <Button onClick={again}>Try again</Button>}
    </div>
  );
}

/** The state of a read, or what to draw with its data. */
export function Shown<T>({
  read,
  rows,
  children,
}: {
  readonly read: { readonly data: T | undefined; readonly error: ApiFailure | undefined; readonly again: () => void };
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}) {
  if (read.data !== undefined) return children(read.data);
  if (read.error) return <Failed error={read.error} again={read.again} />;
  return <Loading {...(rows !== undefined && { rows })} />;
}
