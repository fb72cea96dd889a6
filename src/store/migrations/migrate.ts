// Forward-only migrations. Each one that changes tables is a numbered file.

import { changeItem, LIVE } from "../../model/item/item.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import type { Database } from "../database.js";
import { readLog } from "../read/log-query.js";
import { CHAINED_FROM, type ChainEnd, NO_OPERATION } from "../rows/log-rows.js";
import { sha256 } from "../sha256.js";
import type { Writer } from "../store.js";
import { buildLookups } from "../write/lookups.js";
import { rederive } from "../write/rederive.js";
import workGraph from "./1-work-graph.sql";
import planning from "./2-planning.sql";
import chain from "./4-chain.sql";
import awaitedPlan from "./7-awaited-plan.sql";
import seals from "./8-seals.sql";
import words from "./9-words.sql";
import statements from "./10-statements.sql";
import reads from "./11-reads.sql";
import { moveOpenBugs } from "./move-open-bugs.js";
import { commitUpgrade, type OldOwner, sealOldApprovals } from "./seal-old-approvals.js";

export interface Migration {
  readonly sql: string;
  /** A program that does not know this migration must not touch the store. */
  readonly breaking: boolean;
  /** Derived columns are computed differently from here on. */
  readonly rederives?: true;
  /** Operations are chained from here on. */
  readonly chains?: true;
  /** Tokens of claims are stored as hashes from here on. */
  readonly hashesTokens?: true;
  /** Approvals are signed, one by one, by people whom the plan knows, from here on. */
  readonly seals?: true;
  /** Nodes are found by their text and their files from here on. */
  readonly looksUp?: true;
  /** A bug is a feature of its own from here on. */
  readonly movesBugs?: true;
}

export const MIGRATIONS: readonly Migration[] = [
  // Its checks compare a text with one after the other: of a list of more than two, `in` builds a table again in every statement, a third
  // of what it takes to insert rows.
  { sql: workGraph, breaking: true },
  { sql: planning, breaking: true },
  // A mission no longer waits for its inbox, nor for the feature for bugs before there is one.
  { sql: "", breaking: true, rederives: true },
  { sql: chain, breaking: true, chains: true },
  // A container whose change nobody approved holds everything in it back.
  { sql: "", breaking: true, rederives: true },
  { sql: "", breaking: true, hashesTokens: true },
  { sql: awaitedPlan, breaking: true },
  { sql: seals, breaking: true, seals: true },
  // Questions and lessons are called by the words that people know.
  { sql: words, breaking: true },
  // An approval is part of one signed statement for its whole operation. A changed mission holds nothing back any more.
  { sql: statements, breaking: true, rederives: true },
  // Breaking, because a program that does not keep the lookups would leave nodes out of them.
  { sql: reads, breaking: true, looksUp: true },
  // Breaking, because earlier programs count an initiative for bugs as open before there is one.
  { sql: "", breaking: true, movesBugs: true },
];

const META = "create table meta (name text primary key, value integer not null)";

/**
 * Inside one transaction of the caller. `owner` is who upgrades; without one, earlier approvals stay as they are. The result is how
 * many approvals wait for a person from now on.
 */
export async function migrate(db: Database, from: number, migrations = MIGRATIONS, owner?: OldOwner): Promise<number> {
  if (from === 0) await db.run(META);
  for (const [index, migration] of migrations.entries()) {
    if (index < from) continue;
    for (const statement of statementsIn(migration.sql)) await db.run(statement);
    if (migration.looksUp) await db.run(db.sql.lookup.create);
    await set(db, "schema", index + 1);
    if (migration.breaking) await set(db, "breaking", index + 1);
  }
  // Last, because it reads rows of the newest schema.
  const pending = from > 0 ? migrations.slice(from) : [];
  if (pending.some(({ rederives }) => rederives)) await rederive(db);
  if (pending.some(({ looksUp }) => looksUp)) await buildLookups(db);
  if (pending.some(({ chains }) => chains)) await chainLog(db);
  if (pending.some(({ hashesTokens }) => hashesTokens)) await hashTokens(db);
  const waiting = owner && pending.some((migration) => migration.seals) ? await sealOldApprovals(db, owner) : 0;
  if (pending.some(({ movesBugs }) => movesBugs)) await moveOpenBugs(db);
  return waiting;
}

const set = (db: Database, name: string, value: number): void | Promise<void> =>
  db.run(
    "insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
    name,
    value,
  );

const statementsIn = (sql: string): string[] =>
  sql
    .split(/;\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Inside one transaction of the caller. */
export async function hashTokens(db: Database): Promise<void> {
  await commitUpgrade(db, undefined, async (writer) => ({
    sentence: "replaced the tokens of claims by their hashes",
    changes: [...(await claims(writer)), ...(await attempts(writer))],
  }));
}

async function claims(writer: Writer): Promise<Change[]> {
  const claimed = await writer.claimed({ limit: Number.MAX_SAFE_INTEGER });
  return claimed.flatMap((node) =>
    node.claim ? changeNode(node, { claim: { ...node.claim, token: sha256(node.claim.token) } }) : [],
  );
}

/** An attempt names the claim that it holds by the same value. */
async function attempts(writer: Writer): Promise<Change[]> {
  const live = await writer.items("attempt", { state: LIVE });
  return live.flatMap((item) => changeItem(item, { token: sha256(item.fields.token) }));
}

/** Inside one transaction of the caller. */
export async function chainLog(db: Database): Promise<void> {
  let end: ChainEnd = NO_OPERATION;
  for await (const { operation, hash } of readLog(db)) {
    const op = operation["op"] as number;
    const link = await hash(end);
    await db.run("update operation set link = ? where op = ?", link, op);
    end = { op, link, signature: null };
  }
  await db.run("insert into meta (name, value) values (?, ?)", CHAINED_FROM, end.op + 1);
}
