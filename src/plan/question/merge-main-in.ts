// The offer to have a worker merge main into a feature's branch, where the two do not go together by themselves.

import type { Node } from "../../model/node/node.js";
import { MERGE_MAIN } from "../../model/node/profile.js";
import type { Change } from "../../model/operation/change.js";
import type { Writer } from "../../store/store.js";
import type { Maker } from "../record/save-record.js";
import { raise } from "./raise.js";

export const MERGE_MAIN_IN = {
  id: MERGE_MAIN,
  label: "Merge main in",
  detail: "Adds a task in which a worker merges main into the feature's branch, behind all checks of the feature.",
};

/** `why`: names the commit of main, so that you are asked once about each. Changes nothing while a task merges main already. */
export async function askToMergeMain(writer: Writer, feature: Node, why: string, maker: Maker): Promise<Change[]> {
  const below = await writer.descendants(feature.nr);
  const land = below.find(({ kind, outcome }) => kind === "land" && outcome === null);
  if (!land || below.some(({ profile, outcome }) => profile === MERGE_MAIN && outcome === null)) return [];
  const asked = await writer.items("question", { owner: land.id });
  if (asked.some(({ fields }) => fields.context === why || fields.state === "open")) return [];
  const { changes } = await raise(
    writer,
    {
      kind: "land",
      question: `Main does not go together with ${feature.id} any more. What next?`,
      owner: land.id,
      context: why,
      recommended: MERGE_MAIN,
      options: [
        MERGE_MAIN_IN,
        {
          id: "wait",
          label: "Go on without main",
          detail: "Tasks begin without what is new on main. Landing asks again.",
        },
      ],
    },
    maker,
  );
  return changes;
}
