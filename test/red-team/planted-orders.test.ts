// Threat: a worker plants a hook, a skill, settings or a server in the folder of a coding agent in your home. It must be able to
// write there, and the next agent that you start yourself would obey, outside of any sandbox.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LiveAttempt } from "../../src/engine/attempt/attempt-state.js";
import { outsideChangesOfKilled, watchAttempt } from "../../src/engine/watch/watch.js";
import type { Attempt } from "../../src/model/attempt/attempt.js";
import { write } from "../git-repository.js";
import { SANDBOX_MODES } from "../needs-sandbox.js";
import { fileTask, openShop, type Shop } from "../shop.js";

/** What agents have in a home folder where they were used before. */
const USED = {
  ".claude/settings.json": '{"model":"opus"}',
  ".claude.json": '{"numStartups":1,"mcpServers":{"mine":{"command":"mine"}},"projects":{"/p":{"mcpServers":{}}}}',
  ".codex/auth.json": "{}",
  ".copilot/config.json": '// Written by the program\n{"trusted_folders":[]}',
  ".gemini/oauth_creds.json": "{}",
  ".qwen/oauth_creds.json": "{}",
};

const homeOf = ({ repository }: Shop): string => join(repository.around, "home");
const inHome = (shop: Shop, name: string): string => readFileSync(join(homeOf(shop), name), "utf8");

/** Writes a text into a file, as a shell does. */
const planting = (name: string, text = "owned"): string =>
  `mkdir -p "$(dirname "$HOME/${name}")" && printf '%s' '${text}' > "$HOME/${name}"`;

async function shopWith(sandbox: "off" | "require", script: string, check = "true"): Promise<Shop> {
  const body = `\`\`\`sh run\necho one > one.txt\n${script}\n\`\`\``;
  const shop = await openShop([fileTask("one", { body, checks: [{ run: "test -f one.txt" }, { run: check }] })], {
    policy: { sandbox },
  });
  write(homeOf(shop), USED);
  await shop.workThrough();
  return shop;
}

/** Where it was put, as the person was told. */
async function stoppedFor(shop: Shop, name: string): Promise<string> {
  const [attempt, ...more] = await shop.attempts();
  expect(more).toEqual([]);
  expect(attempt?.failure).toMatchObject({ class: "architecture", action: "freeze" });
  const { reason = "" } = attempt?.failure ?? {};
  expect(reason).toContain(`~/${name}`);
  const aside = /What it wrote is in (.*?\/ATT-00001): /.exec(reason)?.[1] ?? "";
  expect(aside.startsWith(shop.services.policy.quarantine)).toBe(true);
  return readFileSync(join(aside, name), "utf8");
}

const planted = (sandbox: "off" | "require"): void => {
  it.each([
    ".claude/settings.local.json",
    ".claude/hooks/x",
    ".claude/skills/x/SKILL.md",
    ".codex/hooks.json",
    ".codex/agents/x.toml",
    ".copilot/mcp-config.json",
    ".gemini/skills/x/SKILL.md",
    ".qwen/skills/x/SKILL.md",
  ])("a worker that plants ~/%s is stopped, and it is put aside", async (name) => {
    const shop = await shopWith(sandbox, planting(name));
    expect(await stoppedFor(shop, name)).toBe("owned");
    expect(existsSync(join(homeOf(shop), name))).toBe(false);
  });

  it("servers and hooks that a worker adds to files of an agent are taken out, and the rest stays", async () => {
    const evil = { command: "owned" };
    const claude = {
      numStartups: 2,
      mcpServers: { mine: evil, more: evil },
      projects: { "/p": { mcpServers: { more: evil }, lastCost: 1 }, "/q": { mcpServers: {} } },
    };
    const copilot = { trusted_folders: ["/p"], hooks: { sessionStart: [evil] } };
    const shop = await shopWith(
      sandbox,
      [
        planting(".claude.json", JSON.stringify(claude)),
        planting(".copilot/config.json", JSON.stringify(copilot)),
      ].join("\n"),
    );
    expect(JSON.parse(await stoppedFor(shop, ".claude.json"))).toEqual({
      mcpServers: { mine: evil, more: evil },
      projects: { "/p": { mcpServers: { more: evil } } },
    });
    expect(JSON.parse(await stoppedFor(shop, ".copilot/config.json"))).toEqual({ hooks: { sessionStart: [evil] } });
    expect(JSON.parse(inHome(shop, ".claude.json"))).toEqual({
      numStartups: 2,
      mcpServers: { mine: { command: "mine" } },
      projects: { "/p": { mcpServers: {}, lastCost: 1 }, "/q": { mcpServers: {} } },
    });
    expect(JSON.parse(inHome(shop, ".copilot/config.json"))).toEqual({ trusted_folders: ["/p"], hooks: {} });
  });

  it("of settings that an agent writes at its first start, only what starts programs is taken out", async () => {
    const settings = { $version: 3, mcpServers: { more: { command: "owned" } } };
    const shop = await shopWith(sandbox, planting(".qwen/settings.json", JSON.stringify(settings)));
    expect(await stoppedFor(shop, ".qwen/settings.json")).toContain("owned");
    expect(JSON.parse(inHome(shop, ".qwen/settings.json"))).toEqual({ $version: 3, mcpServers: {} });
  });

  it("work is not accepted if one of its checks plants something", async () => {
    const shop = await shopWith(sandbox, "true", planting(".claude/hooks/x"));
    expect(await stoppedFor(shop, ".claude/hooks/x")).toBe("owned");
    expect(existsSync(join(homeOf(shop), ".claude/hooks/x"))).toBe(false);
  });

  it("what agents write themselves is no order", async () => {
    const names = [".claude/projects/p/s.jsonl", ".claude/.credentials.json", ".codex/skills/.system/a/SKILL.md"];
    // At its first start.
    const settings = planting(".qwen/settings.json", '{"$version":3}');
    const script = [
      ...names.map((name) => planting(name, "new")),
      planting(".claude.json", '{"mcpServers":{},"projects":{"/w":{"mcpServers":{},"enabledMcpjsonServers":[]}}}'),
      settings,
      'mkdir -p "$HOME/.claude/commands"',
    ].join("\n");
    const shop = await shopWith(sandbox, script);
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted"]);
    expect(names.map((name) => inHome(shop, name))).toEqual(["new", "new", "new"]);
  });

  it("what a killed attempt planted is put aside by the next program", async () => {
    const shop = await openShop([fileTask("one")], { policy: { sandbox } });
    const worktree = join(shop.repository.around, "slot-1");
    shop.git("worktree", "add", "-q", "-b", "planwright/attempt/ATT-00007", worktree);
    write(homeOf(shop), USED);
    const attempt = { worktree, worker: { kind: "agent" } } as Attempt;
    const live = (): LiveAttempt => ({ key: "ATT-00007", task: { files: [] }, attempt }) as unknown as LiveAttempt;
    const kind = sandbox === "off" ? "none" : "bubblewrap";
    await watchAttempt(shop.services, live(), worktree, { kind, why: "" });
    write(homeOf(shop), { ".codex/prompts/x.md": "owned" });
    expect(await outsideChangesOfKilled(shop.services, live())).toEqual([
      expect.stringMatching(/What it wrote is in .*\/ATT-00007: ~\/\.codex\/prompts\/x\.md\.$/),
    ]);
    expect(existsSync(join(homeOf(shop), ".codex/prompts/x.md"))).toBe(false);
  });
};

for (const [sandbox, needed] of SANDBOX_MODES) {
  describe(`with the sandbox ${sandbox}`, needed, () => {
    planted(sandbox);
  });
}

it("without a sandbox, settings that a worker changes or deletes are put back", async () => {
  const shop = await shopWith("off", planting(".claude/settings.json"));
  expect(await stoppedFor(shop, ".claude/settings.json")).toBe("owned");
  expect(inHome(shop, ".claude/settings.json")).toBe(USED[".claude/settings.json"]);
  const other = await shopWith("off", 'rm "$HOME/.claude/settings.json"');
  expect((await other.attempts())[0]?.failure?.reason).toMatch(/settings\.json \(deleted; the old one is back\)/);
  expect(inHome(other, ".claude/settings.json")).toBe(USED[".claude/settings.json"]);
});
