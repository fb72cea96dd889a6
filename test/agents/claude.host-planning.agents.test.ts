// A whole planning run inside the real Claude Code: `/planwright:plan` with the plugin's own subagents. Its conversation only
// delegates, one question is passed on, the critic sends the plan back once, and only a person can apply it.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ANSWERS, CLARIFICATION, objection, SPEC } from "../planning.js";
import { realAgent } from "./real.js";
import { type HostScript, RealHost } from "./real-hosts.js";
import type { Step } from "./wire.js";

const { setup, command, reason } = realAgent("claude");
const TOOL = "mcp__plugin_planwright_planwright__";
const plan = (input: Record<string, unknown>): Step => ({ tools: [{ name: `${TOOL}plan`, input }] });

interface SeenStep {
  readonly status?: string;
  readonly run?: string;
  readonly ask?: { readonly call: string; readonly role: string } | null;
  readonly questions?: readonly { readonly id?: string; readonly key?: string }[];
}

/** The newest answer of the tool `plan` in these results. */
function stepIn(result: string): SeenStep {
  try {
    return JSON.parse(result.slice(0, result.lastIndexOf("}") + 1)) as SeenStep;
  } catch {
    return {};
  }
}

const HEADING = /# Your role: (\w+)(?:, (?:stage (\w+)|revising))?\\n/;

describe.skipIf(command === undefined)(`planning in Claude Code${command === undefined ? ` (${reason})` : ""}`, () => {
  it("goes from a question over a revision to a plan that a person applies", { timeout: 300_000 }, async () => {
    const host = await RealHost.open("claude");
    mkdirSync(join(host.rig.root, "docs"));
    writeFileSync(join(host.rig.root, "docs/spec.md"), SPEC);
    host.install("claude");
    let objected = false;
    const asked: string[] = [];

    const subagent: HostScript = (_, { turns }) => {
      const results = turns.flatMap((turn) => turn.results);
      const call = turns
        .map(({ text }) => /Your call is (CALL-\d+)/.exec(text)?.[1])
        .find((found) => found !== undefined);
      if (results.length === 0) return plan({ action: "step", call });
      if (results.length > 1) return { text: "Handed in." };
      const [, who = "", stage] = HEADING.exec(results[0] ?? "") ?? [];
      const topic = who === "author" ? `author ${stage ?? "revise"}` : who;
      asked.push(topic);
      let output: unknown = topic === "clarifier" ? CLARIFICATION : ANSWERS[topic];
      if (topic === "critic" && !objected) {
        objected = true;
        output = objection("K1", "high");
      }
      return plan({ action: "submit", call, output, session: who });
    };

    let pending: NonNullable<SeenStep["ask"]> | undefined;
    let [triedBash, triedApply] = [false, false];
    const orchestrator: HostScript = (seen, { turns }) => {
      const last = turns.flatMap((turn) => turn.results).at(-1);
      if (last === undefined) return plan({ action: "host", source: { text: SPEC, path: "docs/spec.md" } });
      const step = stepIn(last);
      if (step.status === "halted") return { text: "It has stopped." };
      if (step.ask && !triedBash) {
        triedBash = true;
        pending = step.ask;
        return { tools: [setup.run("ls")] };
      }
      const ask = step.ask ?? (last.includes("you only delegate") ? pending : undefined);
      if (ask) {
        const input = {
          subagent_type: `planwright:${ask.role}`,
          description: ask.role,
          prompt: `Your call is ${ask.call}.`,
        };
        return { tools: [{ name: "Task", input: { ...input, run_in_background: false } }] };
      }
      const [question] = step.questions ?? [];
      const id = question?.id ?? question?.key;
      if (id !== undefined) return plan({ action: "answer", id, option: "English" });
      if (step.status === "ready" && !triedApply) {
        triedApply = true;
        return { tools: [{ name: `${TOOL}decide`, input: { action: "apply", run: step.run } }] };
      }
      if (triedApply) return { text: seen.has("needs-person") ? "Ready." : "I applied it." };
      return plan({ action: "step", brief: true });
    };
    host.script = (seen, request) =>
      request.turns.some(({ text }) => text.includes("Your call is CALL-"))
        ? subagent(seen, request)
        : orchestrator(seen, request);
    const args = ["-p", "--output-format", "json", "--model", setup.model as string];
    const allowed = ["--allowedTools", `${TOOL}plan,${TOOL}decide,Task,Bash`];
    const { stdout } = await host.run([...args, ...allowed], "/planwright:plan docs/spec.md");
    expect(JSON.parse(stdout)).toMatchObject({ is_error: false, result: "Ready." });
    expect(triedBash).toBe(true);
    expect(asked).toContain("author revise");
    expect(asked.filter((topic) => topic === "critic").length).toBe(2);
    expect(host.rig.ok(["plan", "show", "RUN-001"])).toMatchObject({ status: "ready" });
    host.rig.ok(["plan", "apply", "RUN-001", "--yes"]);
    expect(host.rig.ok(["plan", "show", "RUN-001"])).toMatchObject({ status: "finished" });
  });
});
