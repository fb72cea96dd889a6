// A dialog over the page: focus goes into it and back to where it was, and no key of the page acts meanwhile.

import { type ReactNode, useEffect, useRef } from "react";
import { Line } from "../parts/sign.js";
import { KeyLayer, useKeyLayer } from "./keys.js";

export function Dialog({
  label,
  title,
  close,
  className = "dialog",
  children,
  footer,
}: {
  readonly label: string;
  readonly title?: ReactNode;
  readonly close: () => void;
  readonly className?: string;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}) {
  const layer = useKeyLayer();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    // A dialog is read before anything in it is pressed.
    dialog?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={className}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === element.current && close()}
    >
      <KeyLayer value={layer}>
        {title !== undefined && (
          <header>
            <h2>{title}</h2>
            <span className="grow" />
            <button type="button" className="icon" aria-label="Close" onClick={close}>
              <Line name="close" size={14} />
            </button>
          </header>
        )}
        {children}
        {footer !== undefined && <footer>{footer}</footer>}
      </KeyLayer>
    </dialog>
  );
}
