// Planwright in the real opencode, as `planwright install opencode` puts it there: its tools, no hooks.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realAgent } from "./real.js";
import { RealHost } from "./real-hosts.js";

const { command, reason } = realAgent("opencode");
/** Without the first entry, opencode adds it itself. */
const SETTINGS = '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "share": "disabled",\n}\n';

describe.skipIf(command === undefined)(`Planwright in opencode${command === undefined ? ` (${reason})` : ""}`, () => {
  it("does a task with its tools, and leaves every file as it was", { timeout: 240_000 }, async () => {
    const host = await RealHost.open("opencode");
    host.write(".config/opencode/opencode.jsonc", SETTINGS);
    host.install("opencode");
    const own = join(host.rig.root, "a.txt");
    let isHandedIn = false;
    host.script = (seen) => {
      if (isHandedIn) return { text: "Done." };
      if (existsSync(own)) {
        isHandedIn = true;
        return { tools: [{ name: "planwright_complete", input: { reference: "T-a" } }] };
      }
      if (seen.has("T-a")) {
        writeFileSync(own, "a");
        return { tools: [{ name: "planwright_find", input: { action: "claims" } }] };
      }
      return { tools: [{ name: "planwright_do", input: { words: "next" } }] };
    };
    const { stdout, stderr } = await host.run(["run", "--format", "json", "--title", "t"], "next");
    expect({ stdout, stderr, last: stdout.includes("Done.") }).toMatchObject({ last: true });
    expect(host.status("T-a")).toBe("done");
    expect(host.reviews()).toEqual([]);
    host.install("opencode", "--uninstall");
    expect(host.files(".config/opencode")[join(host.home, ".config/opencode/opencode.jsonc")]).toBe(SETTINGS);
  });
});
