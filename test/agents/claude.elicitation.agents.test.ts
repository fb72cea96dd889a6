// The real Claude Code at a terminal puts to the person what only a person may decide: the server asks through it, and the yes counts
// as theirs.

import { describe, expect, it } from "vitest";
import { needsTerminals } from "../terminal.js";
import { realAgent } from "./real.js";
import { RealHost } from "./real-hosts.js";

const { setup, command, reason } = realAgent("claude");
const DECIDE = "mcp__plugin_planwright_planwright__decide";

/** What Claude Code asks when it is first started; here it was started before. */
const startedBefore = (root: string): string =>
  JSON.stringify({
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: ["none"], rejected: [] },
    projects: { [root]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  });

const [SPACE, DOWN, ENTER] = [" ", "\u001b[B", "\r"];

describe.skipIf(command === undefined)(
  `a question in Claude Code${command === undefined ? ` (${reason})` : ""}`,
  needsTerminals,
  () => {
    it("is answered by the person, and approves exactly what was shown", { timeout: 60_000 }, async () => {
      const host = await RealHost.open("claude");
      host.rig.ok([
        "add",
        "Write c",
        "--id",
        "T-c",
        "--parent",
        "FEAT-A",
        "--file",
        "c.txt",
        "--check",
        "test -f c.txt",
      ]);
      host.write(".claude.json", startedBefore(host.rig.root));
      host.install("claude");
      host.configure("mcp.askThrough", '["claude-code"]');
      host.script = (seen) =>
        seen.has("approved")
          ? { text: "Decided it is." }
          : { tools: [{ name: DECIDE, input: { action: "approve", references: ["T-c"] } }] };

      const person = host.atTerminal(["--model", setup.model as string, "--allowedTools", DECIDE]);
      await person.sees(/❯/);
      person.types("Please propose it");
      await person.sees(/propose\s+it/);
      person.types(ENTER);
      await person.sees(/requests\s+your\s+input/);
      await person.sees(/claude-code\s+asks\s+you\s+to\s+decide/);
      await person.sees(/Yes,\s+do\s+exactly\s+this/);
      expect(host.rig.ok(["show", "T-c"])).toMatchObject({ approval: null });
      person.types(SPACE);
      await person.sees(/☒/);
      person.types(DOWN);
      await person.sees(/Accept/);
      await person.sees(/Decided\s+it\s+is/, ENTER);
      expect(host.rig.ok(["show", "T-c"])).toMatchObject({ approval: { by: "human:ada" } });
      const { operations } = host.rig.ok(["log", "--limit", "1"]) as { operations: { sentence: string }[] };
      expect(operations[0]?.sentence).toContain("(asked through claude-code)");
    });
  },
);
