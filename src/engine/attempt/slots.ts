// Which worktrees of the pool are in use. An attempt that others declared lost still has its own while its program
// lives: its worker may be writing there, and what it writes must not get into the work of the next.

import type { Attempt } from "../../model/attempt/attempt.js";
import { changeItem, LIVE } from "../../model/item/item.js";
import { ok } from "../../model/result.js";
import { act } from "../../plan/context.js";
import type { Reader } from "../../store/store.js";
import type { EngineServices } from "../services.js";

type Programs = Pick<EngineServices, "process" | "isAlive">;

const hostOf = (driver: string): string => driver.slice(0, driver.lastIndexOf("/"));

/** Whether a program on another machine is alive cannot be known, so it is not waited for. */
export const mayStillWrite = ({ process, isAlive }: Programs, driver: string): boolean =>
  driver === process || (hostOf(driver) === hostOf(process) && isAlive(driver));

/** What an attempt that this program declares lost keeps: its own workers are gone by then, those of others may not be. */
export const slotOfLost = (programs: Programs, { driver, slot }: Pick<Attempt, "driver" | "slot">): number | null =>
  driver !== programs.process && mayStillWrite(programs, driver) ? slot : null;

export async function takenSlots(programs: Programs, reader: Pick<Reader, "items">): Promise<Set<number | null>> {
  const live = await reader.items("attempt", { state: LIVE });
  // Without a worktree it never began to write.
  const lost = (await reader.items("attempt", { state: "lost" })).filter(
    ({ fields: { slot, worktree, driver } }) => slot !== null && worktree !== null && mayStillWrite(programs, driver),
  );
  return new Set([...live, ...lost].map(({ fields }) => fields.slot));
}

/** The worker of an attempt that others declared lost is gone. */
export async function giveSlotBack({ context }: EngineServices, key: string): Promise<void> {
  await act(context, "attempt", async (writer) => {
    const item = await writer.item("attempt", key);
    const changes = item?.fields.state === "lost" ? changeItem(item, { slot: null }) : [];
    return ok({ sentence: changes.length === 0 ? "" : `${key} gave its worktree back`, changes, value: null });
  });
}
