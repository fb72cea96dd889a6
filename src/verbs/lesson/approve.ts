import { changeItem } from "../../model/item/item.js";
import { ok, type Result } from "../../model/result.js";
import { act, type Context } from "../../plan/base/context.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/after-change.js";
import { findKept, lessonsInput } from "./list.js";

export const input = lessonsInput;

export const verb = planVerb({
  name: "lesson.approve",
  command: { words: "lesson approve", group: "record", positional: ["ids"], aliases: [{ words: "memory approve" }] },
  summary: "Approve lessons that agents proposed",
  description: "An agent's lesson goes into no prompt and no bundle before you approve it.",
  who: "person",
  effect: "writes",
  input,
  examples: [{ input: { ids: ["MEM-001"] }, does: "keeps the lesson for later plans and tasks" }],
  run: approveLessons,
  text: ({ approved }, style) =>
    approved.length === 0
      ? style.dim("All of them were approved already.")
      : `${style.green("✓")} approved ${approved.join(", ")}`,
  next: ({ op }) => undoStep(op),
});

interface ApprovedLessons {
  readonly op: number | null;
  readonly approved: readonly string[];
}

/** From now on they go into prompts and bundles. */
export async function approveLessons(
  context: Context,
  { ids }: { readonly ids: readonly string[] },
): Promise<Result<ApprovedLessons>> {
  const committed = await act(context, "memory", async (writer) => {
    const items = await findKept(writer, ids);
    if (!items.ok) return items;
    const proposed = items.value.filter(({ fields }) => fields.state === "proposed");
    const changes = proposed.flatMap((item) => changeItem(item, { state: "kept", approvedBy: context.actor }));
    const keys = proposed.map(({ key }) => key);
    return ok({ sentence: `${context.actor} approved ${keys.join(", ")}`, changes, value: keys });
  });
  return committed.ok ? ok({ op: committed.value.op, approved: committed.value.value }) : committed;
}
