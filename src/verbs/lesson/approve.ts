import { changeItem } from "../../model/item/item.js";
import { type Context, type Infer, planVerb } from "../kit/verb.js";
import { changeLessons, lessonsInput } from "./list.js";

export const input = lessonsInput;

export const verb = planVerb({
  command: {
    words: "approve",
    when: { keys: ["MEM"] },
    group: "record",
    positional: ["ids"],
    aliases: ["lesson approve", "memory approve"],
  },
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
});

export function approveLessons(context: Context, { ids }: Infer<typeof input>) {
  return changeLessons(context, ids, (items) => {
    const proposed = items.filter(({ fields }) => fields.state === "proposed");
    const approved = proposed.map(({ key }) => key);
    const changes = proposed.flatMap((item) => changeItem(item, { state: "kept", approvedBy: context.actor }));
    return { sentence: `${context.actor} approved ${approved.join(", ")}`, changes, value: { approved } };
  });
}
