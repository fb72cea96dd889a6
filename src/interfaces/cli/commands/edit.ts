import {
  CLEARABLE,
  type Clearable,
  type Edited,
  type EditInput,
  edit as editNode,
} from "../../../actions/node/edit.js";
import { KINDS, ok, type Result, usage } from "../../../app/vocabulary.js";
import type { Answer, App, Command, Flag, Input } from "../command.js";
import { checksOf, contentFlags, contentOf } from "../content-flags.js";
import { optional } from "../input.js";
import { readText } from "../read-text.js";
import { notes, staleNote, undoNote } from "../render-change.js";

const list = (value: string, help: string): Flag => ({ type: "string", multiple: true, value, help });

export const edit: Command = {
  name: "edit",
  group: "making",
  summary: "Change what a node says",
  description: [
    "Only what is named changes, so two people may edit one node at once. --file, --symbol and --check replace the whole list;",
    "their --add- and --remove- forms change one entry. An edit of approved content makes the approval stale: a person looks",
    "again before it runs. What is done stays as it is.",
  ].join("\n"),
  arguments: [{ name: "REF", help: "the node", reference: true }],
  flags: {
    title: { type: "string", value: "TEXT", help: "what is to be done" },
    kind: {
      type: "string",
      choices: KINDS.filter((kind) => kind !== "land"),
      value: "KIND",
      help: "of a task: work, gate or review",
    },
    ...contentFlags,
    "append-body": { type: "string", value: "TEXT", help: "put this after the body, on a line of its own" },
    "add-file": list("PATH", "one more file that it will touch"),
    "remove-file": list("PATH", "a file that it will not touch"),
    "add-symbol": list("NAME", "one more symbol that it will touch"),
    "remove-symbol": list("NAME", "a symbol that it will not touch"),
    "add-check": list("COMMAND", "one more command that must pass"),
    "remove-check": list("COMMAND", "a command that need not pass"),
    clear: { type: "string", multiple: true, choices: CLEARABLE, value: "FIELD", help: "empty a field" },
    from: { type: "string", value: "FILE|-", help: "read the new values as one JSON object; null empties a field" },
  },
  examples: [
    { run: 'planwright edit TASK-00007 --title "Parse the config file" --priority 1', does: "changes two fields" },
    {
      run: "planwright edit TASK-00007 --add-file src/config.ts --clear estimate",
      does: "adds a file, drops the estimate",
    },
    { run: `echo '{"body":"In short."}' | planwright edit TASK-00007 --from -`, does: "changes what the object names" },
  ],
  run: async (input, app) => {
    const asked = await readEdit(input, app);
    if (!asked.ok) return asked;
    const edited = await editNode(await app.open(), asked.value);
    return edited.ok ? ok(answer(edited.value)) : edited;
  },
};

const answer = (edited: Edited): Answer => ({
  data: edited,
  text: (style) =>
    edited.op === null
      ? style.dim(`${edited.id} says that already; nothing was changed.`)
      : `${style.yellow("~")} ${style.bold(edited.id)}  ${edited.changed.join(", ")}`,
  note: () => notes(staleNote(edited.stale ? [edited.id] : []), undoNote(edited.op)),
});

async function readEdit(input: Input, app: App): Promise<Result<EditInput>> {
  const [reference = ""] = input.args;
  const { title, kind } = { title: input.text("title"), kind: input.text("kind") };
  const lists = (way: string) => ({
    ...optional("files", given(input, `${way}-file`)),
    ...optional("symbols", given(input, `${way}-symbol`)),
    ...optional("checks", checksOf(input, `${way}-check`)),
  });
  const flags: EditInput = {
    reference,
    set: { title, kind, ...contentOf(input) },
    clear: input.list("clear") as readonly Clearable[],
    add: lists("add"),
    remove: lists("remove"),
    ...optional("appendBody", input.text("append-body")),
  };
  const from = input.text("from");
  if (from === undefined) return ok(flags);
  const others = Object.keys(edit.flags ?? {}).filter((flag) => flag !== "from" && input.has(flag));
  if (others.length > 0) return usage("usage", `--from and --${others[0] as string} cannot be given together.`);
  const text = await readText(from, app);
  const set = text.ok ? parseObject(text.value) : text;
  return set.ok ? ok({ reference, set: set.value }) : set;
}

const given = (input: Input, flag: string): readonly string[] | undefined =>
  input.has(flag) ? input.list(flag) : undefined;

function parseObject(text: string): Result<Record<string, unknown>> {
  const hint = 'Give one JSON object, such as {"title":"A better title"}.';
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return ok(value as Record<string, unknown>);
    return usage("bad-json", "What was given is not a JSON object.", { hint });
  } catch (error) {
    return usage("bad-json", `What was given is not valid JSON: ${(error as Error).message}.`, { hint });
  }
}
