// Questions to a person at a terminal, with choices. Loaded only then.

import * as clack from "@clack/prompts";
import type { Question } from "../../model/item/question.js";
import { step } from "../../model/next-step.js";
import type { ApprovalPreview } from "../../plan/node/approval-preview.js";
import { leave } from "../kit/output.js";
import { spell } from "../kit/spell.js";
import { errorStyle } from "../kit/style.js";
import type { Terminal } from "../kit/view.js";
import { harmless, inLine } from "../kit/wording.js";
import { previewText } from "../text/preview-lines.js";

// A terminal that was told no size reports 0 columns and rows. The library would put each character on a line of its own, and show one
// option of a menu.
if (process.stderr.columns === 0) process.stderr.columns = 80;
if (process.stderr.rows === 0) process.stderr.rows = 24;

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

/** Undefined if you left the question. Escape only leaves it; Ctrl-C stops the whole command. */
async function answerTo<T>(
  prompt: () => Promise<T | typeof clack.CANCEL_SYMBOL>,
): Promise<Exclude<T, symbol> | undefined> {
  let stops = false;
  const listen = (_: unknown, { name, ctrl }: Key = {}): void => {
    stops ||= ctrl === true && name === "c";
  };
  process.stdin.on("keypress", listen);
  try {
    const answer = await prompt();
    if (!clack.isCancel(answer)) return answer as Exclude<T, symbol>;
    if (stops) leave();
    return undefined;
  } finally {
    process.stdin.off("keypress", listen);
  }
}

/** The trimmed answer. It is empty if you typed nothing, and undefined if you left. */
async function askText(asked: Omit<Parameters<typeof clack.text>[0], "output">): Promise<string | undefined> {
  return (await answerTo(async () => (await clack.text({ ...asked, output: process.stderr })) ?? ""))?.trim();
}

const BACK: ReadonlySet<string> = new Set(["up", "left", "k", "h"]);
const ON: ReadonlySet<string> = new Set(["down", "right", "j", "l"]);

/** A number moves to its line, as the arrows do. The library knows only arrows. */
async function moveByNumber<T>(lines: number, start: number, prompt: () => Promise<T>): Promise<T> {
  let at = start;
  const listen = (typed: string | undefined, { name = "" }: Key = {}): void => {
    if (BACK.has(name)) at = (at + lines - 1) % lines;
    if (ON.has(name)) at = (at + 1) % lines;
    const wanted = Number(typed) - 1;
    const steps = wanted >= 0 && wanted < lines ? (wanted - at + lines) % lines : 0;
    for (let i = 0; i < steps; i++) process.stdin.emit("keypress", undefined, { name: "down" });
  };
  process.stdin.on("keypress", listen);
  try {
    return await prompt();
  } finally {
    process.stdin.off("keypress", listen);
  }
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
  const start = Math.max(
    0,
    options.findIndex(({ id }) => id === recommended),
  );
  const chosen = await moveByNumber(options.length + 1, start, () =>
    answerTo(() =>
      clack.select<string>({
        message,
        output,
        ...(recommended === null ? {} : { initialValue: recommended }),
        options: [
          ...options.map(({ id, label, detail }, i) => ({
            value: id,
            label: `${i + 1} ${inLine(label)}${id === recommended ? " (recommended)" : ""}`,
            ...(detail === "" ? {} : { hint: inLine(detail) }),
          })),
          {
            value: LATER,
            label: `${options.length + 1} Later`,
            hint: `${spell(step("question.answer", { id: key }, "option"))} answers it`,
          },
        ],
      }),
    ),
  );
  if (chosen === undefined || chosen === LATER) return undefined;
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
  const menu = {
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
  } satisfies Parameters<typeof clack.select<PlanDecision>>[0];
  const choice = (await answerTo(() => clack.select<PlanDecision>(menu))) ?? "later";
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
  return (await answerTo(() => clack.confirm({ message, output: process.stderr }))) ?? false;
}

/** Undefined if the person left in the middle. */
export async function interview(folder: string, name: string) {
  clack.intro(`A new plan in ${folder}`, { output: process.stderr });
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
