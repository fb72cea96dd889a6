// Whether something stored beside the nodes has come to its end: then nothing waits for it, and it waits for nothing.

import { type Entity, type ItemTypes, LIVE, placeOf } from "./item.js";

/** The states in which it ended. What is not listed never ends. */
const ENDS: Readonly<Partial<Record<Entity, (state: string) => boolean>>> = {
  run: (state) => state === "finished" || state === "aborted",
  attempt: (state) => state !== LIVE,
  conflict: (state) => state === "settled",
  record: (state) => state === "superseded",
  memory: (state) => state === "forgotten",
  escalation: (state) => state !== "open",
};

/** How it ended, in one word; null while it has not. */
export function endOf<E extends Entity>(entity: E, fields: ItemTypes[E]): string | null {
  const { state } = placeOf(entity, fields);
  return ENDS[entity]?.(state) ? state : null;
}
