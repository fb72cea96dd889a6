// What plans, put together for a workspace that is open. No rule is in here.

import { hostname } from "node:os";
import { join } from "node:path";
import { folderSeenFrom } from "../../machine/git/files.js";
import { readHead } from "../../machine/git/refs.js";
import { type Environment, findCommand } from "../../machine/process/environment.js";
import { endOrphans, isAlive, noteChildrenIn, ownDriver } from "../../machine/process/orphans.js";
import { step } from "../../model/next-step.js";
import type { Context } from "../../plan/base/context.js";
import { removeReadingFolders } from "../../plan/repository/reading-folders.js";
import type { Role } from "../../planning/machine/machine.js";
import { surroundingsOf } from "../../planning/project.js";
import { chooseAgent, HOST, isOutlineStandIn, NO_AGENT, OUTLINE } from "../../planning/roles/agents.js";
import { outlineServer } from "../../planning/roles/outline-server.js";
import { openReadingFolder } from "../../planning/roles/reading-folder.js";
import { agentServer, hostServer, retryDelays } from "../../planning/roles/server.js";
import type { PlanningServices } from "../../planning/run/services.js";
import { StoreFault } from "../../store/fault.js";
import type { AgentRegistry } from "./agent-registry.js";

export const planningServices = (context: Context, env: Environment, agents: AgentRegistry): PlanningServices => ({
  context,
  limits: agents.settings,
  readProject: (which) => readProject(context, env, which),
  ...readingFolders(context),
  serverFor: (role, wish) => serverFor(agents, role, wish),
  isStandIn: (agent) => isOutlineStandIn(agent, agents.settings.roles, agents.installed.first()),
  redact: agents.redact,
  retryDelaysMs: retryDelays(agents.settings.retries),
  transcripts: join(context.root, ".planwright", "transcripts"),
  process: `${hostname()}/${process.pid}`,
  isAlive,
});

/** HEAD of the working tree that the caller stands in: a linked worktree has its own. */
async function readProject({ root, cwd }: Context, env: Environment, which: "commit" | "checkout") {
  const checkout = folderSeenFrom(cwd, root);
  const commit = which === "checkout" ? null : await readHead(checkout);
  const hasTool = (name: string): boolean => findCommand(name, env["PATH"], root) !== undefined;
  const place = { root, home: env["HOME"], hasTool };
  return surroundingsOf(commit === null ? place : { ...place, at: { commit, checkout } });
}

/** A git that still writes into a folder after its program was killed is ended before the folder goes. */
function readingFolders(context: Context): Pick<PlanningServices, "readingFolder" | "removeReadingFolders"> {
  const running = join(context.root, ".planwright", "running");
  const programs = { process: ownDriver(), isAlive };
  return {
    readingFolder: async (run) => {
      const folder = await openReadingFolder(context, run, programs);
      return { ...folder, layOut: (project) => noteChildrenIn(running, () => folder.layOut(project)) };
    },
    removeReadingFolders: async () => {
      await endOrphans(running);
      await removeReadingFolders(context, programs);
    },
  };
}

async function serverFor(agents: AgentRegistry, role: Role, wish: Parameters<PlanningServices["serverFor"]>[1]) {
  const chosen = wish.agent === null ? agents.serving(role) : chooseAgent(role, { "*": { agent: wish.agent } }, null);
  if (chosen.agent === NO_AGENT) return null;
  if (chosen.agent === OUTLINE) return outlineServer;
  if (chosen.agent === HOST) return hostServer();
  const agent = agents.open(chosen.agent);
  if (!agent) throw unknownAgent(chosen.agent);
  const wishes = agents.wishes({
    ...chosen,
    ...(wish.model !== null && { model: wish.model }),
    ...(wish.effort !== null && { effort: wish.effort }),
  });
  return agentServer({ agent, env: agent.env, ...wishes, record: agents.record });
}

const unknownAgent = (name: string): StoreFault =>
  new StoreFault({
    kind: "usage",
    reason: "unknown-agent",
    message: `There is no agent "${name}". Install it, or name it in planwright.json.`,
    next: [step("agents.list")],
  });
