// Questions to a person at a terminal, with choices. Loaded only then.

import { confirm, isCancel, select, text } from "@clack/prompts";
import type { Escalation } from "../../graph/item/escalation.js";

const LATER = "\u0000later";

/** Undefined if the person would rather answer later. */
export async function askEscalation(
  key: string,
  { question, context, options, recommended }: Escalation,
): Promise<{ readonly option: string; readonly note: string } | undefined> {
  const message = context === "" ? `${key}: ${question}` : `${key}: ${question}\n${context}`;
  const output = process.stderr;
  if (options.length === 0) {
    const words = await text({ message, output });
    return isCancel(words) || (words ?? "").trim() === "" ? undefined : { option: words.trim(), note: "" };
  }
  const chosen = await select({
    message,
    output,
    ...(recommended === null ? {} : { initialValue: recommended }),
    options: [
      ...options.map(({ id, label, detail }) => ({
        value: id,
        label: id === recommended ? `${label} (recommended)` : label,
        ...(detail === "" ? {} : { hint: detail }),
      })),
      { value: LATER, label: "Later", hint: "the run waits; `planwright answer` settles it" },
    ],
  });
  return isCancel(chosen) || chosen === LATER ? undefined : { option: chosen, note: "" };
}

export type Closing = "approve" | "changes" | "later" | "abort";

/** What to do with a plan that is ready. */
export async function askApproval(run: string): Promise<{ readonly choice: Closing; readonly note: string }> {
  const output = process.stderr;
  const choice = await select<Closing>({
    message: `${run} is ready. What now?`,
    output,
    options: [
      { value: "approve", label: "Approve", hint: "adds it to the plan and clears it to run, as one operation" },
      { value: "changes", label: "Ask for changes", hint: "your words go to the author" },
      { value: "later", label: "Later", hint: `\`planwright approve ${run}\`` },
      { value: "abort", label: "Abort", hint: "nothing is added" },
    ],
  });
  if (isCancel(choice)) return { choice: "later", note: "" };
  if (choice !== "changes") return { choice, note: "" };
  const note = await text({ message: "What should be different?", output });
  return isCancel(note) || (note ?? "").trim() === "" ? { choice: "later", note: "" } : { choice, note: note.trim() };
}

/** Intake: what was not said by flags. */
export async function askIntake(): Promise<
  { readonly stack: string | null; readonly target: string | null } | undefined
> {
  const output = process.stderr;
  const stack = await text({ message: "Any technology it has to use? (Enter for none)", placeholder: "none", output });
  if (isCancel(stack)) return undefined;
  const target = await text({
    message: "Where does the code go? (Enter for this repository)",
    placeholder: ".",
    output,
  });
  if (isCancel(target)) return undefined;
  const orNull = (words: string | undefined): string | null =>
    (words ?? "").trim() === "" ? null : (words as string).trim();
  return { stack: orNull(stack), target: orNull(target) };
}

/** After a task, before the next one. */
export const askToGoOn = (): Promise<boolean> => askYes("Go on with the next task?");

export async function askYes(message: string): Promise<boolean> {
  const answer = await confirm({ message, output: process.stderr });
  return !isCancel(answer) && answer;
}
