// Threat: workers have the rights of a person on a machine where nothing confines them, and no person knows.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { howToConfine } from "../../src/machine/sandbox/sandbox.js";
import { App, type AppOptions } from "../../src/verbs/app.js";
import { makeRepository } from "../git-repository.js";
import { must, mustFail } from "../plan.js";
import { SECRET } from "../secret.js";

/** A person on a machine without bubblewrap. */
async function openApp(door: Pick<AppOptions, "confirm"> = {}): Promise<App> {
  const { path, around } = makeRepository();
  const empty = join(around, "bin");
  mkdirSync(empty);
  const env = { PATH: empty, HOME: join(around, "home"), XDG_STATE_HOME: around, PLANWRIGHT_SECRET: SECRET };
  const app = new App({ folder: path, actor: "human:ada", env, ...door });
  onTestFinished(() => app.close());
  must(await app.call("init", {}));
  return app;
}

describe("level auto without a sandbox", () => {
  it("needs a person who was told, and says how to get a sandbox", async () => {
    const app = await openApp();
    const refused = mustFail(await app.call("level", { level: "auto" }));
    expect(refused).toMatchObject({
      reason: "no-sandbox",
      next: [{ operation: "level", input: { unsandboxed: true } }],
    });
    expect(refused.message).toContain(howToConfine());
    expect(must(await app.call("level.show", {})).level).toBe("off");
    expect(mustFail(await app.as("agent:eve").call("level", { level: "auto", unsandboxed: true })).reason).toBe(
      "needs-person",
    );
  });

  it("is recorded when they allow it, and shown", async () => {
    const app = await openApp();
    expect(must(await app.call("level", { level: "auto", unsandboxed: true }))).toMatchObject({
      unconfined: true,
    });
    expect(must(await app.call("status", {}))).toMatchObject({ level: "auto", unconfined: true });
    const [last] = must(await app.call("log", { limit: 1 })).operations;
    expect(last?.sentence).toBe("human:ada set the level from off to auto, without a sandbox");
    must(await app.call("level", { level: "on" }));
    expect(must(await app.call("status", {}))).not.toHaveProperty("unconfined");
  });

  it.each([
    [true, "auto"],
    [false, "off"],
  ])("asks whoever is at the terminal: %s", async (answer, level) => {
    const asked: string[] = [];
    const app = await openApp({ confirm: async (question) => (asked.push(question), answer) });
    await app.call("level", { level: "auto" });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("Workers run without a sandbox here: bubblewrap (bwrap) is not installed.");
    expect(must(await app.call("level.show", {})).level).toBe(level);
  });

  it("does not stop the other levels", async () => {
    expect(must(await (await openApp()).call("level", { level: "on" })).level).toBe("on");
  });
});

describe("a run without a sandbox", () => {
  const RUNS = [
    ["run", {}],
    ["daemon.start", {}],
    ["daemon.run", {}],
  ] as const;

  it.each(RUNS)("%s starts nothing before a person allowed it, and says how", async (operation, asked) => {
    const app = await openApp();
    expect(mustFail(await app.call(operation, asked))).toMatchObject({
      kind: "refused",
      reason: "no-sandbox",
      message: expect.stringMatching(/bwrap\) is not installed.*has your rights.*apt-get install/),
      next: [{ operation, input: { unsandboxed: true } }],
    });
  });

  it.each(RUNS)("%s is allowed by no agent", async (operation, asked) => {
    const app = await openApp();
    const agent = app.as("agent:eve");
    expect(mustFail(await agent.call(operation, { ...asked, unsandboxed: true })).reason).toBe("needs-person");
    expect(must(await app.call("status", {}))).not.toHaveProperty("unsandboxed");
  });

  it("is asked once for each workspace and machine, and shown", async () => {
    const asked: string[] = [];
    const app = await openApp({ confirm: async (question) => (asked.push(question), true) });
    for (let i = 0; i < 2; i++) expect(mustFail(await app.call("run", {})).reason).toBe("nothing-ready");
    expect(mustFail(await app.as("agent:eve").call("run", {})).reason).toBe("nothing-ready");
    expect(asked).toHaveLength(1);
    expect(must(await app.call("status", {}))).toMatchObject({ unsandboxed: true });
    const other = await openApp();
    expect(mustFail(await other.call("run", {})).reason).toBe("no-sandbox");
  });

  it("is asked again where a person said no", async () => {
    const app = await openApp({ confirm: async () => false });
    for (let i = 0; i < 2; i++) expect(mustFail(await app.call("run", {})).reason).toBe("canceled");
  });
});

describe("how to get a sandbox", () => {
  it.each([
    ["linux", "apt-get install bubblewrap"],
    ["darwin", "use a container"],
  ] as const)("is said for %s", (platform, words) => {
    expect(howToConfine(platform)).toContain(words);
  });
});
