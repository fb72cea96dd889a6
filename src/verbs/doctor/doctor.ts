// Looks at everything that Planwright needs to work here. An examination that fails is a finding like any other, so one
// broken part never hides the rest.

import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { loadExecutionSettings } from "../../config/execution-settings.js";
import { worktreesFolder } from "../../config/state-folder.js";
import { findLostPlan, STORE_FILE, STORE_FOLDER } from "../../config/workspace.js";
import { findDaemon, findDeadDaemon } from "../../engine/tick/background.js";
import { halfMoved } from "../../machine/git/checkouts/half-move.js";
import { findRepository } from "../../machine/git/repository.js";
import { isAlive } from "../../machine/process/orphans.js";
import { howToConfine } from "../../machine/sandbox/sandbox.js";
import { LIVE } from "../../model/item/item.js";
import { hasProgram } from "../../plan/attempt/interrupted-work.js";
import { verifyPlan } from "../history/verify.js";
import { HOSTS } from "../hosts/hosts.js";
import { proposeHosts } from "../hosts/install.js";
import {
  type Failure,
  type Folder,
  fields,
  flag,
  folderVerb,
  type Infer,
  ok,
  optional,
  problems,
  type Result,
  type Style,
  step,
} from "../kit/verb.js";
import { harmless, plural } from "../kit/wording.js";
import { sandboxHere } from "../safety/sandbox-here.js";
import { type ExaminationResult, fine, type Patient, remark, wrong } from "./finding.js";
import * as git from "./git.js";

export const input = fields({
  verify: optional(flag("also read the whole log and compare it with every row, as verify does")),
});

export const verb = folderVerb({
  command: { words: "doctor", group: "tool" },
  summary: "Check what Planwright needs here, and how to fix it",
  description:
    "Looks at Node, git, the repository and its main branch, the plan's file, the settings, coding agents and what is installed in them, the sandbox, hooks, signing, submodules, the daemon, permissions, and what killed programs left behind. It changes nothing.",
  effect: "runs",
  input,
  examples: [
    { input: {}, does: "examines this folder" },
    { input: { verify: true }, does: "also checks every operation and every row" },
  ],
  run: diagnose,
  text: render,
  problems: render,
});

export interface HealthFinding extends ExaminationResult {
  readonly subject: string;
}

export interface Diagnosis {
  readonly root: string;
  readonly plan: boolean;
  readonly findings: readonly HealthFinding[];
}

type Examination = (patient: Patient) => Promise<ExaminationResult> | ExaminationResult;

export const EXAMINATIONS: Readonly<Record<string, Examination>> = {
  node: examineNode,
  git: git.examineGit,
  repository: git.examineRepository,
  "main branch": git.examineMainBranch,
  branches: git.examineBranches,
  landings: git.examineLandings,
  store: examineStore,
  configuration: examineConfiguration,
  agents: examineAgents,
  hosts: examineHosts,
  sandbox: examineSandbox,
  hooks: git.examineHooks,
  signing: git.examineSigning,
  submodules: git.examineSubmodules,
  daemon: examineDaemon,
  permissions: examinePermissions,
  leftovers: examineLeftovers,
};

function render({ findings }: Diagnosis, style: Style): string[] {
  const marks = { ok: style.green("✓"), note: style.yellow("!"), problem: style.red("✗") };
  return findings.flatMap(({ subject, state, message, fix }) => {
    const head = `${marks[state]} ${style.bold(subject.padEnd(13))}  ${harmless(message)}`;
    return fix === null ? [head] : [head, style.dim(`                 ${harmless(fix)}`)];
  });
}

async function diagnose(folder: Folder, { verify = false }: Infer<typeof input>): Promise<Result<Diagnosis>> {
  const patient = { ...folder.workspace(), env: folder.env, folder, verify };
  const findings: HealthFinding[] = [];
  for (const [subject, examine] of Object.entries(EXAMINATIONS)) {
    findings.push({ subject, ...(await runExamination(examine, patient)) });
  }
  const diagnosis = { root: patient.root, plan: patient.exists, findings };
  const failed = findings.filter(({ state }) => state === "problem");
  if (failed.length === 0) return ok(diagnosis);
  const message = `${plural(failed.length, "problem")}: ${failed.map(({ subject }) => subject).join(", ")}.`;
  return problems("problems", message, { details: diagnosis, next: failed.flatMap(({ next }) => next) });
}

async function runExamination(examine: Examination, patient: Patient): Promise<ExaminationResult> {
  try {
    return await examine(patient);
  } catch (error) {
    const known = (error as { failure?: Failure }).failure;
    const message = known?.message ?? messageOf(error);
    return wrong(message, "Fix what the message names, then run this again.", known?.next ?? []);
  }
}

function examineHosts({ folder }: Patient): ExaminationResult {
  const installed = proposeHosts(folder).hosts.flatMap(({ host, scopes }) =>
    scopes.filter(({ state }) => state !== "absent").map((each) => ({ host, ...each })),
  );
  if (installed.length === 0) return fine("Planwright is not installed into a coding agent");
  const namesOf = (some: typeof installed): string =>
    some.map(({ host, scope }) => `${HOSTS[host].label} (${scope})`).join(", ");
  const outdated = installed.filter(({ state }) => state === "outdated");
  if (outdated.length === 0) return fine(`${namesOf(installed)} ${installed.length === 1 ? "is" : "are"} current`);
  const next = outdated.map(({ host, scope }) => step("install", { host, scope }));
  return remark(`not of this version: ${namesOf(outdated)}`, "Install them again.", next);
}

const OLDEST_NODE = [20, 19] as const;

function examineNode(): ExaminationResult {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const message = `Node ${process.versions.node}`;
  return isOld ? wrong(`${message} is too old.`, `Install Node ${OLDEST_NODE.join(".")} or newer.`) : fine(message);
}

async function examineConfiguration({ root, env }: Patient): Promise<ExaminationResult> {
  const { listSettings } = await import("../../config/all-settings.js");
  const { BadSetting, SETTINGS_FILE } = await import("../../config/settings.js");
  try {
    const set = listSettings(root, env).filter(({ source }) => source !== "default");
    return fine(set.length === 0 ? "all defaults" : `set: ${set.map(({ key }) => key).join(", ")}`);
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    return wrong(error.message, `Correct ${SETTINGS_FILE}, or remove the setting from it.`);
  }
}

async function examineAgents({ exists, env, folder }: Patient): Promise<ExaminationResult> {
  if (!exists) return remark("not examined: there is no plan here");
  const { openEngines } = await import("../services/engines.js");
  const { listAgents } = await import("../../planning/roles/agents.js");
  const { agents, roles } = await listAgents(openEngines(await folder.open(), env).agents);
  const installed = agents
    .filter((agent) => agent.installed)
    .map(({ name, version }) => `${name} ${version ?? ""}`.trim());
  const list = installed.length === 0 ? "no coding agent is installed" : installed.join(", ");
  const serving = (role: string) => agents.find(({ name }) => name === roles[role]);
  for (const role of ["worker", "reviewer"]) {
    const agent = serving(role);
    if (!agent || agent.installed) continue;
    const problem = `roles.${role} is ${agent.name}, which is not installed; ${list}`;
    return wrong(problem, `Install it: ${agent.install}`, [step("agents.list")]);
  }
  const [worker, reviewer] = [serving("worker"), serving("reviewer")];
  const reviews = reviewer ? `, ${reviewer.name} reviews them` : "";
  if (worker) return fine(`${list}; ${worker.name} does tasks${reviews}`);
  const fix = "Install a coding agent, or give tasks commands that do them.";
  return remark(`${list}; no agent does tasks`, fix, [step("agents.list")]);
}

async function examineSandbox({ root, env }: Patient): Promise<ExaminationResult> {
  const { sandbox } = loadExecutionSettings(root, env);
  const found = await sandboxHere(root, env);
  if (!found.ok) return wrong(found.error.message, howToConfine(), found.error.next ?? []);
  if (found.value.kind !== "none") return fine(`workers run in ${found.value.kind}`);
  const fix = sandbox === "off" ? "Set execution.sandbox to auto." : howToConfine();
  return remark(`workers run without a sandbox: ${found.value.why}`, fix);
}

async function examineStore({ root, exists, folder, verify }: Patient): Promise<ExaminationResult> {
  // Opening a plan whose file is gone says so.
  if (!exists && findLostPlan(root) === undefined) return remark("there is no plan here", "Start one.", [step("init")]);
  const session = await folder.open();
  if (!verify) {
    const operations = await session.store.read((reader) => reader.lastOperation());
    return fine(`it opens, and has ${plural(operations, "operation")}; --verify compares every row with them`);
  }
  const verified = await verifyPlan({ ...session, env: folder.env });
  if (!verified.ok) return wrong(verified.error.message, "Look at what differs.", [step("verify")]);
  return fine(`${verified.value.operations} operations, and every row is as they say`);
}

function examineDaemon({ root, exists }: Patient): ExaminationResult {
  if (!exists) return fine("not running");
  const running = findDaemon(root);
  if (running) return fine(`process ${running.pid}, since ${running.startedAt}`);
  const dead = findDeadDaemon(root);
  if (!dead) return fine("not running");
  const fix = "Look into its log, then start it again.";
  return wrong(`process ${dead.pid} died`, fix, [step("daemon.logs"), step("daemon.start")]);
}

function examinePermissions({ root, exists, env }: Patient): ExaminationResult {
  const folder = join(root, STORE_FOLDER);
  const repository = findRepository(root);
  const written = [
    ...(exists ? [folder, join(folder, STORE_FILE)] : [root]),
    ...(repository ? [repository.commonDir] : []),
    nearest(worktreesFolder(root, loadExecutionSettings(root, env).worktrees, env)),
  ];
  const closed = written.filter((path) => !mayWrite(path));
  if (closed.length > 0) return wrong(`you may not write to ${closed.join(", ")}`, "Change the owner or the mode.");
  const open = exists ? written.slice(0, 2).filter((path) => (statSync(path).mode & 0o022) !== 0) : [];
  if (open.length === 0) return fine("you may write where Planwright does, and nobody else may change the plan");
  return remark(`other users may change ${open.join(", ")}`, `Run chmod go-w ${open.join(" ")}`);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder itself, or the first above it that exists. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)));

/** Where worktrees were before they moved out of the checkout. */
const OLD_WORKTREES = join(STORE_FOLDER, "worktrees");

async function examineLeftovers({ root, exists, env, folder }: Patient): Promise<ExaminationResult> {
  if (!exists) return fine("none");
  const { store } = await folder.open();
  const live = await store.read((reader) => reader.items("attempt", { state: LIVE }));
  const lost = live.filter(({ fields }) => hasProgram(fields) && !isAlive(fields.driver));
  const half = findRepository(root) ? await halfMoved(root) : [];
  const old = join(root, OLD_WORKTREES);
  const inCheckout = existsSync(old) && loadExecutionSettings(root, env).worktrees === null ? readdirSync(old) : [];
  const found = [
    ...lost.map(({ key, fields }) => `${key} of ${fields.taskId}, whose program is gone`),
    ...half.map(({ path }) => `a landing that was broken off in ${path}`),
    ...inCheckout.map((name) => `a worktree in the checkout: ${join(OLD_WORKTREES, name)}`),
  ];
  if (found.length === 0) return fine("none");
  const fix =
    lost.length + half.length > 0
      ? "The next run cleans up and keeps unmerged work."
      : "Remove the folder with git worktree remove once you need nothing in it.";
  return remark(found.join("; "), fix, lost.length + half.length > 0 ? [step("run")] : []);
}
