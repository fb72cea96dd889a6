// Which changes let the daemon go further: said outright, or by taking back a word that held it.

import type { Change } from "../operation/change.js";
import { DEFAULT_LEVEL, isRaise, type Level, WORKSPACE_LEVEL } from "./level.js";

/** What counts without a level of its own. A feature follows the workspace: nothing of its own holds it back. */
export const unsetLevel = (key: string): Level => (key === WORKSPACE_LEVEL ? DEFAULT_LEVEL : "auto");

export const raisesLevel = (changes: readonly Change[]): boolean =>
  changes.some(({ entity, key, before, after }) => {
    if (entity !== "level") return false;
    const level = (image: Readonly<Record<string, unknown>> | null): Level =>
      (image?.["level"] as Level | undefined) ?? unsetLevel(key);
    return isRaise(level(before), level(after));
  });
