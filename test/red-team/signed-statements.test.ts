// Threat: a program that can write to the plan's file passes your signature off for something else that you never approved.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/store/dialects/sqlite/driver.js";
import { signerFrom } from "../../src/store/signer.js";
import { App } from "../../src/verbs/app.js";
import { linkAgain, makePlanOfSchema9 } from "../old-plan.js";
import { must, mustFail } from "../plan.js";
import { SECRET } from "../secret.js";

let folder: string;
let home: string;

beforeEach(() => {
  const around = mkdtempSync(join(tmpdir(), "planwright-statements-"));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  home = join(around, "home");
  folder = join(around, "project");
  mkdirSync(folder);
});

const ENV = { PATH: process.env["PATH"] ?? "", USER: "ada", PLANWRIGHT_SECRET: SECRET };

function open(env: Readonly<Record<string, string>> = {}): App {
  const app = new App({ folder, env: { ...ENV, HOME: home, ...env } });
  onTestFinished(() => app.close());
  return app;
}

/** T-1 and T-2 are approved in one operation, T-3 in another one, T-4 not at all. */
async function fill(): Promise<App> {
  const app = open();
  must(await app.call("init", {}));
  for (const id of ["T-1", "T-2", "T-3", "T-4"])
    must(await app.call("add", { title: id, id, parent: "BUGS", checks: ["true"] }));
  must(await app.call("approve", { references: ["T-1", "T-2"], yes: true }));
  must(await app.call("approve", { references: ["T-3"], yes: true }));
  return app;
}

function tamper(sql: string): void {
  const database = connect(join(folder, ".planwright/plan.db"), "auto");
  database.exec(sql);
  database.close();
}

interface ApprovalRow {
  readonly by: string;
  readonly at: number;
  readonly hash: string;
  readonly seal: string;
}

function approvalOf(id: string): ApprovalRow {
  const database = connect(join(folder, ".planwright/plan.db"), "auto");
  const row = database
    .prepare(
      "select approved_by as 'by', approved_at as at, approved_hash as hash, approved_seal as seal from node where id = ?",
    )
    .get(id);
  database.close();
  return row as ApprovalRow;
}

interface StatementRow {
  readonly op: number;
  readonly statement: string;
}

function statements(): StatementRow[] {
  const database = connect(join(folder, ".planwright/plan.db"), "auto");
  const rows = database.prepare("select op, statement from operation where statement is not null order by op").all();
  database.close();
  return rows as unknown as StatementRow[];
}

const claim = async (id: string): Promise<string> => {
  const taken = await open().call("next", { reference: id });
  return taken.ok ? "claimed" : taken.error.reason;
};

describe("what you sign", () => {
  it("is one statement for everything that you approved at once, with what you were shown", async () => {
    const app = await fill();
    const refused = mustFail(await app.call("approve", { references: ["T-4"] }));
    const { hash } = (refused.details as { preview: { hash: string } }).preview;
    must(await app.call("approve", { references: ["T-4"], seen: hash }));
    const said = statements().map(({ statement }) => JSON.parse(statement.slice(statement.indexOf(" "))) as object);
    expect(said).toHaveLength(3);
    expect(said[0]).toEqual({
      plan: expect.stringMatching(/^[0-9a-f]{64}$/),
      op: 6,
      verb: "approve",
      actor: "human:ada",
      previewHash: null,
      root: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      at: expect.any(Number),
      expires: expect.any(Number),
    });
    expect(said[2]).toMatchObject({ previewHash: hash });
    for (const id of ["T-1", "T-2", "T-3", "T-4"])
      expect(must(await app.call("show", { reference: id }))).toMatchObject({ approvalSignature: "valid" });
    expect([await claim("T-1"), await claim("T-2")]).toEqual(["claimed", "claimed"]);
    must(await app.call("verify", {}));
  });
});

describe("a signature of yours that was written into the file in another place", () => {
  it("does not approve another task, by whatever way up the tree", async () => {
    await fill();
    const { by, at, seal } = approvalOf("T-1");
    const other = approvalOf("T-2").seal;
    for (const each of [seal, other, seal.split("/")[0] ?? ""]) {
      tamper(
        `update node set approved_by = '${by}', approved_at = ${at}, approved_hash = '${await contentOf("T-4")}', hash = '${await contentOf("T-4")}', approved_seal = '${each}', ready = 5 where id = 'T-4'`,
      );
      expect(await claim("T-4")).toBe("rewritten");
    }
  });

  it("does not approve other content of the same task", async () => {
    const app = await fill();
    must(await app.as("agent:bot").call("edit", { reference: "T-1", checks: ["rm -rf ."] }));
    const hash = await contentOf("T-1");
    tamper(`update node set approved_hash = '${hash}', hash = '${hash}', ready = 5 where id = 'T-1'`);
    expect(await claim("T-1")).toBe("rewritten");
    expect(mustFail(await app.call("verify", {})).reason).toBe("problems");
  });

  it.each([
    ["name", "approved_by = 'human:eve'"],
    ["time", "approved_at = approved_at - 1"],
    ["operation", "approved_seal = replace(approved_seal, ':6', ':7')"],
    ["key", "approved_seal = 'aaaaaaaaaaaaaaaa' || substr(approved_seal, 17)"],
  ])("does not count under another %s", async (what, change) => {
    await fill();
    expect(approvalOf("T-1").seal).toMatch(/^[0-9a-f]{16}:6\//);
    tamper(`update node set ${change} where id = 'T-1'`);
    expect(await claim("T-1")).toBe(what === "key" ? "approval-unknown" : "rewritten");
  });
});

/** What the content of a task hashes to now. */
async function contentOf(id: string): Promise<string> {
  const { hashOf } = await import("../../src/plan/node/approve.js");
  const { store } = await open().open();
  return store.read(async (reader) => {
    const node = await reader.byId(id);
    return node ? hashOf(reader, node) : "";
  });
}

describe("a statement", () => {
  it.each([
    ["another plan", (said: object) => ({ ...said, plan: "0".repeat(64) })],
    ["another verb", (said: object) => ({ ...said, verb: "promote" })],
    ["another person", (said: object) => ({ ...said, actor: "human:eve" })],
    ["another preview", (said: object) => ({ ...said, previewHash: "0".repeat(64) })],
  ])("was changed: nothing that it approves is claimed if it now says %s", async (_, change) => {
    const app = await fill();
    const [first] = statements() as [StatementRow];
    const [signature = "", said = ""] = splitAt(first.statement);
    const changed = JSON.stringify(change(JSON.parse(said) as object));
    tamper(`update operation set statement = '${signature} ${changed}' where op = ${first.op}`);
    expect([await claim("T-1"), await claim("T-2"), await claim("T-3")]).toEqual(["rewritten", "rewritten", "claimed"]);
    expect(mustFail(await app.call("verify", {})).message).toContain(`The first broken link is operation ${first.op}`);
  });

  it("counts once, in the plan and the operation that it was made for, however well it is signed", async () => {
    const app = await fill();
    const signer = signerFrom(SECRET);
    const [first] = statements() as [StatementRow];
    const said = JSON.parse(splitAt(first.statement)[1] ?? "") as { at: number };
    const signed = (changes: object): string => {
      const text = JSON.stringify({ ...said, ...changes });
      return `${signer.sign(`planwright statement ${text}`)} ${text}`;
    };
    for (const changes of [
      { plan: "0".repeat(64) },
      { op: first.op + 1 },
      { verb: "promote" },
      { expires: said.at - 1 },
    ]) {
      tamper(`update operation set statement = '${signed(changes)}' where op = ${first.op}`);
      expect(await claim("T-1")).toBe("rewritten");
    }
    tamper(`update operation set statement = '${signed({})}' where op = ${first.op}`);
    expect(await claim("T-1")).toBe("claimed");
    const [, second] = statements() as [StatementRow, StatementRow];
    tamper(`update operation set statement = '${first.statement}' where op = ${second.op}`);
    await linkAgain(join(folder, ".planwright/plan.db"), (op, link) =>
      [first.op, second.op].includes(op) ? signer.sign(`planwright operation ${link}`) : null,
    );
    expect(mustFail(await app.call("verify", {})).message).toContain(`Operation ${second.op}: the signature is false`);
  });

  it("that was taken out of the log takes its approvals along", async () => {
    await fill();
    const [first] = statements() as [StatementRow];
    tamper(`update operation set statement = null where op = ${first.op}`);
    expect([await claim("T-1"), await claim("T-3")]).toEqual(["rewritten", "claimed"]);
  });
});

const splitAt = (statement: string): string[] => {
  const end = statement.indexOf(" ");
  return [statement.slice(0, end), statement.slice(end + 1)];
};

describe("a plan of schema 9, where each approval was signed by itself", () => {
  it("keeps every approval when it is upgraded, and is confirmed by nobody again", async () => {
    folder = await makePlanOfSchema9(`${folder}-9`, ["T-1", "T-2"]);
    const app = open();
    expect(must(await app.call("upgrade", {}))).toMatchObject({ from: 9 });
    expect(await claim("T-1")).toBe("claimed");
    const you = open();
    must(await you.call("verify", {}));
    expect(must(await you.call("people.confirm", { yes: true })).approved).toEqual([]);
    must(await you.call("unapprove", { references: ["T-2"] }));
    must(await you.call("approve", { references: ["T-2"], yes: true }));
    expect(approvalOf("T-2").seal).toMatch(/^[0-9a-f]{16}:\d+$/);
    must(await you.call("verify", {}));
  });
});
