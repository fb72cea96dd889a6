// Threat: a program that can write to the plan's file brings back what you took back: an approval, or a person whom you removed.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/store/dialects/sqlite/driver.js";
import { openSqlite } from "../../src/store/dialects/sqlite/sqlite.js";
import { CHAIN_END, changeNr, LinkHash, toChainEnd } from "../../src/store/rows/log-rows.js";
import { operationText, signerFrom } from "../../src/store/signer.js";
import { App } from "../../src/verbs/app.js";
import { makePlanOfSchema9 } from "../old-plan.js";
import { must, mustFail } from "../plan.js";
import { SECRET } from "../secret.js";

const EVES = "e7e5ec2e7".padEnd(64, "0");
const eve = signerFrom(EVES);

let around: string;
let path: string;

beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), "planwright-revoked-"));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  mkdirSync(join(around, "project"));
  path = join(around, "project/.planwright/plan.db");
});

function open(secret = SECRET): App {
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(around, "home"), USER: "ada", PLANWRIGHT_SECRET: secret };
  const app = new App({ folder: join(around, "project"), env });
  onTestFinished(() => app.close());
  return app;
}

/** T-1 is approved by you, T-2 by Eve, whom you added. */
async function fill(): Promise<App> {
  const app = open();
  must(await app.call("init", {}));
  for (const id of ["T-1", "T-2"]) must(await app.call("add", { title: id, id, parent: "BUGS", checks: ["true"] }));
  must(await app.call("people.add", { key: eve.key, name: "eve" }));
  must(await app.call("approve", { references: ["T-1"], yes: true }));
  must(await open(EVES).call("approve", { references: ["T-2"], yes: true }));
  return app;
}

type Rows = Record<string, string | number | null>[];

function query(sql: string): Rows {
  const database = connect(path, "auto");
  const rows = database.prepare(sql).all();
  database.close();
  return rows as Rows;
}

function tamper(sql: string): void {
  const database = connect(path, "auto");
  database.exec(sql);
  database.close();
}

const text = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? "null" : `'${String(value).replaceAll("'", "''")}'`;

const COLUMNS = ["approved_by", "approved_at", "approved_hash", "approved_seal", "hash", "ready"] as const;

/** Writes the row of a task as it was. */
function remember(id: string): () => void {
  const [row = {}] = query(`select ${COLUMNS.join(", ")} from node where id = '${id}'`);
  const values = COLUMNS.map((column) => `${column} = ${text(row[column])}`);
  return () => tamper(`update node set ${values.join(", ")} where id = '${id}'`);
}

/** An operation at the end of the log, as this program would write it. */
async function append(
  verb: string,
  [entity, key, before, after]: readonly [string, string, string, string],
  sign: (link: string) => string | null,
  more: { readonly undoes?: number } = {},
): Promise<number> {
  const db = await openSqlite({ path, durability: "normal", engine: "auto" });
  const end = toChainEnd(await db.get(CHAIN_END));
  const op = end.op + 1;
  const row = {
    op,
    at: end.at,
    actor: "human:ada",
    verb,
    sentence: "s",
    git_commit: null,
    undoes: more.undoes ?? null,
  };
  const hash = new LinkHash(end, row);
  hash.add(entity, key, before, after);
  const link = hash.end();
  await db.run(
    "insert into operation (op, at, actor, verb, sentence, undoes, link, signature) values (?, ?, ?, ?, ?, ?, ?, ?)",
    op,
    row.at,
    row.actor,
    verb,
    row.sentence,
    row.undoes,
    link,
    sign(link),
  );
  await db.run(
    "insert into change (nr, op, entity, key, before, after) values (?, ?, ?, ?, ?, ?)",
    changeNr(op, 0),
    op,
    entity,
    key,
    before,
    after,
  );
  await db.close();
  return op;
}

const reasonOf = async (call: (app: App) => Promise<{ ok: boolean; error?: { reason: string } }>): Promise<string> =>
  (await call(open())).error?.reason ?? "done";

const claim = (reference: string): Promise<string> => reasonOf((app) => app.call("next", { reference }));

describe("an approval that you took back", () => {
  it("does not count again because its row was written again: show and verify say so, too", async () => {
    const app = await fill();
    const writeAgain = remember("T-1");
    must(await app.call("unapprove", { references: ["T-1"] }));
    writeAgain();
    expect(await claim("T-1")).toBe("rewritten");
    expect(must(await open().call("show", { reference: "T-1" }))).toMatchObject({ approvalSignature: "wrong" });
    expect(mustFail(await open().call("verify", {})).reason).toBe("problems");
  });

  it("does not count again for an older content that you approved and approved again since", async () => {
    const app = await fill();
    const writeAgain = remember("T-1");
    must(await app.call("edit", { reference: "T-1", title: "Other" }));
    must(await app.call("approve", { references: ["T-1"], yes: true }));
    must(await app.call("edit", { reference: "T-1", title: "T-1" }));
    writeAgain();
    expect(await claim("T-1")).toBe("rewritten");
  });

  it("comes back by your own undo, which you sign", async () => {
    const app = await fill();
    const { op } = must(await app.call("unapprove", { references: ["T-1"] })) as { op: number };
    must(await app.call("undo", { operation: String(op) }));
    expect(query(`select signature from operation where undoes = ${op}`)).toEqual([{ signature: expect.any(String) }]);
    expect(await claim("T-1")).toBe("done");
    must(await open().call("verify", {}));
  });

  it("does not come back by an undo that something wrote into the log, links and all", async () => {
    const app = await fill();
    const writeAgain = remember("T-1");
    const { op } = must(await app.call("unapprove", { references: ["T-1"] })) as { op: number };
    const [change] = query(`select key, before from change where op = ${op}`) as [Rows[number]];
    const forged = await append(
      "undo",
      ["node", String(change["key"]), '{"approval":null}', String(change["before"])],
      () => null,
      { undoes: op },
    );
    writeAgain();
    expect(await claim("T-1")).toBe("rewritten");
    expect(mustFail(await open().call("verify", {})).message).toContain(
      `Operation ${forged}: approved without a signature`,
    );
  });

  it("does not come back by your own statement, written into the log once more as an operation of its own", async () => {
    const app = await fill();
    const [row = {}] = query("select approved_seal from node where id = 'T-1'");
    const seal = String(row["approved_seal"]);
    const made = Number(/:(\d+)/.exec(seal)?.[1]);
    const [said = {}] = query(`select at, actor, verb, statement from operation where op = ${made}`);
    const writeAgain = remember("T-1");
    const { op } = must(await app.call("unapprove", { references: ["T-1"] })) as { op: number };
    const [change = {}] = query(`select key, before from change where op = ${op}`);
    const again = seal.replace(`:${made}`, `:${op + 1}`);
    const image = String(change["before"]).replace(seal, again);
    expect(await append("approve", ["node", String(change["key"]), '{"approval":null}', image], () => null)).toBe(
      op + 1,
    );
    writeAgain();
    tamper(`update node set approved_seal = '${again}' where id = 'T-1'`);
    tamper(
      `update operation set at = ${said["at"]}, actor = ${text(said["actor"])}, statement = ${text(said["statement"])} where op = ${op + 1}`,
    );
    expect(await claim("T-1")).toBe("rewritten");
  });

  it("does not come back so either where it was signed by itself, as up to schema 9", async () => {
    rmSync(join(around, "project"), { recursive: true });
    await makePlanOfSchema9(join(around, "project"), ["T-1", "T-2"]);
    must(await open().call("upgrade", {}));
    const app = open();
    must(await app.call("unapprove", { references: ["T-2"] }));
    must(await app.call("approve", { references: ["T-2"], yes: true }));
    const writeAgain = remember("T-1");
    const { op } = must(await app.call("unapprove", { references: ["T-1"] })) as { op: number };
    writeAgain();
    expect(await claim("T-1")).toBe("rewritten");
    const [change] = query(`select key, before from change where op = ${op}`) as [Rows[number]];
    const image = ['{"approval":null}', String(change["before"])] as const;
    const forged = await append("undo", ["node", String(change["key"]), ...image], () => null, { undoes: op });
    expect(mustFail(await open().call("verify", {})).message).toContain(
      `Operation ${forged}: approved without a signature`,
    );
  });
});

describe("a person whom you removed", () => {
  const FIELDS = `select fields from item where entity = 'person' and key = '${eve.id}'`;

  const writeRow = (fields: Rows[number][string] | undefined): void =>
    tamper(`update item set state = 'known', fields = ${text(fields)} where entity = 'person' and key = '${eve.id}'`);

  it("is not known again because their row was written again", async () => {
    const app = await fill();
    const [before] = query(FIELDS);
    const writeTask = remember("T-2");
    must(await app.call("people.remove", { key: eve.id }));
    writeRow(before?.["fields"]);
    writeTask();
    expect(await claim("T-2")).toBe("approval-unknown");
    expect(mustFail(await open(EVES).call("approve", { references: ["T-1"], yes: true })).reason).toBe("needs-person");
    expect(must(await open().call("people.list", {})).people.map(({ name }) => name)).toEqual(["human:ada"]);
    expect(mustFail(await open().call("verify", {})).reason).toBe("problems");
  });

  it.each<[string, (op: number) => object, (link: string) => string | null]>([
    [
      "with their own signature",
      (op) => ({ by: eve.id, op, seal: eve.sign(`planwright person state\n${eve.id}\nknown\n${op}`) }),
      (link) => eve.sign(operationText(link)),
    ],
    [
      "with your name and their signature",
      (op) => ({ by: signerFrom(SECRET).id, op, seal: eve.sign(`planwright person state\n${eve.id}\nknown\n${op}`) }),
      () => null,
    ],
  ])("does not let themselves in again in the log %s", async (_, lastChange, sign) => {
    const app = await fill();
    const writeTask = remember("T-2");
    const { op } = must(await app.call("people.remove", { key: eve.id })) as { op: number };
    const [removed] = query(FIELDS);
    const image = { state: "known", lastChange: lastChange(op + 1) };
    const forged = await append("people", ["person", eve.id, '{"state":"removed"}', JSON.stringify(image)], sign);
    writeRow(JSON.stringify({ ...(JSON.parse(String(removed?.["fields"])) as object), ...image }));
    writeTask();
    expect(await claim("T-2")).not.toBe("done");
    expect(mustFail(await open(EVES).call("approve", { references: ["T-1"], yes: true })).reason).toBe("needs-person");
    expect(mustFail(await open().call("verify", {})).message).toContain(
      `operation ${forged}: it changes whom the plan knows, and nobody whom it knew signed it`,
    );
  });

  it("does not come back with what you once signed when you let them in again", async () => {
    const app = await fill();
    must(await app.call("people.remove", { key: eve.id }));
    must(await app.call("people.add", { key: eve.key }));
    const [known] = query(FIELDS);
    const { op } = must(await app.call("people.remove", { key: eve.id })) as { op: number };
    const { state, lastChange } = JSON.parse(String(known?.["fields"])) as { state: string; lastChange: object };
    await append(
      "people",
      ["person", eve.id, '{"state":"removed"}', JSON.stringify({ state, lastChange })],
      () => null,
    );
    writeRow(known?.["fields"]);
    expect(op).toBeGreaterThan(0);
    expect(mustFail(await open(EVES).call("approve", { references: ["T-1"], yes: true })).reason).toBe("needs-person");
  });
});
