// Questions to a person at a terminal, with choices. Loaded only then.

import { confirm, intro, isCancel, select, text } from "@clack/prompts";
import type { Question } from "../../model/item/question.js";
import { step } from "../../model/next-step.js";
import type { ApprovalPreview } from "../../plan/node/approval-preview.js";
import { spell } from "../kit/spell.js";
import { errorStyle } from "../kit/style.js";
import type { Terminal } from "../kit/view.js";
import { harmless, inLine } from "../kit/wording.js";
import { previewText } from "../text/preview-lines.js";

// A terminal that was told no size reports 0 columns, and the library would put each character on a line of its own.
if (process.stderr.columns === 0) process.stderr.columns = 80;

/** The trimmed answer. It is empty if you typed nothing, and undefined if you left. */
async function askText(asked: Omit<Parameters<typeof text>[0], "output">): Promise<string | undefined> {
  const answer = await text({ ...asked, output: process.stderr });
  return isCancel(answer) ? undefined : (answer ?? "").trim();
}

const LATER = "\u0000later";

/** Undefined if the person would rather answer later. */
export async function askQuestion(key: string, { question, context, options, recommended }: Question) {
  // A question may hold a model's words, and the library hands everything on to the terminal.
  const message = harmless(context === "" ? `${key}: ${question}` : `${key}: ${question}\n${context}`);
  const output = process.stderr;
  if (options.length === 0) {
    const option = await askText({ message });
    return option ? { option, note: "" } : undefined;
  }
  const chosen = await select({
    message,
    output,
    ...(recommended === null ? {} : { initialValue: recommended }),
    options: [
      ...options.map(({ id, label, detail }) => ({
        value: id,
        label: id === recommended ? `${inLine(label)} (recommended)` : inLine(label),
        ...(detail === "" ? {} : { hint: inLine(detail) }),
      })),
      { value: LATER, label: "Later", hint: `${spell(step("question.answer", { id: key }, "option"))} answers it` },
    ],
  });
  if (isCancel(chosen) || chosen === LATER) return undefined;
  if (options.find(({ id }) => id === chosen)?.free !== true) return { option: chosen, note: "" };
  const note = await askText({ message: "In your own words:" });
  return note ? { option: chosen, note } : undefined;
}

export type PlanDecision = "read" | "approve" | "changes" | "later" | "abort";

/** Enter never approves a plan that was not read, or of which no task can be proven. */
export const preselected = (hasRead: boolean, isProvable: boolean): PlanDecision =>
  hasRead ? (isProvable ? "approve" : "changes") : "read";

export async function askApproval(
  run: string,
  hasRead: boolean,
  isProvable: boolean,
): Promise<{ readonly choice: PlanDecision; readonly note: string }> {
  const output = process.stderr;
  const choice = await select<PlanDecision>({
    message: isProvable ? `${run} is ready. What next?` : `${run} has no check that proves anything. What next?`,
    output,
    initialValue: preselected(hasRead, isProvable),
    options: [
      { value: "read", label: "Read the plan", hint: "every task, and every command that would run" },
      { value: "approve", label: "Approve", hint: "adds it to the plan and clears it to run, as one operation" },
      { value: "changes", label: "Ask for changes", hint: "your words go to the author" },
      { value: "later", label: "Later", hint: spell(step("approve", { references: [run] })) },
      { value: "abort", label: "Abort", hint: "nothing is added" },
    ],
  });
  if (isCancel(choice)) return { choice: "later", note: "" };
  if (choice !== "changes") return { choice, note: "" };
  const note = await askText({ message: "What should be different?" });
  return note ? { choice, note } : { choice: "later", note: "" };
}

export async function askSource(): Promise<string | undefined> {
  const message = "What do you want to build? Describe it in a sentence or two, or name a file.";
  return (await askText({ message, placeholder: "docs/spec.md" })) || undefined;
}

export async function askIntake(): Promise<{ readonly stack?: string; readonly target?: string } | undefined> {
  const stack = await askText({ message: "Any technology it has to use? (Enter for none)", placeholder: "none" });
  if (stack === undefined) return undefined;
  const target = await askText({ message: "Where does the code go? (Enter for this repository)", placeholder: "." });
  return target === undefined ? undefined : { ...(stack && { stack }), ...(target && { target }) };
}

type Shown = Pick<Terminal, "progress" | "style">;

export async function askAfterPreview(question: string, preview: ApprovalPreview | undefined, terminal: Shown) {
  if (preview !== undefined) terminal.progress(`${previewText(preview, errorStyle(terminal.style))}\n`);
  return askYes(question);
}

export async function askYes(message: string): Promise<boolean> {
  const answer = await confirm({ message, output: process.stderr });
  return !isCancel(answer) && answer;
}

/** Undefined if the person left in the middle. */
export async function interview(folder: string, name: string) {
  intro(`A new plan in ${folder}`, { output: process.stderr });
  const mission = await askText({ message: "What is this project's goal?", placeholder: name, defaultValue: name });
  if (mission === undefined) return undefined;
  const initiative = await askText({
    message: "A first initiative, if there is one (Enter for none)",
    placeholder: "none",
  });
  if (initiative === undefined) return undefined;
  const features: string[] = [];
  for (;;) {
    const message = features.length === 0 ? "A first feature (Enter for none)" : "Another (Enter to end)";
    const feature = await askText({ message, placeholder: "" });
    if (feature === undefined) return undefined;
    if (feature === "") return { mission, features, ...(initiative === "" ? {} : { initiative }) };
    features.push(feature);
  }
}
