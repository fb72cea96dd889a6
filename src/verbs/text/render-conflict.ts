// A conflict on a terminal.

import type { ConflictHistory } from "../conflict/list-conflicts.js";
import { harmless } from "./harmless.js";
import { type Style } from "./style.js";
import { minute } from "./times.js";

const LABEL = 18;

export function renderConflict(conflict: ConflictHistory, style: Style): string {
  const { id, state, layer, first, second, files, symbols, arbitration, steps } = conflict;
  const row = (label: string, text: string): string => `  ${style.dim(label.padEnd(LABEL))}${harmless(text)}`;
  return [
    `${style.bold(id)}  ${second} conflicts with ${first}`,
    row("state", `${state} (${arbitration})`),
    row("first", first),
    row("waits", second),
    row("found by", layer),
    row("files", files.join(", ")),
    ...(symbols.length > 0 ? [row("symbols", symbols.join(", "))] : []),
    ...steps.map(({ at, by, what }) => row(minute(at).slice(5), `${what} (${by})`)),
  ].join("\n");
}
