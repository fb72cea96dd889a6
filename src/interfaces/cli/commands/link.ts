import { type Linked, link as linkNode } from "../../../actions/node/link.js";
import { ok } from "../../../app/vocabulary.js";
import type { Answer, Command, Flag, Input } from "../command.js";
import { optional } from "../input.js";
import { notes, staleNote, undoNote } from "../render-change.js";

export const linkFlags: Readonly<Record<string, Flag>> = {
  on: { type: "string", multiple: true, value: "REF", help: "a node that it depends on" },
  file: { type: "string", multiple: true, value: "PATH", help: "a file that it will touch" },
  symbol: { type: "string", multiple: true, value: "NAME", help: "a symbol that it will touch" },
};

export const link: Command = {
  name: "link",
  group: "making",
  summary: "Say what a node depends on or will touch",
  description:
    "A dependency is met when the other node is done and accepted, or waived. What exists already stays as it is. The kind of work is inferred from the files unless --profile says it.",
  arguments: [{ name: "REF", help: "the node", reference: true }],
  flags: {
    ...linkFlags,
    profile: { type: "string", value: "WORD", help: "the kind of work; inferred from the files unless given" },
  },
  examples: [
    { run: "planwright link TASK-00008 --on TASK-00007", does: "TASK-00008 waits for TASK-00007" },
    { run: "planwright link TASK-00008 --file src/config.ts --symbol parseConfig", does: "adds to its footprint" },
  ],
  run: async (input, app) => {
    const linked = await linkNode(await app.open(), {
      ...endsOf(input),
      ...optional("profile", input.text("profile")),
    });
    return linked.ok ? ok(linkAnswer(linked.value, "+")) : linked;
  },
};

export const endsOf = (input: Input) => ({
  reference: input.args[0] as string,
  on: input.list("on"),
  files: input.list("file"),
  symbols: input.list("symbol"),
});

export const linkAnswer = (linked: Linked, sign: "+" | "-"): Answer => ({
  data: linked,
  text: (style) => {
    if (linked.op === null) return style.dim(`${linked.id} is linked like that already; nothing was changed.`);
    const lines = [
      ...linked.on.map((id) => `depends on ${id}`),
      ...linked.files.map((file) => `touches ${file}`),
      ...linked.symbols.map((symbol) => `touches ${symbol}`),
    ];
    return [style.bold(linked.id), ...lines.map((line) => `  ${sign} ${line}`)].join("\n");
  },
  note: () => notes(staleNote(linked.stale ? [linked.id] : []), undoNote(linked.op)),
});
