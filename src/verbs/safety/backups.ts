// Backups of the plan. One a day is made after what only a person may do, after runs and by the daemon; the oldest go. They are
// kept in the user's state folder: what empties the checkout (`git clean -fdx`) leaves them.

import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { namesInFolder } from "../../base/paths.js";
import { backupsFolder } from "../../config/state-folder.js";
import { STORE_FILE, STORE_FOLDER } from "../../config/workspace.js";
import { setRefsAside } from "../../machine/git/housekeeping/former-refs.js";
import { noteLogHead, readLogHead, resetLogHead } from "../../machine/git/housekeeping/log-head.js";
import { findRepository } from "../../machine/git/repository.js";
import type { Environment } from "../../machine/process/environment.js";
import { isSameFile } from "../../store/dialects/sqlite/other-processes.js";
import { identityIn } from "../../store/dialects/sqlite/plan-identity.js";
import { StoreFault } from "../../store/fault.js";
import { lostPlan, wasPlan } from "../../store/open/open.js";
import { type Backup, type Context, type Failure, type Loss, minute, plural, step } from "../kit/verb.js";

const DAY_MS = 86_400_000;

export const stampOf = (at: number): string => new Date(at).toISOString().replace(/[:.]/g, "-");

const backupName = (at: number): string => `plan-${stampOf(at)}.db`;

/** Only these are removed when there are too many: what somebody named otherwise stays. */
const DAILY = /^plan-\d{4}-\d\d-\d\dT[\d-]+Z\.db$/;

/** A file with a plan in it, whichever that is. */
type BackupFile = Pick<Backup, "file" | "at" | "bytes" | "replaced">;

function filesIn(folder: string, named: RegExp): BackupFile[] {
  return namesInFolder(folder)
    .filter((name) => named.test(name))
    .flatMap((name) => backupAt(join(folder, name), false))
    .sort(newestFirst);
}

const newestFirst = (a: BackupFile, b: BackupFile): number => (a.at < b.at ? 1 : -1);

function backupAt(file: string, replaced: boolean): BackupFile[] {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? [{ file, at: found.mtime.toISOString(), bytes: found.size, replaced }] : [];
}

/** The newest first; also those that upgrades made beside the plan. */
export const backupFiles = (root: string, env: Environment): BackupFile[] =>
  [...filesIn(backupsFolder(root, env), /\.db$/), ...filesIn(join(root, STORE_FOLDER, "backups"), /\.db$/)].sort(
    newestFirst,
  );

/** The newest first; also plans that a restored backup replaced. */
export async function listBackups(root: string, env: Environment): Promise<Backup[]> {
  const first = await planOf(root);
  const files = [...backupFiles(root, env), ...replacedPlans(join(root, STORE_FOLDER))].sort(newestFirst);
  return files.map((each) => {
    const found = identityIn(each.file);
    const otherPlan = found !== null && first !== null && found.first !== first;
    return { ...each, operations: found?.op ?? null, otherPlan };
  });
}

/** The link of the first operation of the plan that is here, or of the one that git knows. */
export async function planOf(root: string): Promise<string | null> {
  const here = identityIn(join(root, STORE_FOLDER, STORE_FILE));
  return here?.first ?? (await notedAt(root))?.first ?? null;
}

export async function isOtherPlan(root: string, file: string): Promise<boolean> {
  const [found, here] = [identityIn(file), await planOf(root)];
  return found !== null && here !== null && found.first !== here;
}

const notedAt = async (root: string) => (findRepository(root) ? readLogHead(root) : null);

export const replacedFolder = (folder: string, at: number): string => join(folder, REPLACED, stampOf(at));

const REPLACED = "replaced";

function replacedPlans(folder: string): BackupFile[] {
  const plan = existsSync(join(folder, STORE_FILE)) ? statSync(join(folder, STORE_FILE)) : undefined;
  return namesInFolder(join(folder, REPLACED)).flatMap((stamp) => {
    const file = join(folder, REPLACED, stamp, STORE_FILE);
    const found = statSync(file, { throwIfNoEntry: false });
    // A restore that was killed before the end has put it there, but not replaced it.
    return plan && found && isSameFile(plan, found) ? [] : backupAt(file, true);
  });
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
    const end = await store.read((reader) => reader.end());
    // Those of a plan that was here before are neither enough nor too many.
    const isOwn = ({ file }: BackupFile) => (identityIn(file)?.first ?? end?.first) === end?.first;
    const newest = filesIn(folder, DAILY).find(isOwn);
    if (newest && now() - Date.parse(newest.at) < DAY_MS) return;
    await store.backUp(join(folder, backupName(now())));
    for (const old of filesIn(folder, DAILY).filter(isOwn).slice(settings.backups)) rmSync(old.file, { force: true });
  } catch (error) {
    onNotice?.(`Today's backup of the plan was not made: ${messageOf(error)}`);
  }
}

export async function saveBackup({ store, root, now }: Context, env: Environment): Promise<string> {
  const file = join(backupsFolder(root, env), `saved-${backupName(now())}`);
  await store.backUp(file);
  return file;
}

/** What a plan left here that was lost says nothing about a new one. How many branches and other refs were set aside. */
export async function beginNewLog(root: string): Promise<number> {
  const noted = await notedAt(root);
  if (noted === null) return 0;
  const at = Date.now();
  const setAside = await setRefsAside(root, noted.first ?? `plan-${at}`);
  await resetLogHead(root, null, at);
  return setAside;
}

/** A plan that was kept here and is not here any more, as far as git and the backups know. Null if there was none. */
export async function lossAt(root: string, env: Environment): Promise<Loss | null> {
  const noted = await notedAt(root);
  const { newest, said, count } = await backupsOfLost(root, env);
  if (noted === null && count === 0) return null;
  const folder = join(root, STORE_FOLDER);
  const path = join(folder, STORE_FILE);
  // Nothing is started in what is left of it.
  if (wasPlan(path)) return { failure: withBackup(lostPlan(path), said, newest), newest };
  const what = noted === null ? "A plan" : `A plan with ${plural(noted.op, "operation")}`;
  const gone = existsSync(folder) ? "its file" : "the folder";
  // A note without a backup may have come with a clone.
  const message = newest
    ? `${what} was kept in ${folder}, but ${gone} is gone.${said} Restore it, or start a new plan.`
    : `${what} is noted in this repository, but it is not in ${folder}.${said} It may be in another clone. Otherwise start a new plan.`;
  const next = [...restoring(newest), step("init", { fresh: true })];
  return { failure: { kind: "refused", reason: "plan-lost", message, next }, newest };
}

const restoring = (newest: Backup | undefined) => (newest ? [step("backup.restore", { file: newest.file })] : []);

/** What a backup replaced was replaced for a reason. */
async function backupsOfLost(root: string, env: Environment) {
  const backups = (await listBackups(root, env)).filter(({ replaced }) => !replaced);
  const newest = backups.find(({ otherPlan }) => !otherPlan);
  const length = newest?.operations == null ? "" : `, with ${plural(newest.operations, "operation")}`;
  const none =
    backups.length === 0 ? "There is no backup." : "There is no backup of it: those that are here are of another plan.";
  return {
    newest,
    said: newest ? ` The newest backup is of ${minute(newest.at)}${length}.` : ` ${none}`,
    count: backups.length,
  };
}

/** What was lost, and which backup there is. Anything else that was thrown stays as it is. */
export async function explainLoss(error: unknown, root: string, env: Environment): Promise<unknown> {
  if (!(error instanceof StoreFault)) return error;
  const { failure } = error;
  if (failure.reason === "no-workspace") {
    const loss = await lossAt(root, env);
    return loss ? new StoreFault(loss.failure, error) : error;
  }
  if (!["plan-lost", "not-a-plan"].includes(failure.reason)) return error;
  const { newest, said } = await backupsOfLost(root, env);
  return new StoreFault(withBackup(failure, said, newest), error);
}

const withBackup = (failure: Failure, said: string, newest: Backup | undefined): Failure => ({
  ...failure,
  message: `${failure.message}${said}`,
  next: [...restoring(newest), ...(failure.next ?? [])],
});

/** A note that could not be made is made next time. */
export async function keepSafe(context: Context, env: Environment, onNotice?: (notice: string) => void): Promise<void> {
  const { store, root } = context;
  if (findRepository(root)) {
    const end = await store.read((reader) => reader.end());
    if (end) await noteLogHead(root, end);
  }
  await makeDailyBackup(context, env, onNotice);
}
