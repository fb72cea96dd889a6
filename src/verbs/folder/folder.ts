// The folder of a plan, for operations that need no plan to be there: start one, list its backups, restore one, upgrade.

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isInside } from "../../base/paths.js";
import { agentIn } from "../../config/actor.js";
import { forgetNotedPlan, notedHere } from "../../config/person.js";
import { findWorkspace, type Workspace } from "../../config/workspace.js";
import type { Environment } from "../../machine/process/environment.js";
import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { StoreFault } from "../../store/fault.js";
import { openStore } from "../../store/open/open.js";
import type { Sign, Store } from "../../store/store.js";
import { type Context, type Door, type Folder, ok, type Result, refused } from "../kit/verb.js";
import type { WorkspaceAccess } from "./open-workspace.js";
import { doubtAbout, locateWorkspace, newWorkspace, requireWorkspace, unproven } from "./open-workspace.js";

interface Parts {
  readonly path: string;
  readonly env: Environment;
  /** Whether who asks was said outright. */
  readonly isSaid: boolean;
  readonly door: Pick<Door, "program" | "confirm">;
  readonly open: () => Promise<Context>;
  readonly prepare: (workspace: Workspace) => WorkspaceAccess;
  readonly sign: (always: boolean, root: string) => Sign;
  readonly use: (store: Store) => void;
}

export function folderAt(parts: Parts): Folder {
  const { path, env, door, open, prepare } = parts;
  const backups = () => import("../safety/backups.js");
  const restoring = () => import("../safety/restore-backup.js");
  return {
    env,
    program: door.program,
    ...(door.confirm && { confirm: door.confirm }),
    open,
    workspace: () => {
      const found = findWorkspace(path);
      const doubt = doubtAbout(newWorkspace(path).root, found?.root, env);
      return { root: locateWorkspace(path).root, exists: found !== undefined, doubt };
    },
    create: (begin, { here = false } = {}) => create(parts, here ? newWorkspace(path) : locateWorkspace(path), begin),
    backups: async () => (await backups()).listBackups(locateWorkspace(path).root, env),
    fileAt: (typed) => resolve(prepare(locateWorkspace(path)).context.cwd, typed),
    takenOutBy: async (file) => {
      const { takenOutBy } = await import("../../store/dialects/sqlite/taken-out.js");
      const { options, context } = prepare(locateWorkspace(path));
      return takenOutBy(options, resolve(context.cwd, file));
    },
    isOtherPlan: async (file) => {
      const { context } = prepare(locateWorkspace(path));
      return (await backups()).isOtherPlan(context.root, resolve(context.cwd, file));
    },
    lost: async () => {
      const { root, store } = locateWorkspace(path);
      const isThere = existsSync(store) && statSync(store).size > 0;
      return isThere ? null : (await backups()).lossAt(root, env);
    },
    restore: async (file, end) => {
      const { context, options, proof } = prepare(locateWorkspace(path));
      const { root, actor, now, head, cwd } = context;
      const intent = { actor, verb: "restore", now, commit: head(), sign: parts.sign(true, root) };
      return (await restoring()).restoreBackup({ options, root, env, proof, file: resolve(cwd, file), end, intent });
    },
    upgrade: async () => {
      const { upgradeStore } = await import("../../store/open/create.js");
      const { noteBeginner, oldOwner } = await import("../consent/person.js");
      const { context, options } = prepare(requireWorkspace(path));
      const place = { env, root: context.root };
      const upgraded = await upgradeStore(options, Date.now(), undefined, oldOwner(place));
      if (upgraded.backup !== null) {
        const store = await openStore(options);
        await store.read((reader) => noteBeginner(place, reader));
        await store.close();
      }
      return upgraded;
    },
  };
}

async function create<T>(
  parts: Parts,
  { root, store: path, ...rest }: Workspace,
  begin: (context: Context, store: string) => Promise<Result<T>>,
): Promise<Result<T & { readonly secret: string | null; readonly setAside: number }>> {
  const { env, prepare, use, open } = parts;
  const { noteBeginner, requireSameBeginner } = await import("../consent/person.js");
  if (/[\r\n]/.test(root)) return refused("line-break-in-path", LINE_BREAK);
  requireSameBeginner({ root, env }, path);
  const secret = await setUpPerson(root, env);
  // A folder that may not be written either is what the store says first.
  const unwritten = existsSync(path) || !mayWrite(root) ? null : await missingSecret(root, env);
  if (unwritten !== null) return cannotApprove(unwritten);
  const prepared = prepare({ root, store: path, ...rest });
  const { options } = prepared;
  if (parts.isSaid && !existsSync(path)) await requireProven(prepared, env);
  const { createStore } = await import("../../store/open/create.js");
  if (!existsSync(path)) forgetNotedPlan(root, env);
  const { store, created } = await createStore(options, notedHere(root, env));
  use(store);
  const setAside = created ? await (await import("../safety/backups.js")).beginNewLog(root) : 0;
  const begun = await begin(await open(), path);
  if (!begun.ok) return begun;
  if (created) await store.read((reader) => noteBeginner({ root, env }, reader));
  await rememberToolsOf(await open(), env);
  return ok({ ...begun.value, secret, setAside });
}

/** Git keeps paths of other repositories in files with one on each line. */
const LINE_BREAK =
  "The path of this folder has a line break in it, and git cannot work with worktrees there. Rename the folder, and start the plan there again.";

/** Checks this before anything is made that would stay behind. */
async function requireProven({ context: { actor, root }, proof }: WorkspaceAccess, env: Environment): Promise<void> {
  const { mayBeFirst, secretsOf, whyNotFirst } = await import("../consent/person.js");
  const place = { env, root };
  if (isPerson(actor) && !mayBeFirst(place, secretsOf(proof, place), true))
    throw new StoreFault(unproven(actor, { why: whyNotFirst(place) }));
}

/** From now on checks use the tools that this person has, also when an agent hands in the work. */
async function rememberToolsOf({ root, actor }: Pick<Context, "root" | "actor">, env: Environment): Promise<void> {
  if (!isPerson(actor)) return;
  const { rememberTools } = await import("../../config/tool-environment.js");
  rememberTools(root, env);
}

/** Once per machine, and never by an agent: the path of the secret, if there was none. */
async function setUpPerson(root: string, env: Environment): Promise<string | null> {
  if (agentIn(env) !== undefined) return null;
  const { makeSecret } = await import("../../config/person.js");
  return makeSecret(env, root) ?? null;
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where the secret of a person should be and cannot be made. */
async function missingSecret(root: string, env: Environment): Promise<string | null> {
  if (agentIn(env) !== undefined) return null;
  const { SECRET_VARIABLE, secretFile } = await import("../../config/person.js");
  const file = secretFile(env);
  if (file === undefined || isInside(file, root) || (env[SECRET_VARIABLE] ?? "") !== "") return null;
  return existsSync(file) ? null : file;
}

const cannotApprove = (file: string): Result<never> =>
  refused(
    "no-secret",
    `${file} cannot be written. It would hold the secret which proves that you, and no agent, approve work: without it nobody could approve anything in this plan. Make its folder writable, or put 64 hexadecimal digits that you keep into PLANWRIGHT_SECRET (for example from openssl rand -hex 32), and start the plan again. No plan was started.`,
    { next: [step("init")] },
  );
