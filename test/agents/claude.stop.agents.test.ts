// The stop hook in the real Claude Code, as docs/news.md installs it: an agent that wants to stop with its task open is
// told so once, and goes on to hand it in.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, makeRig } from "../rig.js";
import { furnish, realAgent } from "./real.js";
import { type ModelRequest, startScriptedModel } from "./scripted-model.js";
import type { Step } from "./wire.js";

const { setup, command, reason } = realAgent("claude");
const PLANWRIGHT = `"${process.execPath}" "${BIN}"`;
const SETTINGS = {
  hooks: { Stop: [{ hooks: [{ type: "command", command: `${PLANWRIGHT} hook stop`, timeout: 30 }] }] },
};

describe.skipIf(command === undefined)(
  `the stop hook in Claude Code${command === undefined ? ` (${reason})` : ""}`,
  () => {
    it("keeps it at its task until that is handed in", { timeout: 120_000 }, async () => {
      const rig = makeRig();
      rig.ok(["init", "--mission", "Ship it"]);
      rig.ok(["add", "One", "--id", "T-1", "--tier", "task", "--parent", "BUGS", "--check", "true"]);
      rig.ok(["approve", "T-1"]);
      const { token } = rig.ok(["start", "T-1", "--as", "agent:claude-1"]) as { token: string };

      const isTold = ({ turns }: Pick<ModelRequest, "turns">): boolean =>
        turns.some(({ text }) => text.includes("You have claimed T-1 (One) and not handed it in."));
      const isDone = ({ turns }: Pick<ModelRequest, "turns">): boolean =>
        turns.some(({ results }) => results.some((result) => result.includes("T-1 is done")));
      const complete = { name: "Bash", input: { command: `${PLANWRIGHT} complete T-1 --token ${token}` } };
      const script = (request: Pick<ModelRequest, "turns">): Step => {
        if (isDone(request)) return { text: "Now I stop." };
        return isTold(request) ? { text: "I hand it in.", tools: [complete] } : { text: "I stop." };
      };
      const model = await startScriptedModel({ script });
      onTestFinished(() => model.close());

      const home = join(rig.root, "home");
      mkdirSync(join(home, "tmp"), { recursive: true });
      mkdirSync(join(rig.root, ".claude"));
      rig.write(".claude/settings.json", JSON.stringify(SETTINGS));
      const { env } = furnish(command as string, setup, home, model.url);
      const args = ["-p", "Do T-1.", "--model", setup.model as string, "--allowedTools", "Bash"];
      const child = spawn(command as string, args, {
        cwd: rig.root,
        env: { ...env, PLANWRIGHT_ACTOR: "agent:claude-1" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let stdout = "";
      child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
      const [code] = (await once(child, "close")) as [number];
      expect({ code, said: stdout.trim() }).toEqual({ code: 0, said: "Now I stop." });
      expect(model.requests.some(isTold)).toBe(true);
      expect(rig.ok(["show", "T-1"]).status).toBe("done");
    });
  },
);
