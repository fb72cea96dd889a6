// The actions' view of a workspace: who asks, by which settings, on which store. The command line and
// programs that use the library open it alike.

import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isInside, realPath } from "../../base/paths.js";
import { type Caller, identifyCaller, type PersonProof } from "../../config/actor.js";
import { loadSettings } from "../../config/trust.js";
import { findLostPlan, findWorkspace, proposeWorkspace, type Workspace } from "../../config/workspace.js";
import { findRepository, headBranch, headCommit } from "../../machine/git/repository.js";
import type { Environment } from "../../machine/process/environment.js";
import { isActor, isPerson } from "../../model/actor.js";
import type { SqliteOptions } from "../../store/dialects/sqlite/sqlite.js";
import { StoreFault } from "../../store/fault.js";
import { lostPlan, noPlan } from "../../store/open/open.js";
import { type Context, type Doubt, type Failure, step } from "../kit/verb.js";

export interface WorkspaceAccess {
  readonly context: Omit<Context, "store">;
  readonly options: SqliteOptions;
  readonly proof: PersonProof;
}

export function prepare(workspace: Workspace, caller: Caller & Pick<Context, "cwd">): WorkspaceAccess {
  const { env, cwd } = caller;
  const { actor, proof } = identifyCaller(caller, workspace.root);
  if (!isActor(actor)) {
    const message = `"${String(actor)}" is not an actor. Say who asks: human:NAME or agent:NAME, here or in PLANWRIGHT_ACTOR.`;
    throw new StoreFault({ kind: "usage", reason: "usage", message });
  }
  if (isPerson(actor) && proof.kind === "none") throw new StoreFault(unproven(actor, proof));
  const settings = loadSettings(workspace.root, env);
  const { repository, root, store: path } = workspace;
  const engine = env["PLANWRIGHT_SQLITE"] === "add-on" ? "add-on" : "auto";
  const head = (): string | null => (repository ? headCommit(repository) : null);
  return {
    context: {
      actor,
      settings,
      root,
      cwd,
      ...settingsOnDemand(root, env),
      noWorkerFor: workerFinder(root, env),
      deadDaemon: async () => (await import("../../engine/tick/background.js")).findDeadDaemon(root) ?? null,
      cannotRun: async () => {
        const { whyNothingRuns } = await import("../consent/why-nothing-runs.js");
        return whyNothingRuns({ root, env, head, gitSettings: settingsOnDemand(root, env).gitSettings });
      },
      // This program itself counts too: in one that drives something, `isAlive` is asked about others.
      isAlive: async (driver) => {
        const { isAlive, ownDriver } = await import("../../machine/process/orphans.js");
        return driver.startsWith(ownDriver()) || isAlive(driver);
      },
      now: () => Date.now(),
      head,
    },
    options: { path, durability: settings.durability, engine },
    proof,
  };
}

/** A name alone does not prove a person. */
export const unproven = (actor: string, proof: MissingProof): Failure => ({
  kind: "refused",
  reason: "needs-person",
  message: `You cannot ask as ${actor}: ${whyUnproven(proof)}`,
  next: proof.key === undefined ? [step("people.list")] : [step("people.add", { key: proof.key })],
});

type MissingProof = Pick<Extract<PersonProof, { readonly kind: "none" }>, "why" | "key">;

/** Why nothing proves a person, and what to do about it. */
export const whyUnproven = ({ why, key }: MissingProof): string =>
  `${why}. ${key === undefined ? HOW_TO_PROVE : howToBeAdded(key)}`;

const howToBeAdded = (key: string): string =>
  `Use one that it knows: copy it from where you used it into your secret file. Or somebody whom the plan knows adds the key of the secret that this command used, ${key}: then whoever has that secret can approve everything. Add it only if this is your own machine and you made that secret yourself.`;

const HOW_TO_PROVE =
  "Use a terminal of your own. For commands without one, planwright keeps a secret in your settings folder, made by init; CI passes it in PLANWRIGHT_SECRET.";

/** Loads settings when there is a command to run or a worktree to make: most verbs do neither. */
function settingsOnDemand(root: string, env: Environment) {
  const engineLimits = async () =>
    (await import("../../config/execution-settings.js")).loadExecutionSettings(root, env);
  return {
    engineLimits,
    commandEnvironment: async (actor: string) => {
      const { commandEnvironment } = await import("../../machine/process/environment.js");
      const { withTrustedTools } = await import("../../config/tool-environment.js");
      return commandEnvironment(withTrustedTools(root, env, isPerson(actor)), (await engineLimits()).env);
    },
    worktreesFolder: async () => {
      const { worktreesFolder } = await import("../../config/state-folder.js");
      return worktreesFolder(root, (await engineLimits()).worktrees, env);
    },
    gitSettings: async () => (await import("../../config/git-settings.js")).loadGitSettings(root, env),
  };
}

/** Looks for agents when an engine is asked about: that takes longer than most reads. */
function workerFinder(root: string, env: Environment): Context["noWorkerFor"] {
  const load = async () => {
    const { loadPlanningSettings } = await import("../../config/planning-settings.js");
    const { AgentsHere } = await import("../../machine/agents/known.js");
    const { choiceFor } = await import("../../engine/workers/choose.js");
    const settings = loadPlanningSettings(root, env);
    return { choiceFor, settings, agents: new AgentsHere(settings.agents, env) };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async (task) => {
    const { choiceFor, settings, agents } = await (loaded ??= load());
    const choice = choiceFor(task, settings, agents);
    return choice.kind === "none" ? { agent: choice.agent, problem: choice.problem } : null;
  };
}

/** The branch that is checked out there; null outside of a repository and on no branch. Reads one file. */
export function branchAt(root: string): string | null {
  const repository = findRepository(root);
  const ref = (repository && headBranch(repository)) ?? "";
  // With reftable the file names no branch that could exist.
  return ref.startsWith(HEADS) && !ref.endsWith("/.invalid") ? ref.slice(HEADS.length) : null;
}

const HEADS = "refs/heads/";

export const locateWorkspace = (folder: string): Workspace => findWorkspace(folder) ?? newWorkspace(folder);

export function requireWorkspace(folder: string): Workspace {
  const workspace = findWorkspace(folder);
  if (workspace) return workspace;
  const lost = findLostPlan(folder);
  throw new StoreFault(lost === undefined ? noPlan(folder) : lostPlan(lost));
}

/** A mistyped folder must not become a new one. */
export function newWorkspace(folder: string): Workspace {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return proposeWorkspace(folder);
  throw new StoreFault({ kind: "usage", reason: "no-folder", message: `There is no folder ${folder}.` });
}

/** A plan in the home folder would take in every project below it, and a plan inside another one hides that one. */
export function doubtAbout(root: string, around: string | undefined, env: Environment): Doubt | null {
  if (around === root) return null;
  if (around !== undefined) {
    const message = `You are inside the plan of ${around}. Use that plan, or start another one in ${root}.`;
    return { reason: "inside-plan", message };
  }
  const home = realPath(env["HOME"] ?? homedir());
  if (!isInside(home, root)) return null;
  const what = root === home ? `${root} is your home folder` : `Your home folder is inside ${root}`;
  return { reason: "home-folder", message: `${what}, so a plan there would be found from every folder in it.` };
}
