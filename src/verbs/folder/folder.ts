// The folder of a plan, for operations that need no plan to be there: start one, list its backups, restore one, upgrade.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { agentIn, userOf } from "../../config/actor.js";
import { forgetFirstPerson, readFirstPerson } from "../../config/known-plans.js";
import { findWorkspace, type Workspace } from "../../config/workspace.js";
import type { Environment } from "../../machine/process/environment.js";
import type { Context } from "../../plan/context.js";
import type { Sign, Store } from "../../store/store.js";
import type { Door } from "../kit/session.js";
import type { Folder } from "../kit/verb.js";
import type { Prepared } from "../workspace.js";
import { doubtAbout, locateWorkspace, newWorkspace, requireWorkspace } from "./location.js";

/** What the application brings. */
interface Parts {
  readonly path: string;
  readonly env: Environment;
  readonly door: Pick<Door, "program" | "confirm">;
  readonly open: () => Promise<Context>;
  readonly prepare: (workspace: Workspace) => Prepared;
  readonly sign: (always: boolean, root: string) => Sign;
  /** Uses this store from now on. */
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
    create: ({ here = false } = {}) => create(parts, here ? newWorkspace(path) : locateWorkspace(path)),
    backups: async () => (await backups()).listBackups(locateWorkspace(path).root, env),
    takenOutBy: async (file) => {
      const { takenOutBy } = await import("../../store/open/compare-logs.js");
      const { options, context } = prepare(locateWorkspace(path));
      return takenOutBy(options, resolve(context.cwd, file));
    },
    restore: async (file, end) => {
      const { context, options, proof } = prepare(locateWorkspace(path));
      const { root, actor, now, head, cwd } = context;
      const intent = { actor, verb: "restore", now, commit: head(), sign: parts.sign(true, root) };
      return (await restoring()).restoreBackup({ options, root, env, proof, file: resolve(cwd, file), end, intent });
    },
    upgrade: async () => {
      const { upgradeStore } = await import("../../store/open/create.js");
      const { secretsAt } = await import("../consent/sign.js");
      const { context, options } = prepare(requireWorkspace(path));
      const owner = { secrets: secretsAt({ env, root: context.root }), name: `human:${userOf(env)}` };
      return upgradeStore(options, Date.now(), undefined, owner);
    },
  };
}

async function create(parts: Parts, { root, store: path, ...rest }: Workspace): ReturnType<Folder["create"]> {
  const { env, prepare, use, open } = parts;
  const secret = await setUpPerson(root, env);
  const { options } = prepare({ root, store: path, ...rest });
  const { createStore } = await import("../../store/open/create.js");
  if (!existsSync(path)) forgetFirstPerson(root, env);
  const { store, created } = await createStore(options, { first: () => readFirstPerson(root, env) });
  use(store);
  if (created) await (await import("../safety/backups.js")).beginNewLog(root);
  return { context: await open(), store: path, secret };
}

/** Once per machine, and never by an agent: the path of the secret, if there was none. */
async function setUpPerson(root: string, env: Environment): Promise<string | null> {
  if (agentIn(env) !== undefined) return null;
  const { makeSecret } = await import("../../config/person.js");
  return makeSecret(env, root) ?? null;
}
