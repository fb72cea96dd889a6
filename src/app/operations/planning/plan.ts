// Operations on planning runs: start, continue, read and apply them.

import * as z from "zod/mini";
import { step } from "../../../model/next-step.js";
import { ok, type Result } from "../../../model/result.js";
import { type AppliedRun, applyRun } from "../../../planning/apply/apply-run.js";
import { runOfDocument } from "../../../planning/apply/present.js";
import { type PlanningRunView, runResult } from "../../../planning/driver/view.js";
import { abortRun, reviseRun } from "../../../planning/runs/change-run.js";
import { resumeRun, startRun } from "../../../planning/runs/drive-run.js";
import { type EditedRunView, editResult, editRun } from "../../../planning/runs/edit-run.js";
import { diffRun, exportDocuments, listPlans, showRun } from "../../../planning/runs/read-runs.js";
import { givenSettings, type PlanInput, planRequest } from "../../../planning/runs/request.js";
import { operation } from "../../operation.js";
import { oneServer, planningHooks, RUN_OPTIONS } from "../../run-options.js";
import { choice, field, filled, flag, input, key, node, optional, text } from "../../schema.js";

const run = optional(key("run", "a planning run; the unfinished one unless given", "RUN"));

const START_STAGES = ["clarify", "capabilities", "files", "tasks", "sequence", "review", "overview"] as const;

const start = operation({
  name: "plan.start",
  summary: "Turn an idea or a spec into a reviewed plan to approve",
  description:
    "The source is an idea of several words, the text of a file, a node of the plan, or a plan document, which is revised. A run reads it, asks you what only you can decide, writes a plan, has it reviewed and corrected, and then waits for you: nothing is added to the plan before you approve it. When it is stopped or killed, resume it. Without a terminal its questions wait until you answer them.",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      source: optional(
        field(z.union([z.string(), z.strictObject({ text: z.string(), path: z.exactOptional(z.string()) })]), {
          help: "an idea in quotes, a file, - for standard input, or a node",
          label: "SOURCE",
        }),
      ),
      revise: optional(node("revise this branch, or the plan of this run; the source is its new spec", "NODE|RUN")),
      quick: optional(flag("plan small work: skip the capability and file stages")),
      from: optional(choice(START_STAGES, "begin at this stage, with what an earlier run made (the latest)", "STAGE")),
      note: optional(filled("with revise and a node: what should be different")),
      stack: optional(filled("technology that has to be used")),
      target: optional(filled("where the code goes", "DIR")),
      roadmap: optional(
        filled("a file to read as a roadmap, besides ROADMAP.md in the root, docs/ and specs/", "FILE"),
      ),
      research: optional(flag("let an agent read code and documents first, and report")),
      commit: optional(flag("commit the plan's documents to git once it is approved")),
      to: optional(filled("with commit: where the documents go (docs/plans)", "DIR")),
      ...RUN_OPTIONS,
    }).check(
      oneServer,
      z.refine(({ source, revise, from }) => source !== undefined || revise !== undefined || from !== undefined, {
        path: ["source"],
        message: "is missing",
      }),
      z.refine(({ from, revise, quick }) => from === undefined || (revise === undefined && quick === undefined), {
        path: ["from"],
        message: "continues an earlier run as it was, so it cannot be used with revise or quick",
      }),
      z.refine(({ to, commit }) => to === undefined || commit === true, {
        path: ["to"],
        message: "is only used with commit",
      }),
    ),
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
  run: async (session, asked): Promise<Result<PlanningRunView>> => {
    const { planning } = await session.engines();
    const document = documentIn(asked);
    if (document !== undefined) return editResult(await editRun(planning, { document }, planningHooks(session)));
    const request = await planRequest(planning, asked);
    if (!request.ok) return withMeant(request, asked.source);
    return runResult(await startRun(planning, request.value, planningHooks(session)));
  },
});

/** A plan document is read back, unless it is the spec of something else. */
function documentIn({ source, revise, from }: Pick<PlanInput, "source" | "revise" | "from">): string | undefined {
  const text = typeof source === "object" && revise === undefined && from === undefined ? source.text : "";
  return runOfDocument(text) === undefined ? undefined : text;
}

/** A mistyped subcommand comes here as the name of a node or a file. */
async function withMeant(request: Result<never>, source: unknown): Promise<Result<never>> {
  if (request.ok || request.error.reason !== "not-found" || typeof source !== "string") return request;
  const { meantSubcommand } = await import("../../router/suggest.js");
  const meant = meantSubcommand("plan", source.trim());
  if (meant === undefined) return request;
  const { error } = request;
  return { ok: false, error: { ...error, next: [step(meant), ...(error.next ?? [])] } };
}

const resume = operation({
  name: "plan.resume",
  summary: "Continue a planning run, with other limits if you give any",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      run: optional(key("run", "a planning run; the latest unfinished one unless given", "RUN")),
      ...RUN_OPTIONS,
    }).check(oneServer),
  examples: [
    { input: {}, does: "continues the latest unfinished run" },
    { input: { run: "RUN-001", timeoutMinutes: 60 }, does: "gives each role call an hour" },
  ],
  run: async (session, { run: reference, ...options }): Promise<Result<PlanningRunView>> => {
    const { planning } = await session.engines();
    return runResult(await resumeRun(planning, reference, givenSettings(options), planningHooks(session)));
  },
});

const list = operation({
  name: "plan.list",
  summary: "List planning runs and where they stand",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "lists every run, the newest first" }],
  run: async (session): Promise<Result<{ readonly runs: readonly PlanningRunView[] }>> =>
    ok({ runs: await listPlans((await session.engines()).planning) }),
});

const show = operation({
  name: "plan.show",
  summary: "Show a planning run with its role calls and their cost",
  who: "both",
  effect: "reads",
  input: () => input({ run }),
  examples: [{ input: { run: "RUN-001" }, does: "shows every role call with tokens, cost and duration" }],
  run: async (session, { run: reference }) => showRun((await session.engines()).planning, reference),
});

const diff = operation({
  name: "plan.diff",
  summary: "Show what a planning run would add, change and drop",
  who: "both",
  effect: "reads",
  input: () => input({ run }),
  examples: [{ input: { run: "RUN-001" }, does: "compares its plan with the plan as it is now" }],
  run: async (session, { run: reference }) => diffRun((await session.engines()).planning, reference),
});

const edit = operation({
  name: "plan.edit",
  summary: "Edit the plan of a run as a document",
  description:
    "The edited plan document is read back by its ids, without an agent: titles, texts, checks, files, dependencies, order, and sections that you removed. Words that only an agent can act on are listed. The program checks the result, and you decide on it again. If the plan is in use already, the edit becomes a revision that you approve.",
  who: "person",
  effect: "runs",
  input: () => input({ run, document: text("the whole edited plan document") }),
  examples: [
    { input: { run: "RUN-001", document: "<!-- planwright plan RUN-001 -->" }, does: "reads the document back" },
  ],
  run: async (session, asked): Promise<Result<EditedRunView>> => {
    const { planning } = await session.engines();
    return editResult(await editRun(planning, asked, planningHooks(session)));
  },
});

const apply = operation({
  name: "plan.apply",
  summary: "Add the plan of a run without approving it",
  description: "One operation adds, changes and drops what the plan says. Nothing of it runs before you approve it.",
  who: "person",
  effect: "writes",
  input: () =>
    input({
      run,
      yes: optional(flag("drop what the plan would drop, without asking")),
    }),
  examples: [{ input: { run: "RUN-001" }, does: "adds its features and tasks as planned work" }],
  run: async (session, asked): Promise<Result<AppliedRun>> =>
    applyRun((await session.engines()).planning, { ...asked, approve: false, confirm: session.confirm }),
});

const revise = operation({
  name: "plan.revise",
  summary: "Ask the author of a run for changes to its plan",
  who: "both",
  effect: "runs",
  input: () => input({ run, note: filled("what should be different") }),
  examples: [{ input: { run: "RUN-001", note: "smaller tasks" }, does: "sends your words to the author" }],
  run: async (session, asked): Promise<Result<PlanningRunView>> => {
    const { planning } = await session.engines();
    return runResult(await reviseRun(planning, asked, planningHooks(session)));
  },
});

const exportPlan = operation({
  name: "plan.export",
  summary: "Write the documents of a planning run as files",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      run,
      to: optional(text("the folder, below the root of the workspace (docs/plans)", "DIR")),
      commit: optional(flag("commit these files to git, and nothing else")),
    }),
  examples: [{ input: { run: "RUN-001", commit: true }, does: "writes and commits the plan for a review" }],
  run: async (session, asked) => exportDocuments((await session.engines()).planning, asked),
});

const abort = operation({
  name: "plan.abort",
  summary: "End a planning run; what it made can still be read",
  who: "both",
  effect: "writes",
  destructive: true,
  input: () => input({ run }),
  examples: [{ input: { run: "RUN-001" }, does: "ends the run and withdraws its open questions" }],
  run: async (session, { run: reference }): Promise<Result<PlanningRunView>> =>
    abortRun((await session.engines()).planning, reference),
});

export const planOperations = {
  "plan.start": start,
  "plan.resume": resume,
  "plan.list": list,
  "plan.show": show,
  "plan.diff": diff,
  "plan.edit": edit,
  "plan.apply": apply,
  "plan.revise": revise,
  "plan.export": exportPlan,
  "plan.abort": abort,
};
