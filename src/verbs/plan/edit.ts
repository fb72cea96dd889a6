import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { editResult, editRun } from "../../planning/run/edit.js";
import type { Input } from "../kit/read-words.js";
import { fields, ok, type PlanAsker, planVerb, type Result, refused, type Terminal, text, usage } from "../kit/verb.js";
import { openEditor } from "../node/edit-in-editor.js";
import { readText } from "../terminal/read-text.js";
import { decideOnPlan, isPersonHere, planningHooks, RUN_VIEW, runKey } from "./run-text.js";

export const input = fields({ run: runKey, document: text("the whole edited plan document") });

export const verb = planVerb({
  command: { words: "edit", when: { keys: ["RUN"] }, group: "plan", positional: ["run"], aliases: ["plan edit"] },
  summary: "Edit the plan of a run as a document",
  description:
    "The edited plan document is read back by its ids, without an agent: titles, texts, checks, files, dependencies, order, and sections that you removed. Words that only an agent can act on are listed. The program checks the result, and you decide on it again. If the plan is in use already, the edit becomes a revision that you approve.",
  who: "person",
  effect: "runs",
  input,
  examples: [
    { input: { run: "RUN-001", document: "<!-- planwright plan RUN-001 -->" }, does: "reads the document back" },
  ],
  run: async (session, asked) => {
    const planning = await (await session.engines()).planning();
    return editResult(await editRun(planning, asked, planningHooks(session)));
  },
  inputs: { from: ["read the edited document from a file, or - for standard input", "FILE"] },
  prepare: async (input, terminal, app) => {
    const { from, ...rest } = input;
    if (typeof from === "string") {
      const text = await readText(from, terminal);
      return text.ok ? ok({ ...rest, document: text.value }) : text;
    }
    if (rest["document"] !== undefined) return ok(rest);
    if (!isPersonHere(terminal)) {
      return usage(
        "usage",
        "Which document? Give the edited plan document: --from FILE, or --from - for standard input.",
      );
    }
    return editPlan(rest, terminal, app);
  },
  ...RUN_VIEW,
  after: (run, asked) => decideOnPlan(run, asked),
});

async function editPlan(input: Input, terminal: Terminal, app: PlanAsker): Promise<Result<Input>> {
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
