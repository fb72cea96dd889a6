// Threat: a program that has no secret of yours makes one up, and asks through the board, a coding agent's tools or an upgrade.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { signerFrom } from "../../src/store/signer.js";
import { App } from "../../src/verbs/app.js";
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
    expect((await browser.post("/api/session/person")).status).toBe(403);
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
  /** T-1 was approved with your secret, T-2 with another one, T-3 with none. */
  async function makeOld(): Promise<{ as: (secret: string) => App }> {
    const around = mkdtempSync(join(tmpdir(), "planwright-old-"));
    onTestFinished(() => rmSync(around, { recursive: true, force: true }));
    const folder = await makeOldPlan(join(around, "plan"), {
      "T-1": SECRET,
      "T-2": "07e4".padEnd(64, "1"),
      "T-3": null,
    });
    const as = (secret: string): App => {
      const env = { PATH: process.env["PATH"] ?? "", USER: "ada", HOME: around, PLANWRIGHT_SECRET: secret };
      const app = new App({ folder, env });
      onTestFinished(() => app.close());
      return app;
    };
    return { as };
  }

  const reasons = async (app: App): Promise<string[]> => {
    const found: string[] = [];
    for (const reference of ["T-1", "T-2", "T-3"])
      found.push((must(await app.call("why", { reference })) as { reason: string }).reason);
    return found;
  };

  it("keeps what you approved when you upgrade it; everything else waits, and is confirmed in one step", async () => {
    const { as } = await makeOld();
    expect(must(await as(SECRET).call("upgrade", {}))).toMatchObject({ to: 8, unconfirmed: 2 });
    const you = as(SECRET);
    expect(await reasons(you)).toEqual(["claimable", "approval-unknown", "approval-unknown"]);
    must(await you.call("verify", {}));
    expect(must(await you.call("waiting", {})).entries[0]?.sentence).toContain("approved with a secret that this plan");
    expect(must(await you.call("people.confirm", { yes: true })).approved).toEqual(["T-2", "T-3"]);
    expect(await reasons(you)).toEqual(["claimable", "claimable", "claimable"]);
    must(await you.call("verify", {}));
    expect(must(await you.call("people.list", {})).people.map(({ key }) => key)).toEqual([signerFrom(SECRET).key]);
  });

  it("is not taken over by an upgrade with a secret that signed nothing in it: nothing runs", async () => {
    const { as } = await makeOld();
    expect(must(await as(MADE_UP).call("upgrade", {}))).toMatchObject({ unconfirmed: 3 });
    const you = as(SECRET);
    expect(must(await you.call("people.list", {})).people).toEqual([]);
    expect(await reasons(you)).toEqual(["approval-unknown", "approval-unknown", "approval-unknown"]);
    expect(mustFail(await you.call("next", {})).reason).toBe("nothing-ready");
    must(await you.call("people.confirm", { yes: true }));
    expect(mustFail(await as(MADE_UP).call("approve", { references: ["T-1"], yes: true })).reason).toBe("needs-person");
    must(await you.call("verify", {}));
  });
});
