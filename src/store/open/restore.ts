// Puts a backup in the place of the plan. The backup is checked first, in a copy; what was there is kept aside. Killed at any
// point, the plan is the old one or the new one, whole.

import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { ok, type Result, refused } from "../../model/result.js";
import type { Database } from "../database.js";
import { closeBeside, openBeside } from "../dialects/sqlite/plan-beside.js";
import { copyWhole, endsWith, leaveOneFile, lockOld, removeParts, setAside } from "../dialects/sqlite/replace-file.js";
import type { SqliteOptions } from "../dialects/sqlite/sqlite.js";
import { damaged, StoreFault } from "../fault.js";
import type { PlanEnd } from "../log-witness.js";
import { MIGRATIONS, migrate } from "../migrations/migrate.js";
import { judgeSchema, readSchema } from "../migrations/schema.js";
import { type OldOwner, whoSigned } from "../migrations/seal-old-approvals.js";
import { People } from "../people/people.js";
import { CHAIN_END, readChainedFrom, toChainEnd } from "../rows/log-rows.js";
import { textOf } from "../rows/values.js";
import { idOfSecret } from "../signer.js";
import type { Intent, PeopleOptions, Writer } from "../store.js";
import type { VerifyOptions } from "../verification.js";
import { verifyStore } from "../verify/verify.js";
import { commitInside } from "../write/commit.js";
import { identify, openDatabase, throwIf } from "./open.js";
import { copyFile, endRestore, noteRestore, readEnd, resetEnd } from "./side-files.js";

export interface RestoreRequest {
  /** The backup. It may be the plan's own file, to go on with what is left of it. */
  readonly file: string;
  /** A folder for what was there; made if there is something to keep. */
  readonly aside: string;
  /** The last operation that is known elsewhere to have happened; null if what is known is about another plan. */
  readonly known: number | null;
  /** The last operation of the plan that the person was asked about. If there are more by now, nothing is restored. */
  readonly end?: number | undefined;
  /** What the log says was done; what is missing is added to it. */
  readonly sentence: string;
  readonly intent: Intent;
  /** Who restores it, for a backup of an older program. */
  readonly owner?: OldOwner | undefined;
  /** Checks who approved, and that who restores it is known to the backup. */
  readonly people?: PeopleOptions | undefined;
  readonly verify: VerifyOptions;
  /** Tells others that know the end of the plan. If the program is killed before, the next one does it. */
  readonly announce?: (head: PlanEnd) => Promise<void>;
}

export interface Restored {
  readonly operations: number;
  readonly missing: { readonly from: number; readonly to: number } | null;
  /** Where the file is that was there before; null if there was none. */
  readonly kept: string | null;
  readonly head: PlanEnd;
}

/** Much longer than it takes to look which file is there and then to lock it. */
const LOCKED_AFTERWARDS_MS = 50;

export async function restoreStore(options: SqliteOptions, request: RestoreRequest): Promise<Result<Restored>> {
  const { path } = options;
  const copy = copyFile(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const old = lockOld(options);
  try {
    if (old !== null && request.end !== undefined && !endsWith(old, request.end)) {
      const message = "The plan changed after you were asked, so nothing was restored. Try again.";
      return refused("changed-meanwhile", message);
    }
    removeParts(copy);
    copyWhole(request.file, copy, options, old);
    const known = request.known === null ? null : Math.max(request.known, readEnd(path));
    const prepared = await prepareCopy({ ...options, path: copy }, { ...request, known });
    if (!prepared.ok) return prepared;
    const kept = setAside(options, request.aside, old);
    const { head } = prepared.value;
    noteRestore(path, head);
    // Killed before or after the next step, the plan that is there must not seem to end too early.
    resetEnd(path, Math.min(readEnd(path), head.op));
    renameSync(copy, path);
    resetEnd(path, head.op);
    // Who was about to open the old file finds it locked and then sees the new one.
    if (old !== null) await new Promise((wake) => setTimeout(wake, LOCKED_AFTERWARDS_MS));
    await request.announce?.(head);
    endRestore(path);
    return ok({ ...prepared.value, kept });
  } finally {
    removeParts(copy);
    old?.close();
  }
}

async function prepareCopy(
  options: SqliteOptions,
  { file, known, intent, sentence, owner, people, verify }: RestoreRequest,
): Promise<Result<Omit<Restored, "kept">>> {
  const db = await openDatabase(options, "leave");
  try {
    if ((await identify(db, file)) === "blank") throw new StoreFault(damaged(file, "it is empty"));
    await upgradeCopy(db, owner);
    const { log, operations, differences } = await verifyStore(db, verify);
    const wrong = log.broken?.op ?? log.signatures.wrong[0];
    if (wrong !== undefined || differences.length > 0) {
      const what = wrong === undefined ? "its rows differ from its log" : `its log was changed at operation ${wrong}`;
      const message = `${file} cannot be restored: ${what}. The plan was not changed. Use another backup.`;
      return refused("backup-damaged", message, { details: { log, differences } });
    }
    const end = log.head.op;
    const missing = known !== null && known > end ? { from: end + 1, to: known } : null;
    const without = missing ? `, without operations ${missing.from} to ${missing.to}` : "";
    const head = await db.write(async () => {
      const logged = await commitInside(
        db,
        { ...intent, always: true },
        async (writer) => {
          const known = await mayRestore(writer, intent);
          return known.ok ? ok({ sentence: `${sentence}${without}`, changes: [], value: undefined }) : known;
        },
        // A backup from before anybody was known begins with who restores it.
        log.hasPeople ? people : {},
      );
      return { keep: logged.ok, value: logged.ok ? ok(await headOf(db)) : logged };
    });
    if (!head.ok) return head;
    await leaveOneFile(db);
    return ok({ operations, missing, head: head.value });
  } finally {
    await db.close();
  }
}

/** Who is unknown to the backup could do nothing with it. */
async function mayRestore(writer: Writer, { sign }: Intent): Promise<Result<void>> {
  if (!sign || (await writer.people.isEmpty())) return ok(undefined);
  const signer = await sign.signer(async (id) => (await writer.people.find(id)) !== undefined);
  if (signer && (await writer.people.find(signer.id))) return ok(undefined);
  const message = "The backup does not know your secret. Nothing was changed. Restore it with one that it knows.";
  return refused("unknown-secret", message);
}

async function headOf(db: Database): Promise<PlanEnd> {
  const { op, link } = toChainEnd(await db.get(CHAIN_END));
  const first = textOf((await db.get("select link from operation where op = 1"))?.["link"]);
  return { op, link, first, chainedFrom: await readChainedFrom(db) };
}

async function upgradeCopy(db: Database, owner: OldOwner | undefined): Promise<void> {
  const { version } = await readSchema(db);
  if (version < MIGRATIONS.length) {
    await db.write(async () => ({ keep: true, value: await migrate(db, version, MIGRATIONS, owner) }));
  }
  throwIf(judgeSchema(await readSchema(db)));
}

/** Whom a plan that is about to be replaced knows. Null if there is no plan that could be read. */
export async function knowsSomebodyOf(
  path: string,
  secrets: readonly string[],
  options: PeopleOptions,
): Promise<"somebody" | "others" | "nobody" | null> {
  if (!existsSync(path)) return null;
  try {
    const db = await openBeside(path);
    try {
      const people = new People(db, options);
      if (await people.isEmpty()) return "nobody";
      for (const secret of secrets) if (await people.find(idOfSecret(secret))) return "somebody";
      // An older program signed, and knew nobody.
      return typeof (await whoSigned(db, secrets)) === "string" ? "somebody" : "others";
    } finally {
      await closeBeside(db);
    }
  } catch {
    return null;
  }
}
