import { status as readStatus, type StatusInput, type StatusTree, type StatusView } from "../../../actions/status.js";
import { ok, type Result } from "../../../actions/vocabulary.js";
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
    watch: { type: "boolean", short: "w", help: "draw again whenever the plan changes, until Ctrl-C" },
  },
  examples: [
    { run: "planwright status", does: "the whole plan, what is ready, and what to type next" },
    { run: "planwright status FEAT-001", does: "one feature with its stories and tasks" },
    { run: "planwright status --watch", does: "keeps the screen up to date" },
  ],
  run: async (input, app) => {
    if (input.has("watch")) return watchStatus(input, app);
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
  const { renderStatus } = await import("../render-status.js");
  return {
    data: view,
    text: (style) => renderStatus(view, sized(style)),
    note: () => whatNext(view),
  };
}

/** The screen's own width, where there is a screen. */
const sized = (style: Style): Style => ({ ...style, columns: process.stdout.columns || style.columns });

function whatNext({ tree, counts }: StatusView): string {
  const first = (wanted: (node: StatusTree) => boolean): string => find(tree, wanted)?.id ?? "REF";
  if (counts.ready > 0) return "planwright next   claims the most urgent task that is ready";
  if (counts.rejected > 0) return `planwright why ${first((n) => n.status === "rejected")}   says why it was rejected`;
  if (counts.waitingForPerson > 0)
    return `planwright why ${first((n) => n.reason === "human")}   says what a person has to do`;
  if (counts.planned > 0) return `planwright approve ${first((n) => n.reason === "unapproved")}   lets it run`;
  if (counts.inProgress > 0) return "planwright status --watch   shows how it goes on";
  if (counts.blocked + counts.frozen > 0)
    return `planwright why ${first((n) => n.status === "blocked" || n.status === "frozen")}   says what it waits for`;
  return counts.finished > 0 ? "Everything is finished." : "planwright add TITLE   puts something into the plan";
}

function find(tree: readonly StatusTree[], wanted: (node: StatusTree) => boolean): StatusTree | undefined {
  const stack = [...tree].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.children.length === 0 && wanted(node)) return node;
    stack.push(...[...node.children].reverse());
  }
  return undefined;
}

async function watchStatus(input: Input, app: App): Promise<Result<Answer>> {
  const { watch } = await import("../watch.js");
  const context = await app.open();
  let last = await readStatus(context, asked(input));
  let frames = 0;
  const draw = async (): Promise<boolean> => {
    if (frames > 0) last = await readStatus(context, asked(input));
    if (!last.ok) return false;
    if (input.json) app.print(`${JSON.stringify({ ok: true, data: last.value })}\n`);
    else app.print(frame(`${(await answer(last.value)).text(app.style)}\n\n${whatNext(last.value)}`, frames));
    frames++;
    return true;
  };
  await watch({ draw, version: () => context.store.version() });
  return last.ok ? ok({ data: last.value, text: () => "" }) : last;
}

/** On a screen it replaces the one before; elsewhere a line stands between them. */
function frame(text: string, frames: number): string {
  if (!process.stdout.isTTY) return `${frames === 0 ? "" : "\n---\n"}${text}\n`;
  const rows = process.stdout.rows || 24;
  const lines = text.split("\n");
  const fitting =
    lines.length < rows ? lines : [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`];
  return `\u001b[H${fitting.map((line) => `${line}\u001b[K`).join("\n")}\u001b[J`;
}
