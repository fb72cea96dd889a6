// Buttons. Each shows its key, and one that stands for an operation can be copied as a command with Shift and a click.

import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { say } from "../api/say.js";

interface ButtonProps {
  readonly children: ReactNode;
  readonly onClick?: ((event: MouseEvent) => void) | undefined;
  readonly kind?: "primary" | "quiet" | "" | undefined;
  readonly k?: string | undefined;
  /** What Shift and a click copies. */
  readonly command?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly pressed?: boolean | undefined;
  readonly label?: string | undefined;
  readonly title?: string | undefined;
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
  const { children, onClick, kind = "", k, command, disabled, pressed, label, title } = props;
  const click = (event: MouseEvent): void => {
    event.stopPropagation();
    if (event.shiftKey && command !== undefined) void copy(command);
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      className={`btn ${kind}${pressed ? " on" : ""}`}
      disabled={disabled}
      aria-pressed={pressed}
      aria-label={label}
      title={title ?? (command === undefined ? undefined : `Shift and click copies: ${command}`)}
      onClick={click}
    >
      {children}
      {k !== undefined && <Key>{k}</Key>}
    </button>
  );
}

const ASKS_MS = 6_000;

/** What leaves the store asks once, in place: the button becomes its own question. */
export function AskingButton({ question, onClick, children, ...rest }: ButtonProps & { readonly question: string }) {
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    if (!asking) return undefined;
    const timer = setTimeout(() => setAsking(false), ASKS_MS);
    return () => clearTimeout(timer);
  }, [asking]);
  if (!asking) {
    return (
      <Button {...rest} onClick={() => setAsking(true)}>
        {children}
      </Button>
    );
  }
  return (
    <span className="asking">
      <Button
        {...rest}
        kind="primary"
        onClick={(event) => {
          setAsking(false);
          onClick?.(event);
        }}
      >
        {question}
      </Button>
      <Button kind="quiet" onClick={() => setAsking(false)}>
        Cancel
      </Button>
    </span>
  );
}
