// The plan around a folder, as actions see it, for tests that call actions beside the program.

import { findWorkspace } from "../src/config/workspace.js";
import type { Context } from "../src/plan/base/context.js";
import { openStore } from "../src/store/open/open.js";
import { prepare } from "../src/verbs/folder/open-workspace.js";
import { SECRET } from "./secret.js";

export async function openWorkspace(folder: string, actor: string): Promise<Context> {
  const workspace = findWorkspace(folder);
  if (!workspace) throw new Error(`There is no plan around ${folder}.`);
  const { context, options } = prepare(workspace, { actor, env: { PLANWRIGHT_SECRET: SECRET }, cwd: folder });
  return { ...context, store: await openStore(options) };
}
