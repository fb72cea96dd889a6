// Text of a plan, character by character: nothing hides in it.

import type { ReactNode } from "react";
import { type ShownPiece, visible, visibleCode } from "../../../src/model/visible.js";

/** Prose: whatever would be invisible, or would change the direction of text, is a mark. */
export const Plain = ({ text }: { readonly text: string }): ReactNode => <Pieces pieces={visible(text)} />;

/** A command, a path or a name: look-alikes are marks, too. */
export const Code = ({ text }: { readonly text: string }): ReactNode => <Pieces pieces={visibleCode(text)} />;

function Pieces({ pieces }: { readonly pieces: readonly ShownPiece[] }): ReactNode {
  if (pieces.length === 1 && !pieces[0]?.isMark) return pieces[0]?.text;
  return pieces.map(({ text: part, isMark }, index) =>
    isMark ? (
      <span
        key={index}
        className="hidden-char"
        title="Shown by its name: it is invisible, or looks like something else"
      >
        {part}
      </span>
    ) : (
      part
    ),
  );
}
