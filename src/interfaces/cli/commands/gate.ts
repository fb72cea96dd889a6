import { gate as makeGate } from "../../../actions/node/gate.js";
import { ok, usage } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { optional } from "../input.js";
import { notes, staleNote, undoNote } from "../render-change.js";

export const gate: Command = {
  name: "gate",
  group: "making",
  summary: "Put a person's prerequisite before work",
  description: [
    "A gate is something that only a person can do: sign a contract, create an account, decide. The work waits for it, and can",
    "be claimed as soon as a person completes it. Made by a person it is approved at once, and work that was approved stays so.",
  ].join("\n"),
  arguments: [{ name: "TITLE", help: "what the person has to do" }],
  flags: {
    for: { type: "string", multiple: true, value: "REF", help: "a task that waits for it (needed)" },
    body: { type: "string", value: "TEXT", help: "the longer text" },
    approve: { type: "boolean", help: "clear the work to run, in the same operation" },
  },
  examples: [
    { run: 'planwright gate "Get an API key" --for TASK-00007', does: "TASK-00007 waits until a person has the key" },
    {
      run: 'planwright gate "Sign the contract" --for TASK-00007 --for TASK-00008 --approve',
      does: "both run once it is signed, and nothing else has to be done",
    },
  ],
  run: async (input, app) => {
    const before = input.list("for");
    if (before.length === 0) {
      return usage("usage", "planwright gate needs --for REF: the work that waits.", {
        hint: "`planwright gate --help` shows how.",
      });
    }
    const [title = ""] = input.args;
    const asked = { title, before, approve: input.has("approve"), ...optional("body", input.text("body")) };
    const made = await makeGate(await app.open(), asked);
    if (!made.ok) return made;
    const { op, id, approved, stale } = made.value;
    return ok({
      data: made.value,
      text: (style) => `${style.green("+")} ${style.bold(id)}  before ${made.value.before.join(", ")}`,
      note: () =>
        notes(
          approved.includes(id)
            ? `When it is done: planwright complete ${id}`
            : `A person clears it first: planwright approve ${id}`,
          staleNote(stale),
          undoNote(op),
        ),
    });
  },
};
