import { testAgent } from "../../planning/roles/agents.js";
import { durationText, fields, filled, number, optional, planVerb, plural } from "../kit/verb.js";

export const input = fields({
  name: filled("the agent", "NAME"),
  timeoutMinutes: optional(number("how long it may take (2)", 0.001, 1000)),
});

export const verb = planVerb({
  command: { words: "agents test", group: "plan", positional: ["name"] },
  summary: "Test an agent with one tiny question",
  effect: "runs",
  input,
  examples: [{ input: { name: "claude" }, does: "asks Claude Code to add two numbers" }],
  run: async (session, { name, timeoutMinutes = TEST_MINUTES }) => {
    const { agents } = await session.engines();
    const { root: cwd, signal } = session;
    return testAgent(agents, { name, cwd, signal, timeoutMs: timeoutMinutes * 60_000 });
  },
  text: ({ name, durationMs, usage: { inputTokens, outputTokens } }, style) =>
    `${style.green("✓")} ${name} answered in ${durationText(durationMs)} (${plural(inputTokens + outputTokens, "token")})`,
});

const TEST_MINUTES = 2;
