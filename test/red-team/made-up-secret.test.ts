// Threat: a program that has no secret of yours makes one up, and asks through the board, a coding agent's tools or an upgrade.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { noteFirstPerson } from "../../src/config/person.js";
import { SCHEMA } from "../../src/store/migrations/schema.js";
import { signerFrom } from "../../src/store/signer.js";
import { App, failureOf } from "../../src/verbs/app.js";
import { makeBoard } from "../board.js";
import { makeMcpRig } from "../mcp.js";
import { makeOldPlan } from "../old-plan.js";
import { must, mustFail } from "../plan.js";
import { SECRET } from "../secret.js";

const MADE_UP = "bad5ec2e".padEnd(64, "0");

describe("a board that was started with a made-up secret", () => {
  it("approves nothing, and says why", async () => {
    const rig = await makeBoard({ secret: MADE_UP, actor: null });
    await rig.ask("add", { title: "Evil", parent: "FEAT-001", checks: ["touch evil"] });
    const browser = await rig.signIn();
    expect((await browser.get("/api/session")).json.data.canConfirm).toBe(false);
    const answered = await browser.call("approve", { references: ["FEAT-001"], yes: true });
    expect([answered.status, answered.json.error.reason]).toEqual([403, "needs-person"]);
    expect((await rig.ask("show", { reference: "TASK-00001" })) as object).toMatchObject({ approval: null });
  });
});

describe("a coding agent's server that was started with a made-up secret", () => {
  it("approves nothing, even if its client says that you said yes", async () => {
    const rig = await makeMcpRig();
    await rig.ask("add", { title: "Evil", parent: "FEAT-001", checks: ["touch evil"] });
    await rig.ask("config.set", { key: "mcp.askThrough", value: JSON.stringify(["test-client"]) });
    const client = await rig.connect({
      capabilities: { elicitation: { form: {} } },
      env: { PLANWRIGHT_SECRET: MADE_UP },
    });
    client.client.setRequestHandler("elicitation/create", async () => ({
      action: "accept",
      content: { confirm: true },
    }));
    const answered = await client.call("decide", { action: "approve", references: ["FEAT-001"] });
    expect(answered).toMatchObject({ isError: true });
    expect(answered.text).toContain("does not know your secret");
    expect((await rig.ask("show", { reference: "TASK-00001" })) as object).toMatchObject({ approval: null });
  });
});

describe("a plan of an older version, which knew nobody", () => {
  interface Old {
    readonly folder: string;
    readonly as: (secret: string, more?: Readonly<Record<string, string>>) => App;
    readonly keepSecret: (secret: string) => void;
    /** What an upgrade left beside the plan. */
    readonly backups: () => string[];
  }

  /** T-1 was approved with your secret, T-2 with another one, T-3 with none. */
  async function makeOld(
    tasks: Readonly<Record<string, string | null>> = { "T-1": SECRET, "T-2": "07e4".padEnd(64, "1"), "T-3": null },
  ): Promise<Old> {
    const around = mkdtempSync(join(tmpdir(), "planwright-old-"));
    onTestFinished(() => rmSync(around, { recursive: true, force: true }));
    const folder = await makeOldPlan(join(around, "plan"), tasks);
    const as: Old["as"] = (secret, more = {}) => {
      const env = { PATH: process.env["PATH"] ?? "", USER: "ada", HOME: around, PLANWRIGHT_SECRET: secret, ...more };
      const app = new App({ folder, env });
      onTestFinished(() => app.close());
      return app;
    };
    const keepSecret = (secret: string): void => {
      mkdirSync(join(around, ".config/planwright"), { recursive: true });
      writeFileSync(join(around, ".config/planwright/secret"), `${secret}\n`, { mode: 0o600 });
    };
    const kept = join(folder, ".planwright/backups");
    return { folder, as, keepSecret, backups: () => (existsSync(kept) ? readdirSync(kept) : []) };
  }

  const reasons = async (app: App): Promise<string[]> => {
    const found: string[] = [];
    for (const reference of ["T-1", "T-2", "T-3"])
      found.push((must(await app.call("why", { reference })) as { reason: string }).reason);
    return found;
  };

  it("keeps what you approved when you upgrade it; everything else waits, and is confirmed in one step", async () => {
    const { as } = await makeOld();
    expect(must(await as(SECRET).call("upgrade", {}))).toMatchObject({ to: SCHEMA, unconfirmed: 2 });
    const you = as(SECRET);
    expect(await reasons(you)).toEqual(["claimable", "approval-unknown", "approval-unknown"]);
    must(await you.call("verify", {}));
    expect(must(await you.call("waiting", {})).entries[0]?.sentence).toContain("approved with a secret that this plan");
    expect(must(await you.call("people.confirm", { yes: true })).approved).toEqual(["T-2", "T-3"]);
    expect(await reasons(you)).toEqual(["claimable", "claimable", "claimable"]);
    must(await you.call("verify", {}));
    expect(must(await you.call("people.list", {})).people.map(({ key }) => key)).toEqual([signerFrom(SECRET).key]);
  });

  it("is not upgraded with a made-up secret, and you are not locked out of it", async () => {
    const { as, backups } = await makeOld();
    for (const more of [{}, { CLAUDECODE: "1" }]) {
      const refused = await as(MADE_UP, more).call("upgrade", {}).catch(failureOf);
      expect(mustFail(refused)).toMatchObject({ reason: "unknown-secret" });
      expect(mustFail(refused).message).toContain("Run it where your secret is");
      const approved = await as(MADE_UP, more)
        .call("approve", { references: ["T-1"], yes: true })
        .catch(failureOf);
      expect(mustFail(approved).reason).toBe("needs-upgrade");
    }
    expect(backups()).toEqual([]);
    expect(must(await as(SECRET).call("upgrade", {}))).toMatchObject({ to: SCHEMA, unconfirmed: 2 });
    const you = as(SECRET);
    expect(await reasons(you)).toEqual(["claimable", "approval-unknown", "approval-unknown"]);
    expect(mustFail(await as(MADE_UP).call("approve", { references: ["T-1"], yes: true })).reason).toBe("needs-person");
    must(await you.call("verify", {}));
  });

  it("is yours after an upgrade with a made-up secret where your secret file is", async () => {
    const { as, keepSecret } = await makeOld();
    keepSecret(SECRET);
    must(await as(MADE_UP).call("upgrade", {}));
    const you = as("");
    expect(must(await you.call("people.list", {})).people.map(({ key }) => key)).toEqual([signerFrom(SECRET).key]);
    expect(await reasons(you)).toEqual(["claimable", "approval-unknown", "approval-unknown"]);
  });

  it("in which nobody signed does not begin with a made-up secret in an agent, or where your secret file is", async () => {
    const inAgent = await makeOld({ "T-1": null, "T-2": null, "T-3": null });
    must(await inAgent.as(MADE_UP, { CLAUDECODE: "1" }).call("upgrade", {}));
    expect(must(await inAgent.as(MADE_UP).call("people.list", {})).people).toEqual([]);
    expect(mustFail(await inAgent.as(MADE_UP).call("people.confirm", { yes: true })).reason).toBe("needs-person");
    const withFile = await makeOld({ "T-1": null, "T-2": null, "T-3": null });
    withFile.keepSecret(SECRET);
    must(await withFile.as(MADE_UP).call("upgrade", {}));
    expect(mustFail(await withFile.as(MADE_UP).call("people.confirm", { yes: true })).reason).toBe("needs-person");
    must(await withFile.as("").call("people.confirm", { yes: true }));
  });

  it("in which nobody signed begins with the secret that upgrades it, outside of an agent", async () => {
    const { as } = await makeOld({ "T-1": null, "T-2": null, "T-3": null });
    must(await as(SECRET).call("upgrade", {}));
    expect(must(await as(SECRET).call("people.confirm", { yes: true })).approved).toEqual(["T-1", "T-2", "T-3"]);
    expect(mustFail(await as(MADE_UP).call("approve", { references: ["T-1"], yes: true })).reason).toBe("needs-person");
  });

  it("in which nobody signed begins only with you where this machine has noted you", async () => {
    const { as, folder } = await makeOld({ "T-1": null, "T-2": null, "T-3": null });
    noteFirstPerson(
      realpathSync(folder),
      { HOME: dirname(folder) },
      { id: signerFrom(SECRET).id, key: undefined },
      null,
    );
    must(await as(MADE_UP).call("upgrade", {}));
    const refused = mustFail(await as(MADE_UP).call("people.confirm", { yes: true }));
    expect([refused.reason, refused.message]).toEqual(["needs-person", expect.stringContaining("has noted in")]);
    must(await as(SECRET).call("people.confirm", { yes: true }));
    expect(await reasons(as(SECRET))).toEqual(["claimable", "claimable", "claimable"]);
  });

  it("is not replaced by a backup of a made-up secret before you upgraded it", async () => {
    const evil = await makeOld({ "T-1": MADE_UP, "T-2": MADE_UP, "T-3": MADE_UP });
    const { as } = await makeOld();
    const file = join(evil.folder, ".planwright/plan.db");
    expect(mustFail(await as(MADE_UP).call("backup.restore", { file, yes: true })).reason).toBe("unknown-secret");
    must(await as(SECRET).call("upgrade", {}));
  });
});
