// What `decide`, `constrain`, `require` and `assume` have in common: flags, and the answer.

import { type Recorded, type RecordInput, record } from "../../actions/record/add-record.js";
import { ok, type Result } from "../../app/vocabulary.js";
import type { Answer, App, Flag, Input } from "./command.js";
import { optional } from "./input.js";
import { notes, undoNote } from "./render-change.js";
import { harmless } from "./style.js";

export const recordFlags: Readonly<Record<string, Flag>> = {
  body: { type: "string", value: "TEXT", help: "the longer text" },
  for: { type: "string", value: "REF", help: "only for this feature, or the feature around this node" },
  task: { type: "string", multiple: true, value: "REF", help: "a task that carries it out or depends on it" },
};

export async function answerRecord(
  input: Input,
  app: App,
  kind: RecordInput["kind"],
  rest: Partial<RecordInput> = {},
): Promise<Result<Answer>> {
  const made = await record(await app.open(), {
    kind,
    title: input.args.join(" "),
    tasks: input.list("task"),
    ...optional("body", input.text("body")),
    ...optional("for", input.text("for")),
    ...rest,
  });
  return made.ok ? ok(toAnswer(made.value)) : made;
}

const toAnswer = ({ op, record: made }: Recorded): Answer => ({
  data: { op, ...made },
  text: (style) => {
    const scope = made.for === null ? "" : style.dim(`  for ${made.for}`);
    return `${style.green("+")} ${style.bold(made.id)}  ${harmless(made.title)}${scope}  ${style.dim(made.state)}`;
  },
  note: () =>
    notes(
      made.state === "proposed" ? `It binds nobody until a person says so: planwright records approve ${made.id}` : "",
      undoNote(op),
    ),
});
