// A hand-in whose checks failed: the claim stays as long as the worker may fix it, then the task is rejected and you are asked.

import { hasFailed } from "../../model/attempt/proof.js";
import type { Node } from "../../model/node/node.js";
import type { Decision, Writer } from "../../store/store.js";
import type { Context } from "../base/context.js";
import { askAboutRejected } from "../question/ask-about-rejected.js";
import { noteFailure, type Spending } from "./claim-notes.js";
import type { Completion } from "./complete.js";

/** `rejected`: the decision if it may not be fixed any more. */
export async function keepOrPark(
  { actor }: Context,
  writer: Writer,
  node: Node,
  rejected: Decision<Completion>,
  { fixes, at, said }: { readonly fixes: number; readonly at: number; readonly said: Spending | undefined },
): Promise<Decision<Completion>> {
  const { failed, changes } = await noteFailure(writer, node, said);
  const wrong = rejected.value.checks.find(hasFailed);
  const reason = wrong ? `${wrong.run}: ${wrong.outcome}` : "its checks failed";
  if (failed <= fixes) {
    const value: Completion = { ...rejected.value, acceptance: "open", note: reason, fixesLeft: fixes - failed };
    return { sentence: `${actor} handed in ${node.id}, and its checks failed: ${reason}`, changes, value };
  }
  const asked = await askAboutRejected(writer, node, { class: "logic", reason, attempt: null }, { by: actor, at });
  return {
    ...rejected,
    changes: [...rejected.changes, ...changes, ...asked],
    value: { ...rejected.value, note: reason },
  };
}
