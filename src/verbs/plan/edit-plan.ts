// Has a person edit the plan document of a run in their editor.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { PlanAsker } from "../kit/asking.js";
import type { Input } from "../kit/read-words.js";
import type { Terminal } from "../kit/view.js";
import { openEditor } from "../node/edit-in-editor.js";

export async function editPlan(input: Input, terminal: Terminal, app: PlanAsker): Promise<Result<Input>> {
  const { run } = input;
  const shown = await app.call("plan.show", typeof run === "string" ? { run } : {});
  if (!shown.ok) return shown;
  const { id, artifacts } = shown.value;
  const plan = artifacts.plan === undefined ? undefined : await app.call("show", { reference: artifacts.plan });
  if (!plan?.ok || !("text" in plan.value)) {
    return refused("no-documents", `${id} has no plan document yet.`, { next: shown.value.next });
  }
  const file = join(mkdtempSync(join(tmpdir(), "planwright-plan-")), `${id}.md`);
  writeFileSync(file, plan.value.text);
  if (!openEditor(file, terminal)) return refused("canceled", `The editor failed. Your text is kept in ${file}.`);
  terminal.progress(`Your text is kept in ${file}.\n`);
  return ok({ run: id, document: readPlainFile(file) });
}
