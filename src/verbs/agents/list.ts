import { type AgentView, listAgents } from "../../planning/roles/agents.js";
import { joined, ok, planVerb, type Style, step } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "agents", group: "plan", aliases: ["agents list"] },
  summary: "List coding agents and the roles they serve",
  description:
    "Lists the agents that are known by name and those in planwright.json: whether each is installed, its version, what it can do, and the roles that it serves.",
  effect: "runs",
  examples: [{ input: {}, does: "lists them" }],
  run: async (session) => ok(await listAgents((await session.engines()).agents)),
  text: ({ agents, roles }, style) => {
    const servedBy = (name: string): string[] => Object.keys(roles).filter((role) => roles[role] === name);
    const outline = servedBy("outline");
    const unserved = servedBy("none").filter((role) => role !== "reviewer");
    return [
      ...agents.map((agent) => agentLines(agent, style)),
      ...(outline.length === 0
        ? []
        : [
            `${style.green("●")} ${style.bold("outline".padEnd(10))} the built-in planner, needs no model`,
            `    serves ${outline.join(", ")}`,
          ]),
      ...(unserved.length === 0 ? [] : [style.dim(`No agent is configured for ${joined(unserved)}.`)]),
      ...(roles["reviewer"] === "none" ? [style.dim(NO_REVIEWS)] : []),
    ].join("\n");
  },
  next: ({ agents }) => {
    const installed = agents.find((agent) => agent.installed);
    return [installed ? step("agents.test", { name: installed.name }) : step("plan.start", {}, "source")];
  },
});

const NO_REVIEWS = "No agent reviews work: the settings name no reviewer (roles.reviewer). A review costs tokens.";

function agentLines({ name, title, installed, version, capabilities, serves, install }: AgentView, style: Style) {
  const mark = installed ? style.green("●") : style.dim("○");
  const head = `${mark} ${style.bold(name.padEnd(10))} ${title}${version === null ? "" : ` ${version}`}`;
  if (!installed) return `${head} ${style.dim(`not installed: ${install}`)}`;
  const { resume, structured, usage } = capabilities;
  const can = [...(resume ? ["can resume"] : []), `structured output (${structured})`, `usage: ${usage}`];
  const roles = serves.length > 0 ? [`    serves ${serves.join(", ")}`] : [];
  return [head, style.dim(`    ${can.join(", ")}`), ...roles].join("\n");
}
