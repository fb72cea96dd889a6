// Planwright in the real Copilot CLI, as `planwright install copilot --scope user` and `install agents-md` put it there.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realAgent } from "./real.js";
import { RealHost } from "./real-hosts.js";

const { setup, command, reason } = realAgent("copilot");
const tool = (name: string, input: unknown) => ({ name: `planwright-${name}`, input });
const SETTINGS = '{\n  // mine\n  "theme": "dark"\n}\n';
const ARGS = ["--allow-all-tools", "--disable-client-telemetry", "--output-format", "json"];

describe.skipIf(command === undefined)(
  `Planwright in Copilot CLI${command === undefined ? ` (${reason})` : ""}`,
  () => {
    it("does a task from a bare word on, in two processes, and leaves every file as it was", {
      timeout: 240_000,
    }, async () => {
      const host = await RealHost.open("copilot");
      host.write(".copilot/settings.json", SETTINGS);
      const before = host.files(".copilot");
      host.install("copilot", "--scope", "user");
      host.install("agents-md");
      host.install("copilot");
      const { stdout: sources } = await host.run(["instruction", "list"], "");
      expect(sources).toMatch(/from AGENTS\.md[\s\S]*from \.github\/instructions\/planwright\.instructions\.md/);
      const [own, other] = [join(host.rig.root, "a.txt"), join(host.rig.root, "b.txt")];
      host.script = (seen) => {
        if (seen.has("You have claimed T-a (Write a) and not handed it in")) return { text: "Held back." };
        if (seen.has("is outside of the files of T-a")) return { text: "I stop." };
        if (seen.has("leaseUntil")) return { tools: [setup.write(other, "b")] };
        if (seen.has("a command to this project's plan: `planwright next`"))
          return { tools: [tool("do", { words: "next" })] };
        return { text: "No hint." };
      };
      const first = await host.run(["-p", "next", ...ARGS], "");
      expect({ ...first, last: first.stdout.includes("Held back.") }).toMatchObject({ last: true });
      expect(existsSync(other)).toBe(false);
      expect(host.rig.ok(["show", "T-a"])).toMatchObject({ claim: { by: "agent:copilot-cli" } });

      // The same conversation in another process: its server knows no token.
      const { sessionId = "" } = JSON.parse(first.stdout.trim().split("\n").at(-1) ?? "{}") as { sessionId?: string };
      host.script = (seen) => {
        if (seen.has('"acceptance":"accepted"')) return { text: "Done." };
        if (seen.has("needs-token")) return { text: "I lost my claim." };
        return existsSync(own)
          ? { tools: [tool("complete", { reference: "T-a" })] }
          : { tools: [setup.write(own, "a")] };
      };
      const last = await host.run(["-p", "Go on.", "--resume", sessionId, ...ARGS], "");
      expect({ ...last, last: last.stdout.includes("Done.") }).toMatchObject({ last: true });
      expect(host.status("T-a")).toBe("done");
      expect(host.reviews()).toEqual([]);

      host.install("copilot", "--scope", "user", "--uninstall");
      host.install("agents-md", "--uninstall");
      host.install("copilot", "--uninstall");
      expect(existsSync(join(host.rig.root, ".github"))).toBe(false);
      for (const [path, content] of Object.entries(before)) expect(host.files(".copilot")[path]).toBe(content);
      expect(existsSync(join(host.home, ".copilot/mcp-config.json"))).toBe(false);
      expect(existsSync(join(host.rig.root, "AGENTS.md"))).toBe(false);
    });

    it("approves nothing where no person is there to be asked", { timeout: 120_000 }, async () => {
      const host = await RealHost.open("copilot");
      host.rig.ok(["add", "Write c", "--id", "T-c", "--parent", "FEAT-A"]);
      host.install("copilot", "--scope", "user");
      host.configure("mcp.askThrough", '["copilot-cli"]');
      let isProposed = false;
      host.script = () => {
        if (isProposed) return { text: "Proposed." };
        isProposed = true;
        return { tools: [tool("decide", { action: "approve", references: ["T-c"] })] };
      };
      const { stdout } = await host.run(["-p", "Propose it.", ...ARGS], "");
      expect(stdout).toContain("Proposed.");
      expect(host.rig.ok(["show", "T-c"])).toMatchObject({ approval: null });
    });
  },
);
