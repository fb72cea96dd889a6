// The head of a card: its sign, its title with a small line below, and what stands at its right.

import type { ReactNode } from "react";
import { Prose } from "./prose.js";
import { Line, type LineName } from "./sign.js";

interface CardRowProps {
  readonly icon: LineName;
  readonly headline: string;
  readonly small: ReactNode;
  /** Of a card that opens. */
  readonly open?: boolean;
  readonly toggle?: () => void;
  readonly children?: ReactNode;
}

export function CardRow({ icon, headline, small, open, toggle, children }: CardRowProps) {
  const title = (
    <>
      <b>
        <Prose text={headline} plainIds />
      </b>
      {small}
    </>
  );
  return (
    <div className="row">
      <span className="kind">
        <Line name={icon} />
      </span>
      {toggle ? (
        <button type="button" className="what" aria-expanded={open} onClick={toggle}>
          {title}
        </button>
      ) : (
        <div className="what">{title}</div>
      )}
      {children}
    </div>
  );
}
