// Buttons. Each shows its key, and one that stands for an operation can be copied as a command with Shift and a click.

import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { say } from "../api/say.js";
import { useKeys } from "../frame/keys.js";

interface ButtonProps {
  readonly children: ReactNode;
  readonly onClick?: (() => void) | undefined;
  readonly kind?: "primary" | "quiet" | "" | undefined;
  readonly k?: string | undefined;
  /** What Shift and a click copies. */
  readonly command?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly pressed?: boolean | undefined;
  readonly label?: string | undefined;
  readonly title?: string | undefined;
  readonly autoFocus?: boolean;
}

export const Key = ({ children }: { readonly children: string }) => <kbd aria-hidden="true">{children}</kbd>;

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${text}`);
  } catch {
    say(`Type this: ${text}`);
  }
}

export function Button(props: ButtonProps) {
  const { children, onClick, kind = "", k, command, disabled, pressed, label, title, autoFocus } = props;
  const click = (event: MouseEvent): void => {
    event.stopPropagation();
    if (event.shiftKey && command !== undefined) void copy(command);
    else onClick?.();
  };
  return (
    <button
      type="button"
      className={`btn ${kind}${pressed ? " on" : ""}`}
      disabled={disabled}
      aria-pressed={pressed}
      aria-label={label}
      // Only where a click on one button brings the next.
      autoFocus={autoFocus}
      title={title ?? (command === undefined ? undefined : `Shift and click copies: ${command}`)}
      onClick={click}
    >
      {children}
      {k !== undefined && <Key>{k}</Key>}
    </button>
  );
}

const ASKS_MS = 6_000;

interface AskingProps extends ButtonProps {
  readonly question: string;
  /** Its key works now: once to ask, once more to say yes. */
  readonly listens?: boolean;
}

/** What leaves the store asks once, in place: the button becomes its own question. */
export function AskingButton({ question, onClick, children, listens = false, ...rest }: AskingProps) {
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    if (!asking) return undefined;
    const timer = setTimeout(() => setAsking(false), ASKS_MS);
    return () => clearTimeout(timer);
  }, [asking]);
  const yes = (): void => {
    setAsking(false);
    onClick?.();
  };
  useKeys(listens && rest.k !== undefined ? { [rest.k]: asking ? yes : () => setAsking(true) } : {});
  if (!asking) {
    return (
      <Button {...rest} onClick={() => setAsking(true)}>
        {children}
      </Button>
    );
  }
  return (
    <span className="asking">
      <Button {...rest} kind="primary" autoFocus onClick={yes}>
        {question}
      </Button>
      <Button kind="quiet" onClick={() => setAsking(false)}>
        Cancel
      </Button>
    </span>
  );
}
