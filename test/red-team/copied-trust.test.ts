// Threat: a program that can write to the plan's file uses what you signed for one plan in another one of yours: a person whom you let
// in there, or what you approved there.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/store/dialects/sqlite/driver.js";
import { signerFrom } from "../../src/store/signer.js";
import { App } from "../../src/verbs/app.js";
import { must, mustFail } from "../plan.js";
import { SECRET } from "../secret.js";

const EVES = "e7e5ec2e7".padEnd(64, "0");
const eve = signerFrom(EVES);

let around: string;

beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), "planwright-copied-"));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
});

const folderOf = (name: string): string => join(around, name);
const fileOf = (name: string): string => join(folderOf(name), ".planwright/plan.db");

function open(name: string, secret = SECRET): App {
  mkdirSync(folderOf(name), { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(around, "home"), USER: "ada", PLANWRIGHT_SECRET: secret };
  const app = new App({ folder: folderOf(name), env });
  onTestFinished(() => app.close());
  return app;
}

async function plan(name: string): Promise<App> {
  const app = open(name);
  must(await app.call("init", {}));
  must(await app.call("add", { title: "T-1", id: "T-1", parent: "BUGS", checks: ["true"] }));
  must(await app.call("approve", { references: ["T-1"], yes: true }));
  return app;
}

/** Rows of the file of one plan, written into that of the other, whatever stood there. */
function copyRows(from: string, to: string, table: string, where: string): void {
  const database = connect(fileOf(to), "auto");
  database.exec("pragma foreign_keys = off");
  database.exec(`attach database '${fileOf(from)}' as other`);
  database.exec(`insert or replace into ${table} select * from other.${table} where ${where}`);
  database.exec("detach database other");
  database.close();
}

it("a person whom you let into one plan is nobody in another one, whatever rows are copied there", async () => {
  must(await (await plan("theirs")).call("people.add", { key: eve.key, name: "eve" }));
  await plan("yours");
  must(await open("theirs", EVES).call("unapprove", { references: ["T-1"] }));
  copyRows("theirs", "yours", "item", "entity = 'person'");
  copyRows("theirs", "yours", "operation", "op in (select op from other.change where entity = 'person' and op > 1)");
  copyRows("theirs", "yours", "change", "entity = 'person' and op > 1");
  const failure = mustFail(await open("yours", EVES).call("unapprove", { references: ["T-1"] }));
  expect(failure.reason).toBe("needs-person");
  expect((await open("yours").call("next", {})).ok).toBe(true);
});

it("what you approved in one plan never runs where that plan is put in the place of another", async () => {
  await plan("theirs");
  await plan("yours");
  const database = connect(fileOf("theirs"), "auto");
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
  rmSync(join(folderOf("yours"), ".planwright"), { recursive: true });
  cpSync(join(folderOf("theirs"), ".planwright"), join(folderOf("yours"), ".planwright"), { recursive: true });
  expect((await open("yours").call("next", {})).ok).toBe(false);
  const failure = mustFail(await open("yours").call("approve", { references: ["T-1"], yes: true }));
  expect(failure.message).toContain("is not the one that this machine has seen there");
});
