// What ends with a run that is aborted: its questions need no answer any more, what it took for granted holds
// no longer, and no call is left waiting.

import { changeItem } from "../../model/item/item.js";
import type { Change } from "../../model/operation/change.js";
import { withdraw } from "../../plan/question/raise.js";
import type { Reader } from "../../store/store.js";
import { dropAssumptions } from "../apply/run-records.js";

const ABORTED = { message: "The run was aborted.", recovery: "nothing has to be done", settled: true };

/** `answered`: the question whose answer it is. */
export async function abortChanges(reader: Reader, run: string, answered?: string): Promise<Change[]> {
  const open = await reader.items("call", { owner: run, state: "asked" });
  const withdrawn = await withdraw(reader, run);
  return [
    ...withdrawn.filter(({ key }) => key !== answered),
    ...(await dropAssumptions(reader, run)),
    ...open.flatMap((item) => changeItem(item, { state: "failed", error: ABORTED })),
  ];
}
