import { status as readStatus, type StatusInput, type StatusView } from "../../../actions/overview/status.js";
import { ok, type Result } from "../../../app/vocabulary.js";
import type { Answer, App, Command, Input, Style } from "../command.js";

export const status: Command = {
  name: "status",
  group: "looking",
  summary: "Show the plan as a tree, with how far it is",
  description:
    "A plan of up to 200 nodes is shown whole, a larger one down to its features; a branch is always shown whole. What was archived or dropped is left out unless asked for.",
  arguments: [{ name: "REF", help: "only this branch", optional: true, reference: true }],
  flags: {
    depth: { type: "number", min: 0, max: 100, whole: true, help: "only N levels below the first" },
    all: { type: "boolean", help: "everything, however large the plan is" },
    archived: { type: "boolean", help: "also what is in the archive" },
    dropped: { type: "boolean", help: "also what was dropped" },
    watch: {
      type: "boolean",
      short: "w",
      help: "draw again whenever the plan changes, until Ctrl-C; once, if there is no screen",
    },
  },
  examples: [
    { run: "planwright status", does: "the whole plan, what is ready, and what to type next" },
    { run: "planwright status FEAT-001", does: "one feature with its stories and tasks" },
    { run: "planwright status --watch", does: "keeps the screen up to date" },
  ],
  run: async (input, app) => {
    // Without a screen, or for a program, there is nothing to draw again.
    if (input.has("watch") && !input.json && process.stdout.isTTY) return watchStatus(input, app);
    const found = await readStatus(await app.open(), asked(input));
    return found.ok ? ok(await answer(found.value)) : found;
  },
};

function asked(input: Input): StatusInput {
  const [reference] = input.args;
  const depth = input.number("depth");
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(depth === undefined ? {} : { depth }),
    all: input.has("all"),
    archived: input.has("archived"),
    dropped: input.has("dropped"),
  };
}

async function answer(view: StatusView): Promise<Answer> {
  const { renderStatus, rulerOf, whatNext } = await import("../render-status.js");
  const ruler = await rulerOf(view);
  return {
    data: view,
    text: (style) => renderStatus(view, { ...sized(style), ...ruler }),
    note: () => whatNext(view),
  };
}

/** The screen's own width, where there is a screen. */
const sized = (style: Style): Style => ({ ...style, columns: process.stdout.columns || style.columns });

async function watchStatus(input: Input, app: App): Promise<Result<Answer>> {
  const { watch } = await import("../watch.js");
  const context = await app.open();
  let last = await readStatus(context, asked(input));
  let frames = 0;
  const draw = async (): Promise<boolean> => {
    if (frames > 0) last = await readStatus(context, asked(input));
    if (!last.ok) return false;
    const drawn = await answer(last.value);
    app.print(frame(`${drawn.text(app.style)}\n\n${drawn.note?.(app.style) ?? ""}`));
    frames++;
    return true;
  };
  await watch(context, draw);
  return last.ok ? ok({ data: last.value, text: () => "" }) : last;
}

/** It replaces the one before, and never scrolls. */
function frame(text: string): string {
  const rows = process.stdout.rows || 24;
  const lines = text.split("\n");
  const fitting =
    lines.length < rows ? lines : [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`];
  return `\u001b[H${fitting.map((line) => `${line}\u001b[K`).join("\n")}\u001b[J`;
}
