// Backups of the plan. One a day is made after what only a person may do, after runs and by the daemon; the oldest go. They are
// kept in the user's state folder: what empties the checkout (`git clean -fdx`) leaves them.

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { backupsFolder } from "../../config/state-folder.js";
import { STORE_FILE, STORE_FOLDER } from "../../config/workspace.js";
import { noteLogHead, readLogHead, resetLogHead } from "../../machine/git/log-head.js";
import { findRepository } from "../../machine/git/repository.js";
import type { Environment } from "../../machine/process/environment.js";
import { isSameFile } from "../../store/dialects/sqlite/other-processes.js";
import { StoreFault } from "../../store/fault.js";
import { type Backup, type Context, minute, step } from "../kit/verb.js";

const DAY_MS = 86_400_000;

export const stampOf = (at: number): string => new Date(at).toISOString().replace(/[:.]/g, "-");

const backupName = (at: number): string => `plan-${stampOf(at)}.db`;

/** Only these are removed when there are too many: what somebody named otherwise stays. */
const DAILY = /^plan-\d{4}-\d\d-\d\dT[\d-]+Z\.db$/;

function filesIn(folder: string, named: RegExp): Backup[] {
  return namesIn(folder)
    .filter((name) => named.test(name))
    .flatMap((name) => backupAt(join(folder, name), false))
    .sort(newestFirst);
}

const newestFirst = (a: Backup, b: Backup): number => (a.at < b.at ? 1 : -1);

function backupAt(file: string, replaced: boolean): Backup[] {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? [{ file, at: found.mtime.toISOString(), bytes: found.size, replaced }] : [];
}

/** The newest first; also those that upgrades made beside the plan, and plans that a restored backup replaced. */
export const listBackups = (root: string, env: Environment): Backup[] =>
  [
    ...filesIn(backupsFolder(root, env), /\.db$/),
    ...filesIn(join(root, STORE_FOLDER, "backups"), /\.db$/),
    ...replacedPlans(join(root, STORE_FOLDER)),
  ].sort(newestFirst);

export const replacedFolder = (folder: string, at: number): string => join(folder, REPLACED, stampOf(at));

const REPLACED = "replaced";

function replacedPlans(folder: string): Backup[] {
  const plan = statSync(join(folder, STORE_FILE), { throwIfNoEntry: false });
  return namesIn(join(folder, REPLACED)).flatMap((stamp) => {
    const file = join(folder, REPLACED, stamp, STORE_FILE);
    const found = statSync(file, { throwIfNoEntry: false });
    // A restore that was killed before the end has put it there, but not replaced it.
    return plan && found && isSameFile(plan, found) ? [] : backupAt(file, true);
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export async function makeDailyBackup(
  { store, root, settings, now }: Context,
  env: Environment,
  onNotice?: (notice: string) => void,
): Promise<void> {
  // Without a home there is no place that outlives the checkout.
  if ((env["HOME"] ?? env["XDG_STATE_HOME"] ?? env["LOCALAPPDATA"]) === undefined) return;
  try {
    const folder = backupsFolder(root, env);
    const [newest] = filesIn(folder, DAILY);
    if (newest && now() - Date.parse(newest.at) < DAY_MS) return;
    await store.backUp(join(folder, backupName(now())));
    for (const old of filesIn(folder, DAILY).slice(settings.backups)) rmSync(old.file, { force: true });
  } catch (error) {
    onNotice?.(`Today's backup of the plan was not made: ${messageOf(error)}`);
  }
}

export async function saveBackup({ store, root, now }: Context, env: Environment): Promise<string> {
  const file = join(backupsFolder(root, env), `saved-${backupName(now())}`);
  await store.backUp(file);
  return file;
}

/** A note of a plan that was here before says nothing about a new one. */
export async function beginNewLog(root: string): Promise<void> {
  if (findRepository(root)) await resetLogHead(root, null, Date.now());
}

/** What was lost, and which backup there is. Anything else that was thrown stays as it is. */
export async function explainLoss(error: unknown, root: string, env: Environment): Promise<unknown> {
  if (!(error instanceof StoreFault)) return error;
  const { failure } = error;
  if (!["plan-lost", "not-a-plan", "no-workspace"].includes(failure.reason)) return error;
  const noted = findRepository(root) ? await readLogHead(root) : null;
  if (failure.reason === "no-workspace" && noted === null) return error;
  // What a backup replaced was replaced for a reason.
  const newest = listBackups(root, env).find(({ replaced }) => !replaced);
  const known = newest ? ` The newest backup is of ${minute(newest.at)}.` : " There is no backup.";
  const restore = newest ? [step("backup.restore", { file: newest.file })] : [];
  if (failure.reason !== "no-workspace") {
    const next = [...restore, ...(failure.next ?? [])];
    return new StoreFault({ ...failure, message: `${failure.message}${known}`, next }, error);
  }
  const folder = join(root, STORE_FOLDER);
  const message = `A plan with ${noted?.op} operations was kept in ${folder}, but ${existsSync(folder) ? "its file" : "the folder"} is gone.${known} Restore it, or start a new plan.`;
  return new StoreFault({ kind: "refused", reason: "plan-lost", message, next: [...restore, step("init")] }, error);
}

/** A note that could not be made is made next time. */
export async function keepSafe(context: Context, env: Environment, onNotice?: (notice: string) => void): Promise<void> {
  const { store, root } = context;
  if (findRepository(root)) {
    const end = await store.read((reader) => reader.link());
    if (end) await noteLogHead(root, end);
  }
  await makeDailyBackup(context, env, onNotice);
}
