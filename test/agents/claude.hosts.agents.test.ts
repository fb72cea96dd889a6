// The plugin in the real Claude Code, as `planwright install claude` puts it there: from a bare word to a task that is done, with an
// edit that is refused, a stop that is held back and a compaction in between, and no trace afterwards.

import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realAgent } from "./real.js";
import { RealHost } from "./real-hosts.js";

const { setup, command, reason } = realAgent("claude");
const TOOL = "mcp__plugin_planwright_planwright__";
const SETTINGS = '{\n\t"theme": "dark" }\n';

describe.skipIf(command === undefined)(
  `the plugin in Claude Code${command === undefined ? ` (${reason})` : ""}`,
  () => {
    it("does a task from a bare word on, and leaves nothing behind", { timeout: 240_000 }, async () => {
      const host = await RealHost.open("claude");
      host.write(".claude/settings.json", SETTINGS);
      host.install("claude");
      const session = randomUUID();
      const common = ["-p", "--output-format", "json", "--model", setup.model as string];
      const allowed = ["--allowedTools", `${TOOL}do,${TOOL}claim,${TOOL}complete,Write`];
      const other = join(host.rig.root, "b.txt");
      const own = join(host.rig.root, "a.txt");

      // "next" is told to be a command to the plan, claims the task, an edit elsewhere is refused, and a stop is held back.
      host.script = (seen) => {
        if (seen.has("You have claimed T-a (Write a) and not handed it in")) return { text: "Held back." };
        if (seen.has("is outside of the files of T-a")) return { text: "I stop." };
        if (seen.has("leaseUntil")) return { tools: [setup.write(other, "b")] };
        if (seen.has("a command to this project's plan: `planwright next`"))
          return { tools: [{ name: `${TOOL}do`, input: { words: "next" } }] };
        return { text: "No hint." };
      };
      const first = await host.run([...common, "--session-id", session, ...allowed], "next");
      expect(JSON.parse(first.stdout)).toMatchObject({ is_error: false, result: "Held back." });
      expect(host.rig.ok(["show", "T-a"])).toMatchObject({ status: "in_progress", claim: { by: "agent:claude-code" } });
      expect(existsSync(other)).toBe(false);

      // The summary is told to keep the claim, and the conversation reads it again afterwards.
      host.script = () => ({ text: "<summary>Some work on a plan.</summary>" });
      const before = host.model.requests.length;
      await host.run([...common, "--resume", session], "/compact");
      const summaries = host.model.requests.slice(before);
      expect(summaries.some(({ turns }) => turns.some(({ text }) => text.includes("You have claimed T-a")))).toBe(true);

      // This is another process with another server. That it is the same conversation is enough.
      host.script = (seen) => {
        if (seen.has('"acceptance":"accepted"')) return { text: "Done." };
        if (seen.has("needs-token")) return { text: "I lost my claim." };
        if (existsSync(own)) return { tools: [{ name: `${TOOL}complete`, input: { reference: "T-a" } }] };
        if (seen.has('You have claimed T-a "Write a"')) return { tools: [setup.write(own, "a")] };
        return { text: "I know of no claim." };
      };
      const last = await host.run([...common, "--resume", session, ...allowed], "Go on.");
      expect(JSON.parse(last.stdout)).toMatchObject({ is_error: false, result: "Done." });
      expect(host.status("T-a")).toBe("done");
      expect(host.reviews()).toEqual([]);

      host.install("claude", "--uninstall");
      expect(existsSync(join(host.home, ".claude/skills"))).toBe(false);
      expect(readFileSync(join(host.home, ".claude/settings.json"), "utf8")).toBe(SETTINGS);
    });

    it("is found to be a valid plugin and marketplace", { timeout: 120_000 }, async () => {
      const host = await RealHost.open("claude");
      const folder = join(import.meta.dirname, "../../hosts");
      for (const path of [folder, join(folder, "claude")]) {
        const { code, stdout, stderr } = await host.run(["plugin", "validate", path], "");
        expect({ path, code, said: code === 0 ? "" : stdout + stderr }).toEqual({ path, code: 0, said: "" });
      }
      // The commands of docs/agents.md.
      await host.run(["plugin", "marketplace", "add", folder], "");
      await host.run(["plugin", "install", "planwright@planwright"], "");
      expect((await host.run(["plugin", "list"], "")).stdout).toMatch(/planwright@planwright[\s\S]*enabled/);
      const added = await host.run(["mcp", "add", "planwright", "--", "planwright", "mcp"], "");
      expect(added.stdout).toContain("Added stdio MCP server planwright with command: planwright mcp");
    });
  },
);
