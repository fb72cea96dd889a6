import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { environmentFor } from "../process/environment.js";
import type { AcpTraits } from "./acp-connection.js";
import type { SessionSpec } from "./agent.js";
import { joinId, splitId } from "./conversation.js";
import { KNOWN_AGENTS } from "./known.js";
import { openAgent } from "./open-agent.js";

const folder = mkdtempSync(join(tmpdir(), "planwright-open-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const spec = (rest: Partial<SessionSpec> = {}): SessionSpec => ({ cwd: "/work", access: "read", env: {}, ...rest });
const acpOf = (name: string) => KNOWN_AGENTS[name]?.driver as Omit<AcpTraits, "name" | "command">;

describe("an agent sees of our environment", () => {
  const ours = {
    PATH: "/bin",
    HOME: "/home/me",
    LC_ALL: "C",
    HTTPS_PROXY: "http://proxy",
    ANTHROPIC_API_KEY: "a",
    OPENAI_API_KEY: "o",
    AWS_SECRET_ACCESS_KEY: "w",
    MY_TOOL: "m",
    UNSET: undefined,
  };

  it.each([
    ["codex", [], ["HOME", "HTTPS_PROXY", "LC_ALL", "OPENAI_API_KEY", "PATH"]],
    ["claude", ["MY_TOOL", "UNSET"], ["ANTHROPIC_API_KEY", "HOME", "HTTPS_PROXY", "LC_ALL", "MY_TOOL", "PATH"]],
    ["qwen", ["MY_*"], ["HOME", "HTTPS_PROXY", "LC_ALL", "MY_TOOL", "OPENAI_API_KEY", "PATH"]],
  ])("%s: what it needs and what is configured (%j)", (name, env, seen) => {
    expect(Object.keys(openAgent(name, { env }, ours)?.env ?? {}).sort()).toEqual(seen);
  });

  it("nothing that nobody named", () => {
    const name = fc.stringMatching(/^SECRET_[A-Z]{1,8}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), (env) => {
        expect(Object.keys(environmentFor(env, ["SECRET"]))).toEqual([]);
      }),
    );
  });
});

describe("a name stands for", () => {
  it("an agent that is known", () => {
    expect(openAgent("gemini", {}, {})).toMatchObject({ name: "gemini", capabilities: { structured: "submit" } });
  });

  it.each(["nobody", "constructor", "__proto__", ""])("nothing, if it is not: %s", (name) => {
    expect(openAgent(name, {}, {})).toBeUndefined();
  });

  it("a command of one's own, which says its version or is not there", async () => {
    const command = join(folder, "my-agent");
    writeFileSync(command, "#!/bin/sh\necho 'my agent v3.4.5-beta.1 (built today)'\n");
    chmodSync(command, 0o755);
    const environment = { PATH: `${folder}:${process.env["PATH"]}` };
    const agent = openAgent("mine", { command: "my-agent" }, environment);
    expect(agent?.find()).toBe(command);
    expect(await agent?.version()).toBe("3.4.5-beta.1");
    expect(await openAgent("mine", { command: "not-there" }, environment)?.version()).toBeUndefined();
  });
});

describe("the command line of", () => {
  it("gemini and qwen never lets them approve for themselves", () => {
    for (const access of ["read", "write"] as const) {
      for (const name of ["gemini", "qwen"])
        expect(acpOf(name).args(spec({ access })).join(" ")).toContain("--approval-mode default");
    }
  });

  it("copilot denies a reader to write and to run", () => {
    expect(acpOf("copilot").args(spec())).toEqual(expect.arrayContaining(["--deny-tool=write", "--deny-tool=shell"]));
    expect(
      acpOf("copilot")
        .args(spec({ access: "write", model: "m", effort: "low" }))
        .slice(-4),
    ).toEqual(["--model", "m", "--reasoning-effort", "low"]);
  });

  it.each([
    ["read", "deny"],
    ["write", "ask"],
  ] as const)("opencode as a %s-er is configured to %s, on top of the user's own configuration", (access, word) => {
    const env = { OPENCODE_CONFIG_CONTENT: '{"model":"x/y","permission":{"edit":"allow"}}' };
    const made = JSON.parse(acpOf("opencode").env(spec({ access, env }))["OPENCODE_CONFIG_CONTENT"] ?? "") as unknown;
    expect(made).toMatchObject({ model: "x/y", permission: { edit: word, bash: word } });
    expect(
      acpOf("opencode").env(spec({ env: { OPENCODE_CONFIG_CONTENT: "{{" } }))["OPENCODE_CONFIG_CONTENT"],
    ).toContain("deny");
  });

  it("none asks to skip permissions", () => {
    for (const { driver } of Object.values(KNOWN_AGENTS)) {
      if (typeof driver === "string") continue;
      expect(driver.args(spec({ access: "write" })).join(" ")).not.toMatch(/yolo|allow-all|bypass|dangerous/);
    }
  });
});

it("the id of a session gives back what was put into it", () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[\d._]+$/), (agentsId, note) => {
      expect(splitId(joinId(agentsId, note))).toEqual({ agentsId, note });
    }),
  );
  expect(splitId("plain")).toEqual({ agentsId: "plain", note: "" });
});
