// The view of added nodes.

import type { Input } from "../../../../app/read-words.js";
import { ok, type Result, step, usage } from "../../../../app/vocabulary.js";
import { messageOf } from "../../../../base/errors.js";
import { BODY_FILE, readText, withBody } from "../../read-text.js";
import { undoStep } from "../../text/ids.js";
import type { ViewOf } from "../../view.js";

/** More than fit on a screen. */
const LISTED = 20;

/** In which line of the file each node of an input stands. */
const LINES = new WeakMap<Input, readonly number[]>();

const add: ViewOf<"add"> = {
  inputs: { "body-file": BODY_FILE },
  prepare: async (input, terminal) => {
    const files = input["nodes"] as readonly string[] | undefined;
    if (files === undefined) return withBody(input, terminal);
    const [file = "", ...others] = files;
    if (others.length > 0) return usage("usage", "--from takes one file.");
    const text = await readText(file, terminal);
    return text.ok ? readLines(input, text.value) : text;
  },
  reword: (message, input) => {
    const lines = LINES.get(input);
    return lines === undefined
      ? message
      : message
          .replace(
            /nodes\[(\d+)\]\.?/g,
            (found, i: string) => `line ${lines[Number(i)]}${found.endsWith(".") ? ": " : ""}`,
          )
          .replace(/^The id/, "the id");
  },
  text: ({ added, changed, unchanged }, style) => {
    const lines =
      added.length <= LISTED
        ? added.map((id) => `${style.green("+")} ${style.bold(id)}`)
        : [`${style.green("+")} ${added.length} nodes`];
    if (changed.length > 0) lines.push(`${style.yellow("~")} ${changed.length} changed`);
    if (unchanged > 0) lines.push(style.dim(`= ${unchanged} as they were`));
    return lines.join("\n");
  },
  note: ({ inInbox }) => (inInbox.length > 0 ? "In the inbox nothing runs. Move it out when you approve it:" : ""),
  next: ({ op, id, inInbox }) => [
    ...(id === undefined ? [] : [step("approve", { references: [id] }, ...(inInbox.includes(id) ? ["to"] : []))]),
    ...undoStep(op),
  ],
};

/** One JSON object per line; empty lines are left out. */
function readLines(input: Input, text: string): Result<Input> {
  const nodes: unknown[] = [];
  const numbers: number[] = [];
  const lines = text.replace(/^\ufeff/, "").split("\n");
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    if (line.trim() === "") continue;
    try {
      nodes.push(JSON.parse(line));
    } catch (error) {
      return usage("bad-json", `line ${index + 1} is not valid JSON: ${messageOf(error)}. Nothing was added.`, {
        details: { line: index + 1 },
      });
    }
    numbers.push(index + 1);
  }
  const read = { ...input, nodes };
  LINES.set(read, numbers);
  return ok(read);
}

export const addViews = { add };
