// Planwright in the real Codex, as `planwright install codex` puts it there.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realAgent } from "./real.js";
import { RealHost } from "./real-hosts.js";

const { command, reason } = realAgent("codex");
const tool = (name: string, input: unknown) => ({ name, namespace: "mcp__planwright", input });
/** A person would allow the tools when they are first used. */
const ALLOWED = ["-c", 'mcp_servers.planwright.default_tools_approval_mode="approve"'];
const ARGS = ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", "workspace-write"];

describe.skipIf(command === undefined)(`Planwright in Codex${command === undefined ? ` (${reason})` : ""}`, () => {
  it("does a task from a bare word on, and leaves every file as it was", { timeout: 240_000 }, async () => {
    const host = await RealHost.open("codex");
    const settings = host.files(".codex");
    host.install("codex");
    expect(host.files(".codex")).not.toEqual(settings);
    const patch = (path: string): string => `*** Begin Patch\n*** Add File: ${path}\n+text\n*** End Patch\n`;
    const own = join(host.rig.root, "a.txt");
    let isHandedIn = false;
    host.script = (seen) => {
      if (isHandedIn) return { text: "Done." };
      if (existsSync(own)) {
        isHandedIn = true;
        return { tools: [tool("complete", { reference: "T-a" })] };
      }
      if (seen.has("You have claimed T-a (Write a) and not handed it in"))
        return { tools: [{ name: "apply_patch", input: patch("a.txt") }] };
      if (seen.has("is outside of the files of T-a")) return { text: "I stop." };
      if (existsSync(join(host.rig.root, "b.txt"))) return { text: "It was not refused." };
      if (seen.has("leaseUntil")) return { tools: [{ name: "apply_patch", input: patch("b.txt") }] };
      if (seen.has("a command to this project's plan: `planwright next`"))
        return { tools: [tool("do", { words: "next" })] };
      return { text: "No hint." };
    };
    const { stdout, stderr } = await host.run([...ARGS, ...ALLOWED, "-"], "next");
    expect({ stdout, stderr, last: stdout.includes("Done.") }).toMatchObject({ last: true });
    expect(existsSync(join(host.rig.root, "b.txt"))).toBe(false);
    expect(host.status("T-a")).toBe("done");
    expect(host.reviews()).toEqual([]);
    host.install("codex", "--uninstall");
    for (const [path, content] of Object.entries(settings)) expect(host.files(".codex")[path]).toBe(content);
    expect(existsSync(join(host.home, ".agents"))).toBe(false);
  });
});
