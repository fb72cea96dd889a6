import { absent, ok, type Result, usage } from "../../../app/vocabulary.js";
import type { Request } from "../../../planning/driver/begin.js";
import type { RunView } from "../../../planning/driver/view.js";
import type { Answer, App, Command, Engines, Input } from "../command.js";
import { closePlan, runAnswer } from "../planning-answer.js";
import { baseRequest, PLANNING_FLAGS, readSpec } from "../planning-input.js";
import { planningHooks } from "../planning-session.js";

const STAGES = ["clarify", "capabilities", "files", "tasks", "sequence", "review", "overview"];

/** Words that do something with a run instead of starting one. */
const DEEDS: Readonly<Record<string, (input: Input, app: App) => Promise<Result<Answer>>>> = {
  resume: async (input, app) => (await import("../planning-deeds.js")).resume(input, app),
  list: async (_, app) => (await import("../planning-deeds.js")).list(app),
  show: async (input, app) => (await import("../planning-deeds.js")).show(input, app),
  diff: async (input, app) => (await import("../planning-deeds.js")).diff(input, app),
  apply: async (input, app) => (await import("../planning-deeds.js")).apply(input, app),
  revise: async (input, app) => (await import("../planning-deeds.js")).requestChanges(input, app),
  abort: async (input, app) => (await import("../planning-deeds.js")).abort(input, app),
  export: async (input, app) => (await import("../planning-deeds.js")).exportPlan(input, app),
};

export const plan: Command = {
  name: "plan",
  group: "planning",
  summary: "Turn an idea or a spec into a reviewed plan for a person to approve",
  description: [
    "INPUT is an idea in quotes, a file, - for standard input, a node of the plan, or a plan document (which is revised).",
    "A run reads it, asks what only a person can decide, writes a plan, has it reviewed and mended, and then waits: nothing",
    "is added before a person says so. Killed at any point, it goes on with `plan resume`. Without a terminal its questions",
    "become escalations, which `planwright answer` settles. docs/planning.md tells the whole story.",
    "",
    "  planwright plan list                      every run, and where it stands",
    "  planwright plan show RUN                  one run with its role calls; --texts has what was said",
    "  planwright plan diff RUN                  what it would add, change, drop and keep",
    "  planwright plan revise RUN --note TEXT    asks the author for changes",
    "  planwright plan apply RUN                 adds it without approving it",
    "  planwright plan resume [RUN]              goes on with it, with a raised limit if one is given",
    "  planwright plan export RUN [--to DIR]     writes its documents as files; --commit commits them",
    "  planwright plan abort RUN                 ends it; everything it made can still be read",
    "  planwright approve RUN                    adds it and clears it to run",
  ].join("\n"),
  arguments: [
    {
      name: "INPUT",
      help: "an idea, a file, -, a node, or resume|list|show|diff|apply|revise|export|abort",
      many: true,
      optional: true,
    },
  ],
  flags: {
    ...PLANNING_FLAGS,
    revise: {
      type: "string",
      value: "REF",
      help: "revise this branch, or the plan of this run; INPUT is the new spec, if there is one",
    },
    quick: { type: "boolean", help: "small work: no capability and file stages" },
    from: {
      type: "string",
      value: "STAGE",
      help: `begin at ${STAGES.slice(0, -1).join(", ")} or ${STAGES.at(-1)}, with what INPUT, a run, has made (the latest)`,
      choices: STAGES,
    },
    stack: { type: "string", value: "TEXT", help: "technology that has to be used" },
    target: { type: "string", value: "DIR", help: "where the code goes" },
    research: { type: "boolean", help: "let an agent read code and documents first, and report" },
    commit: { type: "boolean", help: "commit the plan's documents to git once it is approved" },
    note: { type: "string", value: "TEXT", help: "with revise: what should be different" },
    to: { type: "string", value: "DIR", help: "with export and --commit: where the documents go (docs/plans)" },
    texts: { type: "boolean", help: "with show: the whole input and output of every role call" },
  },
  examples: [
    { run: "planwright plan docs/spec.md", does: "plans the spec and waits for approval" },
    { run: 'planwright plan "a CLI that prints the weather" --quick', does: "plans small work" },
    { run: "planwright plan resume", does: "goes on with the latest run that is not over" },
    { run: "planwright plan show RUN-001", does: "every role call with tokens, cost and duration" },
  ],
  run: async (input, app) => {
    const [word = "", ...rest] = input.args;
    const deed = Object.hasOwn(DEEDS, word) ? DEEDS[word] : undefined;
    if (deed) return deed(input, app);
    if (rest.length > 0) {
      return usage("usage", "An idea of several words has to be in quotes.", {
        hint: `Try: planwright plan "${input.args.join(" ").slice(0, 80)}"`,
      });
    }
    const engines = await app.engines();
    const request = await requestFrom(word, input, app, engines);
    if (!request.ok) return request;
    const hooks = planningHooks(app, { json: input.json });
    const planned = await engines.planner.plan(request.value, hooks);
    hooks.end();
    return planned.ok ? finish(planned.value, input, app, engines) : planned;
  },
};

async function finish(view: RunView, input: Input, app: App, engines: Engines): Promise<Result<Answer>> {
  if (view.status !== "ready" || !app.interactive || input.json) return runAnswer(view);
  return closePlan(view, app, engines);
}

async function requestFrom(word: string, input: Input, app: App, { planner }: Engines): Promise<Result<Request>> {
  const mode = input.has("quick") ? "quick" : "new";
  const base = baseRequest(input, mode, planner.limits);
  const revised = input.text("revise");
  const from = (input.text("from") as Request["from"] | undefined) ?? null;
  const commitTo = input.has("commit") ? (input.text("to") ?? "docs/plans") : null;
  if (from !== null && (revised !== undefined || input.has("quick"))) {
    return usage("usage", "--from goes on with an earlier run as it was: it does not go with --revise or --quick.");
  }
  if (from !== null) return fromStage({ ...base, from, commitTo }, word, input, planner);
  const note = input.text("note");
  if (revised !== undefined)
    return revisionOf({ ...base, commitTo, ...(note === undefined ? {} : { note }) }, revised, word, app, planner);
  if (word === "")
    return usage("usage", "Say what to plan.", {
      hint: "Give an idea in quotes, or a file: `planwright plan docs/spec.md`.",
    });
  const node = await planner.namesNode(word);
  if (node)
    return ok({
      ...base,
      mode: node.hasChildren || node.tier === "task" ? "revise" : "expand",
      node: node.id,
      commitTo,
    });
  const spec = await readSpec(word, app, (await app.open()).root);
  if (!spec.ok) return spec;
  if (spec.value.kind === "idea" && ID.test(word)) return unknownId(word);
  const known = spec.value.source === null ? undefined : await planner.plannedFrom(spec.value.source);
  if (known !== undefined) return revisionOf({ ...base, commitTo }, known, word, app, planner);
  const earlier = planner.runOfDocument(spec.value.text);
  if (earlier !== undefined) return ok({ ...base, mode: "revise", earlier, commitTo });
  const asked = await askWhatIsMissing(base, app, input);
  return asked ? ok({ ...base, ...spec.value, ...asked, commitTo }) : usage("cancelled", "Nothing was planned.");
}

/** What looks like the name of a node or a run is never an idea. */
const ID = /^(?:mission|inbox|bugs|[a-z]{2,10}-\d[\w-]*)$/i;

const unknownId = (word: string): Result<never> =>
  /^run-/i.test(word)
    ? usage("is-run", `${word} is a planning run.`, {
        hint: `\`planwright plan show ${word}\`, \`planwright plan resume ${word}\`, or \`planwright plan --revise ${word}\`.`,
      })
    : absent("not-found", `Nothing in the plan is called ${word}.`, {
        hint: "`planwright status` shows what is there; an idea has more than one word.",
      });

/** At a terminal, what the flags have not said is asked. */
async function askWhatIsMissing(
  base: Request,
  app: App,
  input: Input,
): Promise<Pick<Request, "stack" | "target"> | undefined> {
  const isSaid = input.has("stack") || input.has("target") || input.has("defaults");
  if (!app.interactive || input.json || isSaid) return { stack: base.stack, target: base.target };
  const { askIntake } = await import("../ask.js");
  return askIntake();
}

/** Everything that the earlier run was told holds again, unless a flag says otherwise. */
async function fromStage(
  base: Request,
  word: string,
  input: Input,
  planner: Engines["planner"],
): Promise<Result<Request>> {
  const latest = word === "" ? (await planner.list())[0]?.id : word;
  if (latest === undefined) {
    return usage("no-run", "There is no run to take artifacts from.", {
      hint: "`planwright plan docs/spec.md` makes one.",
    });
  }
  const before = await planner.requestOf(latest);
  if (!before.ok) return before;
  const said = Object.fromEntries(
    SAID.filter(([, flag]) => input.has(flag)).map(([field]) => [field, base[field]]),
  ) as Partial<Request>;
  return ok({ ...base, ...before.value, ...said, from: base.from, commitTo: base.commitTo ?? before.value.commitTo });
}

/** Fields of a request, and the flags that say them. */
const SAID: readonly (readonly [keyof Request, string])[] = [
  ["stack", "stack"],
  ["target", "target"],
  ["agent", "agent"],
  ["model", "model"],
  ["effort", "effort"],
  ["clean", "clean"],
  ["level", "level"],
  ["timeoutMs", "timeout-minutes"],
  ["maxCostUsd", "max-cost"],
  ["maxTokens", "max-tokens"],
  ["defaults", "defaults"],
];

async function revisionOf(
  base: Request,
  revised: string,
  word: string,
  app: App,
  planner: Engines["planner"],
): Promise<Result<Request>> {
  const spec = word === "" ? undefined : await readSpec(word, app, (await app.open()).root);
  if (spec && !spec.ok) return spec;
  const isRun = /^run-\d+$/i.test(revised);
  const target = isRun ? { earlier: revised.toUpperCase() } : { node: revised };
  if (isRun) {
    const run = await planner.show(revised, false);
    if (!run.ok) return run;
    if (base.note !== undefined) {
      return usage("usage", "--note goes with a node, or with `plan revise RUN`.", {
        hint: `planwright plan revise ${revised.toUpperCase()} --note TEXT   sends it to the author of that run`,
      });
    }
  }
  // The outline planner cannot revise by words, but gives the same ids for the same words: a spec that changed is
  // planned anew, and merged by id.
  const anew = isRun && spec !== undefined && !(await planner.hasAuthor(base.agent));
  return ok({ ...base, mode: anew ? "new" : "revise", ...spec?.value, ...target });
}
