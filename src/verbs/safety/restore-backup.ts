// Puts a backup in the place of the plan, after a yes. What was there is kept, and restoring that is the way back.

import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import type { PersonProof } from "../../config/actor.js";
import { forgetNotedPlan, notedHere, readNotedPlan } from "../../config/person.js";
import { STORE_FILE, STORE_FOLDER } from "../../config/workspace.js";
import { findDaemon } from "../../engine/tick/background.js";
import { bringRefsBack, setRefsAside } from "../../machine/git/housekeeping/former-refs.js";
import { readLogHead, resetLogHead } from "../../machine/git/housekeeping/log-head.js";
import { findRepository } from "../../machine/git/repository.js";
import type { Environment } from "../../machine/process/environment.js";
import { isoTime } from "../../model/iso-time.js";
import { setUpFolder } from "../../plan/repository/main-branch.js";
import { identityIn } from "../../store/dialects/sqlite/plan-identity.js";
import type { SqliteOptions } from "../../store/dialects/sqlite/sqlite.js";
import type { TakenOut } from "../../store/dialects/sqlite/taken-out.js";
import { StoreFault } from "../../store/fault.js";
import { knowsSomebodyOf, type Restored } from "../../store/open/restore.js";
import { endRestore, readRestoreNote } from "../../store/open/side-files.js";
import type { Intent, Store } from "../../store/store.js";
import { mayBeFirst, oldOwner, oldSignatureCheck, secretsOf, whyNotFirst } from "../consent/person.js";
import { type Folder, fail, minute, ok, plural, type Result, refused, step } from "../kit/verb.js";
import { listBackups, planOf, replacedFolder } from "./backups.js";

/** What the person was asked about, if anything is taken out of the plan; a refusal unless they said yes. */
export async function confirmRestore(folder: Folder, file: string): Promise<Result<TakenOut | null>> {
  const taken = await folder.takenOutBy(file);
  const other = (await folder.isOtherPlan(file)) ? `${basename(file)} is a backup of another plan. ` : "";
  if (taken === null)
    return other === ""
      ? ok(null)
      : confirmed(folder, file, `${other}Nothing of the plan that was kept here is in it.`, null);
  const what = `${other}Restoring ${basename(file)} takes ${plural(taken.operations, "operation")} out of the plan, since ${minute(isoTime(taken.since))}. The latest is: ${taken.latest}. The plan of now is kept, and can be restored again.`;
  return confirmed(folder, file, what, taken);
}

async function confirmed(
  folder: Folder,
  file: string,
  what: string,
  taken: TakenOut | null,
): Promise<Result<TakenOut | null>> {
  if (folder.confirm === undefined) {
    const next = [step("backup.restore", { file, yes: true }), step(taken === null ? "backup.list" : "log")];
    return refused("needs-yes", `${what} That needs confirmation.`, { next, details: { ...taken } });
  }
  return (await folder.confirm(`${what} Restore it?`)) ? ok(taken) : refused("declined", "Nothing was changed.");
}

interface RestoreRequest {
  readonly options: SqliteOptions;
  readonly root: string;
  readonly env: Environment;
  readonly proof: PersonProof;
  readonly file: string;
  readonly end: number | undefined;
  readonly intent: Intent;
}

export async function restoreBackup(asked: RestoreRequest): Promise<Result<Restored>> {
  const { options, root, env, file, end } = asked;
  // One moment for all of it: the folder of the replaced plan is found by the time of the operation.
  const at = asked.intent.now();
  const intent = { ...asked.intent, now: () => at };
  const { restoreStore } = await import("../../store/open/restore.js");
  const folder = dirname(options.path);
  const isFresh = !existsSync(folder);
  const inGit = findRepository(root) !== undefined;
  const noted = inGit ? await readLogHead(root) : null;
  const [before, restored] = [await planOf(root), identityIn(file)?.first ?? null];
  const isOther = before !== null && restored !== null && before !== restored;
  const checkSignature = oldSignatureCheck({ env, root });
  const secrets = secretsOf(asked.proof, { env, root });
  const { first } = notedHere(root, env);
  const known = await knowsSomebodyOf(options.path, secrets, { first });
  if (known === "others") return refused("unknown-secret", NOT_KNOWN, { next: [step("people.list")] });
  // Where nobody is known, the backup says who the first person is, so who restores it must be one who may begin a plan.
  const isFree = known !== "somebody" && first() === undefined;
  if (isFree && !mayBeFirst({ env, root }, secrets, known === null)) {
    const message = `You cannot put another plan here: ${whyNotFirst({ env, root })}. Nothing was changed.`;
    return refused("unknown-secret", message, { next: [step("people.list")] });
  }
  if (restored !== readNotedPlan(root, env)) forgetNotedPlan(root, env);
  return restoreStore(options, {
    file,
    aside: replacedFolder(folder, at),
    known: isOther ? null : (noted?.op ?? 0),
    end,
    sentence: await sentenceOf(asked),
    intent,
    owner: oldOwner({ env, root }),
    people: { first },
    verify: { ...(checkSignature && { checkSignature }) },
    announce: async (head) => {
      if (isFresh) await setUpFolder(root, folder);
      if (!inGit) return;
      if (isOther) await setRefsAside(root, before);
      if (restored !== null) await bringRefsBack(root, restored);
      await resetLogHead(root, head, at);
    },
  }).catch((error: unknown) => failureInUse(error, root));
}

const NOT_KNOWN = "This plan does not know your secret, so you cannot replace it. Nothing was changed.";

async function sentenceOf({ root, env, file }: RestoreRequest): Promise<string> {
  const found = statSync(file, { throwIfNoEntry: false });
  const replaced = found && (await listBackups(root, env)).find((each) => each.replaced && each.file === file);
  return replaced
    ? `put back the plan that was replaced on ${minute(replaced.at)}`
    : `restored the plan from ${basename(file)}`;
}

/** A daemon is the usual reason. */
function failureInUse(error: unknown, root: string): Result<never> {
  if (!(error instanceof StoreFault) || error.failure.reason !== "in-use") throw error;
  return fail({ ...error.failure, ...(findDaemon(root) && { next: [step("daemon.stop")] }) });
}

/** After a restore that was killed: the plan that is there is whole, and git may know the end of the other one. */
export async function goOnRestoring(store: Store, path: string, root: string): Promise<void> {
  const head = readRestoreNote(path);
  const isThere = head !== null && (await linkAt(store, head.op)) === head.link;
  if (isThere) {
    await setUpFolder(root, dirname(path));
    const noted = findRepository(root) ? await readLogHead(root) : null;
    if (noted && (await linkAt(store, noted.op)) !== noted.link) {
      const end = await store.read((reader) => reader.end());
      await resetLogHead(root, end ?? null, Date.now());
    }
  }
  endRestore(path);
}

const linkAt = (store: Store, op: number) => store.read(async (reader) => (await reader.link(op))?.link);

/** An undo that met a restored backup, with the command that is the way back. Every other answer stays as it is. */
export function withWayBack<T>(root: string, undone: Result<T>): Result<T> {
  if (undone.ok || undone.error.reason !== "file-restored") return undone;
  const at = Number(undone.error.details?.["at"]);
  const file = join(replacedFolder(join(root, STORE_FOLDER), at), STORE_FILE);
  if (existsSync(file)) {
    const message = `${undone.error.message} To go back, restore the plan that it replaced.`;
    return fail({ ...undone.error, message, next: [step("backup.restore", { file }), step("backup.list")] });
  }
  const message = `${undone.error.message} The plan that it replaced is gone, or there was none.`;
  return fail({ ...undone.error, message, next: [step("backup.list")] });
}
