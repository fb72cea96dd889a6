// Puts planning together: from the settings and the environment to a server for each role.

import { hostname } from "node:os";
import { join } from "node:path";
import type { Context } from "../actions/context.js";
import { loadPlanningSettings, type PlanningSettings } from "../config/planning-settings.js";
import { BadSetting } from "../config/schema.js";
import { step } from "../graph/next-step.js";
import { HOST, OUTLINE, type PlanningServices } from "../planning/driver/services.js";
import type { Role } from "../planning/machine/machine.js";
import { surroundingsOf } from "../planning/project.js";
import { chooseAgent, isOutlineStandIn, NO_AGENT } from "../planning/roles/choose-agent.js";
import { restoreSnapshot, snapshotFiles } from "../planning/roles/file-snapshot.js";
import { hostServer } from "../planning/roles/host-server.js";
import { outlineAnswer } from "../planning/roles/outline-server.js";
import { agentServer, programServer, type RoleServer } from "../planning/roles/server.js";
import { retryDelays } from "../planning/roles/transient.js";
import type { Environment } from "../process/environment.js";
import { isAlive } from "../process/liveness.js";
import { StoreFault } from "../store/fault.js";
import type { AgentRegistry } from "./agent-registry.js";

export function planningSettingsOf(root: string, env: Environment): PlanningSettings {
  try {
    return loadPlanningSettings(root, env);
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    throw new StoreFault({ kind: "usage", reason: "bad-setting", message: error.message });
  }
}

export const planningServices = (context: Context, env: Environment, agents: AgentRegistry): PlanningServices => ({
  context,
  limits: agents.settings,
  around: surroundingsOf(context.root, env["HOME"], env["PATH"] ?? ""),
  serverFor: (role, wish) => serverFor(context.root, agents, role, wish),
  isStandIn: (agent) => isOutlineStandIn(agent, agents.settings.roles, agents.installed.first()),
  redact: agents.redact,
  retryDelaysMs: retryDelays(agents.settings.retries),
  watchFiles: (agent, call) => watchFiles(context.root, agent, call),
  transcripts: join(context.root, ".planwright", "transcripts"),
  process: `${hostname()}/${process.pid}`,
  isAlive,
});

/** Without git there is no snapshot, and nothing can be put back. */
async function watchFiles(root: string, agent: string, call: string): ReturnType<PlanningServices["watchFiles"]> {
  const snapshot = agent === OUTLINE ? undefined : await snapshotFiles(root).catch(() => undefined);
  if (snapshot === undefined) return async () => null;
  const copies = join(".planwright", "put-back", call);
  return async () => {
    const files = await restoreSnapshot(root, snapshot, join(root, copies)).catch(() => []);
    return files.length === 0 ? null : { files, copies };
  };
}

async function serverFor(
  cwd: string,
  agents: AgentRegistry,
  role: Role,
  wish: Parameters<PlanningServices["serverFor"]>[1],
): Promise<RoleServer | null> {
  const chosen = wish.agent === null ? agents.serving(role) : chooseAgent(role, { "*": { agent: wish.agent } }, null);
  if (chosen.agent === NO_AGENT) return null;
  if (chosen.agent === OUTLINE) return programServer(OUTLINE, outlineAnswer);
  if (chosen.agent === HOST) return hostServer();
  const agent = agents.open(chosen.agent);
  if (!agent) throw unknownAgent(chosen.agent);
  const wishes = agents.wishes({
    ...chosen,
    ...(wish.model !== null && { model: wish.model }),
    ...(wish.effort !== null && { effort: wish.effort }),
  });
  return agentServer({ agent, cwd, env: agent.env, ...wishes, record: agents.record });
}

const unknownAgent = (name: string): StoreFault =>
  new StoreFault({
    kind: "usage",
    reason: "unknown-agent",
    message: `There is no agent "${name}". Install it, or name it in planwright.json.`,
    next: [step("agents.list")],
  });
