// The workspace: the plan's file, the daemon, permissions, and what killed programs left behind.

import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadExecutionSettings } from "../../config/execution-settings.js";
import { worktreesFolder } from "../../config/state-folder.js";
import { findLostPlan, STORE_FILE, STORE_FOLDER } from "../../config/workspace.js";
import { findDaemon, findDeadDaemon } from "../../engine/tick/background.js";
import { halfMoved } from "../../machine/git/checkouts/half-move.js";
import { findRepository } from "../../machine/git/repository.js";
import { isAlive } from "../../machine/process/orphans.js";
import { LIVE } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import { verifyPlan } from "../history/verify-action.js";
import type { Patient } from "./doctor.js";
import { type Examined, fine, remark, wrong } from "./finding.js";

const NO_PLAN = remark("there is no plan here", "Start one.", [step("init")]);

export async function examineStore({ root, exists, open }: Patient): Promise<Examined> {
  // Opening a plan whose file is gone says so.
  if (!exists && findLostPlan(root) === undefined) return NO_PLAN;
  const verified = await verifyPlan(await open());
  if (!verified.ok) return wrong(verified.error.message, "Look at what differs.", [step("verify")]);
  return fine(`${verified.value.operations} operations, and every row is as they say`);
}

export function examineDaemon({ root, exists }: Patient): Examined {
  if (!exists) return fine("not running");
  const running = findDaemon(root);
  if (running) return fine(`process ${running.pid}, since ${running.startedAt}`);
  const dead = findDeadDaemon(root);
  if (!dead) return fine("not running");
  const fix = "Look into its log, then start it again.";
  return wrong(`process ${dead.pid} died`, fix, [step("daemon.logs"), step("daemon.start")]);
}

export function examinePermissions({ root, exists, env }: Patient): Examined {
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

export async function examineLeftovers({ root, exists, env, open }: Patient): Promise<Examined> {
  if (!exists) return fine("none");
  const { store } = await open();
  const live = await store.read((reader) => reader.items("attempt", { state: LIVE }));
  const lost = live.filter(({ fields }) => fields.worker.kind !== "person" && !isAlive(fields.driver));
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
