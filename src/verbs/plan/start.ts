import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod/mini";
import { anyStep, step } from "../../model/next-step.js";
import { fail, ok, type Result, usage } from "../../model/result.js";
import { editResult, editRun } from "../../planning/run/edit.js";
import { runOfDocument } from "../../planning/run/present.js";
import { type PlanInput, planRequest } from "../../planning/run/request.js";
import { reviseRun, startRun } from "../../planning/run/resume.js";
import { runResult } from "../../planning/run/view.js";
import type { Input } from "../kit/read-words.js";
import { choice, field, fields, filled, flag, node, optional, type PlanAsker, planVerb, rule } from "../kit/verb.js";
import type { Terminal } from "../kit/view.js";
import { decodeText } from "../terminal/read-text.js";
import { decideOnPlan, isPersonHere, oneServer, planningHooks, RUN_OPTIONS, RUN_VIEW } from "./run-text.js";

const START_STAGES = ["clarify", "capabilities", "files", "tasks", "sequence", "review", "overview"] as const;

export const input = fields({
  source: optional(
    field(z.union([z.string(), z.strictObject({ text: z.string(), path: z.exactOptional(z.string()) })]), {
      help: "an idea in quotes, a file, - for standard input, or a node",
      label: "SOURCE",
    }),
  ),
  revise: optional(node("revise this branch, or the plan of this run; the source is its new spec", "NODE|RUN")),
  quick: optional(flag("plan small work: skip the capability and file stages")),
  from: optional(choice(START_STAGES, "begin at this stage, with what an earlier run made (the latest)", "STAGE")),
  note: optional(filled("with revise and a node, or with a plan document: what should be different")),
  stack: optional(filled("technology that has to be used")),
  target: optional(filled("where the code goes", "DIR")),
  roadmap: optional(filled("a file to read as a roadmap, besides ROADMAP.md in the root, docs/ and specs/", "FILE")),
  research: optional(flag("let an agent read code and documents first, and report")),
  commit: optional(flag("commit the plan's documents to git once it is approved")),
  to: optional(filled("with commit: where the documents go (docs/plans)", "DIR")),
  ...RUN_OPTIONS,
}).check(
  oneServer,
  rule("source", "is missing", ({ source, revise, from }) => (source ?? revise ?? from) !== undefined),
  rule(
    "from",
    "continues an earlier run as it was, so it cannot be used with revise or quick",
    ({ from, revise, quick }) => from === undefined || (revise ?? quick) === undefined,
  ),
  rule("to", "is only used with commit", ({ to, commit }) => to === undefined || commit === true),
);

export const verb = planVerb({
  command: { words: "plan", group: "plan", daily: 2, positional: ["source"] },
  summary: "Turn an idea or a spec into a reviewed plan to approve",
  description:
    "The source is an idea of several words, the text of a file, a node of the plan, or a plan document, which is revised. A run reads it, asks you what only you can decide, writes a plan, has it reviewed and corrected, and then waits for you: nothing is added to the plan before you approve it. When it is stopped or killed, resume it. Without a terminal its questions wait until you answer them.",
  effect: "runs",
  phrases: ["plan"],
  hints: ["new"],
  tools: [
    { tool: "plan", action: "start", fields: ["source", "quick", "research", "revise", "note"] },
    {
      tool: "plan",
      action: "host",
      fields: ["source", "quick", "research", "revise", "note"],
      fixed: { serve: "host" },
    },
  ],
  input,
  examples: [
    {
      input: { source: { text: "# Greeter", path: "docs/spec.md" } },
      does: "plans the spec and waits for your approval",
    },
    { input: { source: "a CLI that prints the weather", quick: true }, does: "plans small work" },
    {
      input: { source: { text: "# Greeter", path: "docs/spec.md" }, serve: "host" },
      does: "hands each role's step to the agent that asks",
    },
    { input: { source: "FEAT-001" }, does: "plans what belongs below the feature, or revises it" },
    {
      input: { source: { text: "# Greeter", path: "docs/spec.md" }, revise: "RUN-001" },
      does: "plans the changed spec and keeps finished work",
    },
  ],
  run: async (session, asked) => {
    const planning = await (await session.engines()).planning();
    const document = documentIn(asked);
    if (document !== undefined) {
      const hooks = planningHooks(session);
      const edited = await editRun(planning, { document }, hooks);
      // What was written beside the document goes to the author, with the edited plan.
      if (!edited.ok || asked.note === undefined) return editResult(edited);
      return reviseRun(planning, { run: edited.value.id, note: asked.note }, hooks);
    }
    const request = await planRequest(planning, asked);
    if (!request.ok) return withMeant(request, asked.source);
    return runResult(await startRun(planning, request.value, planningHooks(session)));
  },
  prepare: async (given, terminal, app) => {
    const said = await askForSource(given, terminal, app);
    if (!said.ok) return said;
    const input = said.value;
    const { source } = input;
    if (typeof source !== "string") return ok(input);
    const read = await readSource(source, terminal);
    if (!read.ok) return read;
    const isSpec = read.value !== source || /\S\s+\S/.test(source);
    const asked = isSpec && isPersonHere(terminal) ? await askWhatIsMissing(input) : {};
    return asked === undefined ? notPlanned() : ok({ ...input, ...asked, source: read.value });
  },
  ...RUN_VIEW,
  after: (run, asked) => decideOnPlan(run, asked),
});

const notPlanned = () => usage("cancelled", "Nothing was planned.", { next: [step("plan.start", {}, "source")] });

/** A plan document is read back, unless it is the spec of something else. */
function documentIn({ source, revise, from }: Pick<PlanInput, "source" | "revise" | "from">): string | undefined {
  const text = typeof source === "object" && revise === undefined && from === undefined ? source.text : "";
  return runOfDocument(text) === undefined ? undefined : text;
}

/** A mistyped subcommand comes here as the name of a node or a file. */
async function withMeant(request: Result<never>, source: unknown): Promise<Result<never>> {
  if (request.ok || request.error.reason !== "not-found" || typeof source !== "string") return request;
  const { meantSubcommand } = await import("../router/suggest.js");
  const meant = meantSubcommand("plan", source.trim());
  if (meant === undefined) return request;
  return fail({ ...request.error, next: [anyStep(meant), ...(request.error.next ?? [])] });
}

/** Asks for what is missing before anything can be planned: a workspace, and what to plan. */
async function askForSource(input: Input, terminal: Terminal, app: PlanAsker): Promise<Result<Input>> {
  const isSaid = [input["source"], input["revise"], input["from"]].some((field) => field !== undefined);
  const { root, exists, doubt } = app.folder().workspace();
  if (!isPersonHere(terminal)) {
    if (isSaid) return ok(input);
    const message = "Say what to plan: an idea in quotes, a file, - for standard input, or a node.";
    return usage("no-source", message, { next: [...(exists ? [] : [step("init")]), step("plan.start", {}, "source")] });
  }
  if (!exists && doubt === null) {
    const { askYes } = await import("../terminal/ask.js");
    if (!(await askYes(`There is no plan in ${root} yet. Start one?`))) return notPlanned();
    const started = await app.call("init", {});
    if (!started.ok) return started;
  }
  if (isSaid) return ok(input);
  const source = await (await import("../terminal/ask.js")).askSource();
  return source === undefined ? notPlanned() : ok({ ...input, source });
}

async function readSource(word: string, { cwd, readStdin }: Terminal): Promise<Result<Input["source"]>> {
  if (word === "-") return asSource(await readStdin(), "Standard input");
  if (word.trim() === "")
    return usage("empty-spec", "There is nothing to plan: the idea is empty.", {
      next: [step("plan.start", {}, "source")],
    });
  const path = resolve(cwd, word);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true)
    return usage("is-folder", `${word} is a folder. Name a file in it.`, { next: [step("plan.start", {}, "source")] });
  if (found?.isFile() === true) return asSource(readFileSync(path), word, path);
  if (found === undefined) return ok(word);
  return usage("not-a-file", `${word} is a pipe or a device. Give its text on standard input.`, {
    next: [step("plan.start", { source: "-" })],
  });
}

/** Keeps the byte order mark, because the file is compared with the text later. */
function asSource(bytes: Uint8Array, where: string, path?: string): Result<Input["source"]> {
  const text = decodeText(bytes, where, { ignoreBOM: true });
  return text.ok ? ok({ text: text.value, ...(path !== undefined && { path }) }) : text;
}

async function askWhatIsMissing({ stack, target, defaults, revise }: Input): Promise<Input | undefined> {
  if ([stack, target, defaults, revise].some((field) => field !== undefined)) return {};
  return (await import("../terminal/ask.js")).askIntake();
}
