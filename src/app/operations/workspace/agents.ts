// Operations on coding agents.

import { ok, type Result } from "../../../model/result.js";
import { type AgentList, type AgentTest, listAgents, testAgent } from "../../../planning/roles/list-agents.js";
import { operation } from "../../operation.js";
import { filled, input, number, optional } from "../../schema.js";

const TEST_MINUTES = 2;

const list = operation({
  name: "agents.list",
  summary: "List coding agents and the roles they serve",
  description:
    "Lists the agents that are known by name and those in planwright.json: whether each is installed, its version, what it can do, and the roles that it serves.",
  who: "both",
  effect: "runs",
  input: () => input({}),
  examples: [{ input: {}, does: "lists them" }],
  run: async (session): Promise<Result<AgentList>> => ok(await listAgents((await session.engines()).agents)),
});

const test = operation({
  name: "agents.test",
  summary: "Test an agent with one tiny question",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      name: filled("the agent", "NAME"),
      timeoutMinutes: optional(number("how long it may take (2)", 0.001, 1000)),
    }),
  examples: [{ input: { name: "claude" }, does: "asks Claude Code to add two numbers" }],
  run: async (session, { name, timeoutMinutes = TEST_MINUTES }): Promise<Result<AgentTest>> => {
    const { agents } = await session.engines();
    const { root: cwd, signal } = session;
    return testAgent(agents, { name, cwd, signal, timeoutMs: timeoutMinutes * 60_000 });
  },
});

export const agentsOperations = { "agents.list": list, "agents.test": test };
