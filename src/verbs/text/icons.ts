// One sign per status, the same everywhere.

import type { Status } from "../../model/status/status.js";
import type { Style } from "../kit/style.js";

const SIGNS: Readonly<Record<Status, readonly [sign: string, colour: keyof Omit<Style, "columns" | "colours">]>> = {
  planned: ["○", "dim"],
  blocked: ["■", "yellow"],
  ready: ["◆", "cyan"],
  in_progress: ["▶", "blue"],
  rejected: ["!", "red"],
  frozen: ["❄", "cyan"],
  done: ["✓", "green"],
  waived: ["~", "green"],
  dropped: ["−", "dim"],
  archived: ["⌂", "dim"],
};

export function icon(status: Status, style: Style): string {
  const [sign, colour] = SIGNS[status];
  return style[colour](sign);
}

export const statusWord = (status: Status): string => status.replace("_", " ");
