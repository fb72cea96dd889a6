// An agent has one name, whether it runs commands, calls tools or is asked about by a hook.

/** What agents call themselves as clients of MCP, where that is another name than the one that their environment shows. */
const AGENTS: Readonly<Record<string, string>> = {
  "codex-mcp-client": "codex",
  "gemini-cli-mcp-client": "gemini-cli",
};

export const agentOfClient = (client: string): string =>
  Object.hasOwn(AGENTS, client) ? `agent:${AGENTS[client]}` : `agent:${client}`;
