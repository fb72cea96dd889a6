// Has a person edit a node in their editor. A mistake opens the same text again, and no text is ever lost.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type * as z from "zod/mini";
import { readPlainFile } from "../../base/plain-file.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { PlanAsker } from "../kit/asking.js";
import type { Input } from "../kit/read-words.js";
import { parseInput } from "../kit/schema.js";
import type { Terminal } from "../kit/view.js";
import { changesIn, formOf } from "./node-form.js";

/** The file with the text that an input was read from. */
const FILES = new WeakMap<Input, string>();

/** `schema`: what an edit takes. */
export async function editInEditor(
  reference: string,
  schema: z.ZodMiniObject,
  terminal: Terminal,
  app: PlanAsker,
): Promise<Result<Input>> {
  const shown = await app.call("show", { reference });
  if (!shown.ok) return shown;
  if ("entity" in shown.value) return refused("not-a-node", `${reference} is not a node, so it cannot be edited.`);
  const node = shown.value;
  const file = join(mkdtempSync(join(tmpdir(), "planwright-edit-")), `${node.id}.md`);
  let text = formOf(node);
  for (;;) {
    writeFileSync(file, text);
    if (!openEditor(file, terminal)) return refused("canceled", `The editor failed. ${keptIn(file)}`);
    const saved = readPlainFile(file);
    const changes = changesIn(saved, node);
    const input: Input = { reference: node.id, title: node.title, ...(changes.ok ? changes.value : {}) };
    const judged = changes.ok ? parseInput(schema, input) : changes;
    if (judged.ok) {
      FILES.set(input, file);
      return ok(input);
    }
    const again = [...judged.error.message.split("\n").map((line) => `# ! ${line}`), withoutRemarks(saved)].join("\n");
    // Saved without a change: the mistake is still there, and opening the text again would not end.
    if (again === text) return refused("invalid-input", `${judged.error.message} ${keptIn(file)}`);
    text = again;
  }
}

const withoutRemarks = (text: string): string => text.replace(/^# ! .*\n/gm, "");

const keptIn = (file: string): string => `Your text is kept in ${file}.`;

/** As git does it: what the variable says may have arguments of its own. */
export function openEditor(file: string, terminal: Terminal): boolean {
  const editor = terminal.variable("VISUAL") || terminal.variable("EDITOR") || "vi";
  return spawnSync("sh", ["-c", `${editor} "$@"`, "sh", file], { stdio: "inherit" }).status === 0;
}

/** For a change that was refused. */
export function withKeptText(message: string, input: Input): string {
  const file = FILES.get(input);
  return file === undefined ? message : `${message} ${keptIn(file)}`;
}

/** The text is in the plan now. */
export function forgetText(input: Input): void {
  const file = FILES.get(input);
  if (file !== undefined) rmSync(dirname(file), { recursive: true, force: true });
}
