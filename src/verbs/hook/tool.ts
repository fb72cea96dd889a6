import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { AGENT_VARIABLES } from "../../config/actor.js";
import { loadExecutionSettings } from "../../config/execution-settings.js";
import { configFolder } from "../../config/state-folder.js";
import { findWorkspace, pathInWorkspace } from "../../config/workspace.js";
import { type NextStep, step } from "../../model/next-step.js";
import {
  type EditedFile,
  type EditPolicy,
  type EditVerdict,
  judgeEdit,
  markerOf,
  policyFor,
} from "../../model/rules/hooks.js";
import { reachedFor } from "../../model/rules/shell-guard.js";
import { isFirstTime } from "../../plan/claim/session-notes.js";
import { spell } from "../kit/spell.js";
import { fields, flag, type Infer, list, ok, optional, planVerb, type Session, text } from "../kit/verb.js";
import { forHost, fromHost, HOST_FORM, silently } from "./hook-answer.js";
import {
  askingAs,
  type CalledHook,
  calledBy,
  caller,
  heldTasks,
  isWorker,
  runOfCaller,
  tasksOfCaller,
} from "./hook-caller.js";
import { claimsTask, editedFiles, type ToolDecision, toolJson, typedCommand } from "./host-json.js";
import { plainId, plainLine } from "./plain-line.js";

export const input = fields({
  ...caller(),
  files: optional(list(text(""), "a file that the tool would change", "PATH")),
  command: optional(text("a command that the tool would run in a shell")),
  claims: optional(flag("the tool is the one that claims, and would take a task")),
});

export const verb = planVerb({
  command: { words: "hook tool", group: "agents" },
  summary: "Hold an edit against the claimed task",
  description: `For the hook of a coding agent before it edits files or runs commands. A shell command that decides for the user in a hidden environment, or reads the user's key, is refused. A subagent gets no second task while it holds one. An edit outside of the files of the task that the agent has claimed is refused, and one in the main checkout without a claim gets a note: hosts.footprint and hosts.mainCheckout change that. While a conversation plans with subagents (plan with serve host), it may only delegate. ${HOST_FORM}`,
  effect: "reads",
  input,
  examples: [{ input: { files: ["src/app.ts"] }, does: "answers whether the edit fits" }],
  run: (session, asked) => forHost(asked.host, toolHook(session, asked)),
  prepare: fromHost((event) => {
    const [command, claims] = [typedCommand(event), claimsTask(event)];
    return {
      files: editedFiles(event),
      ...(command !== undefined && { command }),
      ...(claims !== undefined && { claims }),
    };
  }),
  text: (toolHook) => JSON.stringify(toolJson(toolHook)),
  rescue: silently({ host: "claude", decision: "off", reason: "" } as const),
});

const SILENT: ToolDecision = { decision: "off", reason: "" };

async function toolHook(session: Session, { files: named = [], command, claims, ...asked }: Infer<typeof input>) {
  if (isWorker(session)) return ok(SILENT);
  const reached = command === undefined ? null : await reachOf(session, command);
  if (reached !== null) return ok<ToolDecision>({ decision: "refuse", reason: REFUSALS[reached] });
  if (claims === false) return ok(SILENT);
  const called = calledBy(session, asked);
  const run = asked.agent !== undefined ? undefined : await runOfCaller(called.context, called.caller);
  const { context, caller, settings } = called;
  if (run !== undefined && settings.delegate !== "off") {
    return ok(decided(called, settings.delegate, `delegate ${run}`, delegateOnly(run)));
  }
  if (claims === true) return ok(await secondClaim(called));
  if (named.length === 0) return ok(SILENT);
  const claimed = await tasksOfCaller(context, caller);
  const files = named.slice(0, MAX_FILES).map((file) => editedFile(file, caller.cwd, context.root));
  const hasWork = claimed.length > 0 || (await isWorkThere(context));
  const rules = loadExecutionSettings(context.root, context.env);
  const verdict = judgeEdit({ files, claimed, hasWork, rules });
  if (verdict.kind === "fits") return ok(SILENT);
  return ok(decided(called, policyFor(verdict, settings), noteSubject(verdict), reasonFor(verdict)));
}

/** Subagents share the name of their conversation, so only their host can hold each of them to one task. */
async function secondClaim({ context, caller }: CalledHook): Promise<ToolDecision> {
  const marker = caller.agent == null ? null : markerOf(await heldTasks(context), askingAs(context, caller));
  if (marker === null) return SILENT;
  const id = plainId(marker.id);
  const reason = `You have claimed ${id} and not handed it in. Finish it first: ${command(step("complete", { reference: id }))}, or give it back.`;
  return { decision: "refuse", reason };
}

/** Says what the user decides, and not how the command was seen. */
const REFUSALS = {
  decision: "Only the user decides this. Tell them what you would like decided, and why.",
  key: "This belongs to the user alone. Go on without it.",
} as const;

/** Hardly any command names the plan, so what only a person may do is looked up only then. */
async function reachOf({ env }: Session, command: string) {
  const keyFolder = configFolder(env);
  const isAboutPlan = /planwright|\bpw\b/iu.test(command) || (keyFolder !== undefined && command.includes(keyFolder));
  if (!isAboutPlan) return null;
  const { allFacts } = await import("../kit/facts.js");
  const verbs = allFacts().flatMap(({ who, inForce, command: { words, aliases = [] } }) =>
    who === "person" || inForce
      ? [words, ...aliases.map((each) => (typeof each === "string" ? each : each.words))]
      : [],
  );
  return reachedFor(command, { verbs, markers: AGENT_VARIABLES, keyFolder });
}

/** A note is told once. */
function decided({ context, caller }: CalledHook, decision: EditPolicy, subject: string, reason: string): ToolDecision {
  if (decision === "off") return SILENT;
  if (decision === "note" && !isFirstTime(context.root, caller.session, subject)) return SILENT;
  return { decision, reason };
}

const delegateOnly = (run: string): string =>
  `You serve the planning run ${plainId(run)}. Until it is ready you only delegate: start a subagent for the next step (${command(step("plan.step", { run: plainId(run), brief: true }))}), or ask the user. To do something else first, abort the run.`;

/** More than one tool call changes. */
const MAX_FILES = 200;

/** Work without a claim is a note once; each other file outside of a footprint is news. */
const noteSubject = (verdict: EditVerdict): string =>
  verdict.kind === "outside" ? `outside ${verdict.files.join("\n")}` : verdict.kind;

const isWorkThere = ({ store }: Session): Promise<boolean> =>
  store.read(
    async (reader) =>
      (await reader.claimable({ limit: 1 })).length > 0 || (await reader.claimed({ limit: 1 })).length > 0,
  );

/** Linux opens no longer path and macOS not even this one. Looking at every folder of one would take seconds. */
const MAX_PATH_CHARACTERS = 4096;

function editedFile(named: string, cwd: string, root: string): EditedFile {
  const given = isAbsolute(named) ? named : resolve(cwd, named);
  const absolute = given.length > MAX_PATH_CHARACTERS ? resolve(given) : given;
  if (absolute.length > MAX_PATH_CHARACTERS) return { path: named, tree: "elsewhere", exists: false };
  const path = withoutLinks(absolute);
  const folder = dirname(path);
  const workspace = findWorkspace(folder);
  if (!workspace || withoutLinks(workspace.root) !== withoutLinks(root)) {
    return { path: named, tree: "elsewhere", exists: existsSync(path) };
  }
  const { repository } = workspace;
  const isLinked = repository !== undefined && repository.top !== repository.main;
  return {
    path: pathInWorkspace(folder, basename(path)),
    tree: isLinked ? "linked" : "main",
    exists: existsSync(path),
  };
}

/** A new file has no real path yet, but some folder above it has. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(withoutLinks(above), basename(path));
  }
}

const MAX_FILES_NAMED = 5;

const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, MAX_FILES_NAMED).map((name) => plainLine(name, 40));
  return `${shown.join(", ")}${names.length > MAX_FILES_NAMED ? ` and ${names.length - MAX_FILES_NAMED} more` : ""}`;
};

function reasonFor(verdict: Exclude<EditVerdict, { kind: "fits" }>): string {
  if (verdict.kind === "plan-files") {
    return `${listed(verdict.files)} belongs to the plan. Only Planwright changes it: use its tools or commands.`;
  }
  if (verdict.kind === "unclaimed") {
    return `You edit the main checkout without a claimed task, so no check will prove this work. Claim one first (${command(step("next"))}), or go on if the user wants this beside the plan.`;
  }
  const [first] = verdict.tasks;
  const ids = verdict.tasks.map(({ id }) => plainId(id)).join(", ");
  const allowed = listed([...new Set(verdict.tasks.flatMap(({ files }) => files))]);
  const widen = first
    ? command(step("link", { reference: first.id, files: verdict.files.slice(0, MAX_FILES_NAMED) }))
    : "";
  return `${listed(verdict.files)} is outside of the files of ${ids} (${allowed}). Change only those. If the task needs more, say why and ask the user to type ${widen}.`;
}

const command = (next: NextStep): string => `\`${plainLine(spell(next), 80)}\``;
