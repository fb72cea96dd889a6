import { ok, type Result } from "../../model/result.js";
import { fields, flag, node, optional, wholeNumber } from "../kit/schema.js";
import { spell } from "../kit/spell.js";
import { planVerb } from "../kit/verb.js";
import type { After } from "../kit/view.js";
import { isTerminal, screen } from "../terminal/output.js";
import type { Style } from "../text/style.js";
import type { StatusView } from "./status-action.js";

/** Without a screen there is nothing to draw again. */
const isScreen = (): boolean => isTerminal(1) && screen().isTTY;

export const input = fields({
  reference: optional(node("only this node and everything below it")),
  depth: optional(wholeNumber("only N levels below the first", 0, 100)),
  all: optional(flag("everything, however large the plan is")),
  most: optional(wholeNumber("at most N children of each node", 1, 1_000_000)),
  archived: optional(flag("also archived nodes")),
  dropped: optional(flag("also dropped nodes")),
});

export const verb = planVerb({
  name: "status",
  command: { words: "status", group: "look", daily: 5, positional: ["reference"], short: { w: "watch" } },
  summary: "Show the plan as a tree, with progress",
  description:
    "Opens with what waits for you. A plan of up to 200 nodes is shown in full, a larger one down to its features. A node that you name is always shown in full. Archived and dropped nodes are left out unless you ask for them.",
  who: "both",
  effect: "reads",
  resource: { address: "plan", summary: "The plan as a tree, with progress" },
  phrases: [
    "status",
    "tree",
    "render",
    "show plan",
    "show the plan",
    "show me the plan",
    "where are we",
    "progress",
    "how far are we",
    "how are we doing",
  ],
  tools: [{ tool: "find", action: "tree", fields: ["reference", "depth"] }],
  input,
  examples: [
    { input: {}, does: "the whole plan, what is ready, and what to do next" },
    { input: { reference: "FEAT-001" }, does: "one feature with its stories and tasks" },
  ],
  run: async (session, asked) => (await import("./status-action.js")).status(session, asked),
  flags: { watch: "update the display whenever the plan changes, until Ctrl-C" },
  text: (view, style, given) => (given.has("watch") && isScreen() ? "" : drawn(view, style)),
  note: ({ next }) => (next.length === 0 ? "Everything is finished." : ""),
  next: ({ next }) => next,
  after: async (_, asked) =>
    asked.given.has("watch") && isScreen() && !asked.terminal.json ? watchStatus(asked) : ok(0),
});

async function drawn(view: StatusView, style: Style): Promise<string> {
  const { renderStatus, rulerOf } = await import("../text/render-status.js");
  const columns = (isScreen() && screen().columns) || style.columns;
  return renderStatus(view, { ...style, columns, ...(await rulerOf(view)) });
}

async function watchStatus({ app, terminal, input }: After): Promise<Result<unknown>> {
  const { watch } = await import("../live/watch.js");
  let last: Result<unknown> = ok(undefined);
  await watch(app, terminal.interrupted(), async () => {
    const found = await app.call("status", input);
    last = found;
    if (!found.ok) return false;
    const next = found.value.next.map((each) => `  ${spell(each)}`);
    terminal.print(frame([await drawn(found.value, terminal.style), "", ...next].join("\n")));
    return true;
  });
  return last;
}

/** It replaces the one before, and never scrolls. */
function frame(text: string): string {
  const rows = screen().rows || 24;
  const lines = text.split("\n");
  const fitting =
    lines.length < rows ? lines : [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`];
  return `\u001b[H${fitting.map((line) => `${line}\u001b[K`).join("\n")}\u001b[J`;
}
