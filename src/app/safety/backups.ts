// Backups of the plan. One a day is made after what only a person may do, after runs and by the daemon; the oldest go. They are
// kept in the user's state folder: what empties the checkout (`git clean -fdx`) leaves them.

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Context } from "../../actions/context.js";
import { setUpFolder } from "../../actions/node/init.js";
import { signatureCheck } from "../../config/signature.js";
import { backupsFolder } from "../../config/state-folder.js";
import { STORE_FOLDER } from "../../config/workspace.js";
import { messageOf } from "../../errors.js";
import { readLogHead, resetLogHead } from "../../git/log-head.js";
import { findRepository } from "../../git/repository.js";
import { step } from "../../graph/next-step.js";
import type { Result } from "../../graph/result.js";
import type { Environment } from "../../process/environment.js";
import type { SqliteOptions } from "../../store/dialects/sqlite/sqlite.js";
import { StoreFault } from "../../store/fault.js";
import type { Restored } from "../../store/restore.js";
import type { Intent } from "../../store/store.js";

const DAY_MS = 86_400_000;

export interface Backup {
  readonly file: string;
  /** When it was made. */
  readonly at: string;
  readonly bytes: number;
}

const stampOf = (at: number): string => new Date(at).toISOString().replace(/[:.]/g, "-");

const backupName = (at: number): string => `plan-${stampOf(at)}.db`;

/** Only these are removed when there are too many: what somebody named otherwise stays. */
const DAILY = /^plan-\d{4}-\d\d-\d\dT[\d-]+Z\.db$/;

function filesIn(folder: string, named: RegExp): Backup[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => named.test(name))
    .flatMap((name) => {
      const file = join(folder, name);
      const found = statSync(file, { throwIfNoEntry: false });
      return found?.isFile() ? [{ file, at: found.mtime.toISOString(), bytes: found.size }] : [];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** The newest first; also those that upgrades made beside the plan. */
export const listBackups = (root: string, env: Environment): Backup[] =>
  [...filesIn(backupsFolder(root, env), /\.db$/), ...filesIn(join(root, STORE_FOLDER, "backups"), /\.db$/)].sort(
    (a, b) => (a.at < b.at ? 1 : -1),
  );

/** Makes the backup of the day if there is none yet. The notice says why it could not. */
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

/** A copy that is kept until you remove it; its path. */
export async function saveBackup({ store, root, now }: Context, env: Environment): Promise<string> {
  const file = join(backupsFolder(root, env), `saved-${backupName(now())}`);
  await store.backUp(file);
  return file;
}

interface Restoring {
  readonly options: SqliteOptions;
  readonly root: string;
  readonly env: Environment;
  readonly file: string;
  readonly intent: Intent;
}

export async function restoreBackup({ options, root, env, file, intent }: Restoring): Promise<Result<Restored>> {
  const { restoreStore } = await import("../../store/restore.js");
  const folder = dirname(options.path);
  const isFresh = !existsSync(folder);
  const inGit = findRepository(root) !== undefined;
  const noted = inGit ? await readLogHead(root) : null;
  const checkSignature = signatureCheck(env, root);
  const restored = await restoreStore(options, {
    file,
    aside: join(folder, "replaced", stampOf(intent.at)),
    known: noted?.op ?? 0,
    intent,
    verify: { ...(checkSignature && { checkSignature }) },
  });
  if (restored.ok && isFresh) await setUpFolder(root, folder);
  if (restored.ok && inGit) await resetLogHead(root, restored.value.head, intent.at);
  return restored;
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
  const [newest] = listBackups(root, env);
  const known = newest
    ? ` The newest backup is of ${newest.at.slice(0, 16).replace("T", " ")} UTC.`
    : " There is no backup.";
  const restore = newest ? [step("backup.restore", { file: newest.file })] : [];
  if (failure.reason !== "no-workspace") {
    const next = [...restore, ...(failure.next ?? [])];
    return new StoreFault({ ...failure, message: `${failure.message}${known}`, next }, error);
  }
  const folder = join(root, STORE_FOLDER);
  const message = `A plan with ${noted?.op} operations was kept in ${folder}, but ${existsSync(folder) ? "its file" : "the folder"} is gone.${known} Restore it, or start a new plan.`;
  return new StoreFault({ kind: "refused", reason: "plan-lost", message, next: [...restore, step("init")] }, error);
}
