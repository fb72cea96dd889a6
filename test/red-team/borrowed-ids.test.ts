// Threat: an agent gives its task an id that looks like the key of something else, so that your words about that thing are about its task.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { VerbInputs } from "../../src/model/next-step.js";
import { connect } from "../../src/store/dialects/sqlite/driver.js";
import { App } from "../../src/verbs/app.js";
import { must, mustFail } from "../plan.js";
import { SECRET } from "../secret.js";

let around: string;

beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), "planwright-ids-"));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  mkdirSync(join(around, "project"));
});

async function open(): Promise<App> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(around, "home"), USER: "ada", PLANWRIGHT_SECRET: SECRET };
  const app = new App({ folder: join(around, "project"), env });
  onTestFinished(() => app.close());
  must(await app.call("init", {}));
  return app;
}

const TAKEN = ["RUN-001", "run-1", "ATT-00002", "ESC-001", "CON-001", "DEC-7", "BUN-00001", "CALL-00001", "12"];

describe("a new node", () => {
  it.each(TAKEN)("cannot be called %s", async (id) => {
    const app = await open();
    const refused = mustFail(await app.call("add", { title: "Evil", id, parent: "BUGS", checks: ["touch evil"] }));
    expect(refused).toMatchObject({ kind: "usage", message: expect.stringContaining("the key of an item") });
  });
});

describe("in a plan that has a node with the key of an item already", () => {
  async function both(): Promise<{ app: App; uuid: string }> {
    const app = await open();
    must(await app.call("add", { title: "Evil", id: "EVIL", parent: "BUGS", checks: ["touch evil"] }));
    must(await app.call("record.add", { kind: "constraint", title: "No evil" }));
    const { uuid } = must(await app.call("show", { reference: "EVIL" })) as { uuid: string };
    const database = connect(join(around, "project/.planwright/plan.db"), "auto");
    database.exec("update node set id = 'CON-001' where id = 'EVIL'");
    database.close();
    return { app, uuid };
  }

  it.each<[keyof VerbInputs, object]>([
    ["approve", { references: ["CON-001"], yes: true }],
    ["record.approve", { ids: ["CON-001"] }],
    ["show", { reference: "CON-001" }],
    ["why", { reference: "CON-001" }],
    ["drop", { references: ["CON-001"], reason: "old" }],
  ])("%s chooses neither, and lists both", async (operation, input) => {
    const { app, uuid } = await both();
    const refused = mustFail(await app.call(operation, input));
    expect(refused).toMatchObject({ kind: "ambiguous" });
    expect(refused.message).toContain(`${uuid}  the node "Evil"`);
    expect(refused.message).toContain("CON-0001  the record");
  });

  it("each is found by what was listed", async () => {
    const { app, uuid } = await both();
    expect(must(await app.call("show", { reference: uuid }))).toMatchObject({ title: "Evil" });
    expect(must(await app.call("show", { reference: "CON-0001" }))).toMatchObject({ title: "No evil" });
    must(await app.call("record.approve", { ids: ["CON-0001"], yes: true }));
    expect(must(await app.call("show", { reference: uuid }))).toMatchObject({ approval: null });
  });
});
