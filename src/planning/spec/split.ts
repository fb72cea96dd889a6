// Cuts a spec into parts that fit into the context of a model.

import { QUARTERS, tokenQuarters } from "../../model/words.js";
import type { Spec } from "./spec.js";

const PARAGRAPHS = /[\s\S]*?(?:\n[ \t\r]*\n|$)/g;
const LINES = /[\s\S]*?(?:\n|\r(?!\n)|$)/g;

/** As few as fit, in order. */
function join(pieces: Iterable<string>, limit: number): string[] {
  const joined: string[] = [];
  let room = 0;
  for (const piece of pieces) {
    const cost = tokenQuarters(piece);
    if (joined.length === 0 || cost > room) {
      joined.push(piece);
      room = limit - cost;
    } else {
      joined[joined.length - 1] += piece;
      room -= cost;
    }
  }
  return joined;
}

/** A line that is too long is cut anywhere but inside of a surrogate pair. */
function piecesOf(text: string, limit: number, [pattern, ...finer]: readonly RegExp[]): string[] {
  if (tokenQuarters(text) <= limit) return [text];
  if (pattern === undefined) return join(text, limit);
  const pieces = (text.match(pattern) ?? []).filter((piece) => piece !== "");
  return pieces.flatMap((piece) => piecesOf(piece, limit, finer));
}

/** Cuts between sections where it can, then between paragraphs, then between lines. */
export function splitSpec({ text, sections }: Spec, maxTokens: number): string[] {
  const limit = Math.max(1, Math.floor(maxTokens)) * QUARTERS;
  return join(
    sections.flatMap(({ start, end }) => piecesOf(text.slice(start, end), limit, [PARAGRAPHS, LINES])),
    limit,
  );
}
