// Planwright in the real Gemini CLI, as `planwright install gemini` puts it there.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realAgent } from "./real.js";
import { RealHost } from "./real-hosts.js";

const { setup, command, reason } = realAgent("gemini");
const TOOL = "mcp_planwright_";

describe.skipIf(command === undefined)(`Planwright in Gemini CLI${command === undefined ? ` (${reason})` : ""}`, () => {
  it("does a task from a bare word on, and leaves every file as it was", { timeout: 240_000 }, async () => {
    const host = await RealHost.open("gemini");
    const settings = host.files(".gemini");
    host.install("gemini");
    const own = join(host.rig.root, "a.txt");
    let isHandedIn = false;
    host.script = (seen) => {
      if (isHandedIn) return { text: "Done." };
      if (existsSync(own)) {
        isHandedIn = true;
        return { tools: [{ name: `${TOOL}complete`, input: { reference: "T-a" } }] };
      }
      if (seen.has("You have claimed T-a (Write a) and not handed it in")) return { tools: [setup.write(own, "a")] };
      if (seen.has("is outside of the files of T-a")) return { text: "I stop." };
      if (seen.has("leaseUntil")) return { tools: [setup.write(join(host.rig.root, "b.txt"), "b")] };
      if (seen.has("a command to this project's plan: `planwright next`"))
        return { tools: [{ name: `${TOOL}do`, input: { words: "next" } }] };
      return { text: "No hint." };
    };
    const args = ["-m", setup.model as string, "--skip-trust", "-o", "stream-json", "--approval-mode", "yolo"];
    const { stdout, stderr } = await host.run(args, "next");
    expect({ stdout, stderr, last: stdout.includes("Done.") }).toMatchObject({ last: true });
    expect(existsSync(join(host.rig.root, "b.txt"))).toBe(false);
    expect(host.status("T-a")).toBe("done");
    expect(host.reviews()).toEqual([]);
    host.install("gemini", "--uninstall");
    for (const [path, content] of Object.entries(settings)) expect(host.files(".gemini")[path]).toBe(content);
    expect(existsSync(join(host.home, ".gemini/commands"))).toBe(false);
  });
});
