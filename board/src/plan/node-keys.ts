// Keys that act on the current node of a layout while no panel is open: the panel opens with what the key asks for.

import { signal } from "../api/signal.js";
import type { VerbName } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go, usePlace } from "../frame/route.js";
import { useMayAct } from "../parts/step-button.js";

/** What the panel does as soon as it knows that it may. */
export const pendingVerb = signal<VerbName | null>(null);

export function useNodeKeys(id: string | null): void {
  const { item } = usePlace();
  const mayAct = useMayAct();
  const open = (verb: VerbName) => (): void => {
    pendingVerb.set(verb);
    go({ item: id, tab: "overview" });
  };
  const isActive = id !== null && item === null && mayAct;
  useKeys(isActive ? { e: open("edit"), f: open("freeze"), m: open("move"), a: () => go({ approve: id }) } : {});
}
