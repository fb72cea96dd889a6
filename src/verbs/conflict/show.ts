import { findItem } from "../../plan/item/find-item.js";
import { type Context, fields, key, ok, planVerb, step } from "../kit/verb.js";
import { renderConflict, toConflictView } from "./list.js";

export const conflictId = () => key("conflict", "the conflict, such as CONFLICT-00001", "ID");

export const input = fields({ id: conflictId() });

export const verb = planVerb({
  command: {
    words: "show",
    when: { keys: ["CONFLICT"] },
    group: "decide",
    positional: ["id"],
    aliases: ["conflicts show"],
  },
  summary: "Show one conflict with everything decided about it",
  effect: "reads",
  input,
  examples: [{ input: { id: "CONFLICT-00001" }, does: "shows where the two overlap and what was decided" }],
  run: showConflict,
  text: renderConflict,
  next: ({ id, state }) => (state === "open" ? [step("conflicts.resolve", { id }, "choice")] : []),
});

export function showConflict(context: Context, { id }: { readonly id: string }) {
  return context.store.read(async (reader) => {
    const found = await findItem(reader, "conflict", id);
    return found.ok ? ok({ ...(await toConflictView(reader, found.value)), entity: "conflict" as const }) : found;
  });
}
