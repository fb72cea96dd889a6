// The program and what it starts: Node, settings, coding agents, sandbox.

import { howToConfine } from "../../machine/sandbox/sandbox.js";
import { step } from "../../model/next-step.js";
import { sandboxHere } from "../safety/sandbox-here.js";
import type { Patient } from "./doctor.js";
import { type Examined, fine, remark, wrong } from "./finding.js";

/** As in package.json. */
const OLDEST_NODE = [20, 19] as const;

export function examineNode(): Examined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const message = `Node ${process.versions.node}`;
  return isOld ? wrong(`${message} is too old.`, `Install Node ${OLDEST_NODE.join(".")} or newer.`) : fine(message);
}

export async function examineConfiguration({ root, env }: Patient): Promise<Examined> {
  const { listSettings } = await import("../../config/all-settings.js");
  const { BadSetting, SETTINGS_FILE } = await import("../../config/schema.js");
  try {
    const set = listSettings(root, env).filter(({ source }) => source !== "default");
    return fine(set.length === 0 ? "all defaults" : `set: ${set.map(({ key }) => key).join(", ")}`);
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    return wrong(error.message, `Correct ${SETTINGS_FILE}, or remove the setting from it.`);
  }
}

export async function examineAgents({ exists, env, open }: Patient): Promise<Examined> {
  if (!exists) return remark("not examined: there is no plan here");
  const { openEngines } = await import("../services/engines.js");
  const { listAgents } = await import("../../planning/roles/agents.js");
  const { agents, roles } = await listAgents(openEngines(await open(), env).agents);
  const installed = agents
    .filter((agent) => agent.installed)
    .map(({ name, version }) => `${name} ${version ?? ""}`.trim());
  const list = installed.length === 0 ? "no coding agent is installed" : installed.join(", ");
  const serving = (role: string) => agents.find(({ name }) => name === roles[role]);
  for (const role of ["worker", "reviewer"]) {
    const agent = serving(role);
    if (!agent || agent.installed) continue;
    const next = [step("agents.list")];
    return wrong(
      `roles.${role} is ${agent.name}, which is not installed; ${list}`,
      `Install it: ${agent.install}`,
      next,
    );
  }
  const [worker, reviewer] = [serving("worker"), serving("reviewer")];
  const reviews = reviewer ? `, ${reviewer.name} reviews them` : "";
  if (worker) return fine(`${list}; ${worker.name} does tasks${reviews}`);
  const fix = "Install a coding agent, or give tasks commands that do them.";
  return remark(`${list}; no agent does tasks`, fix, [step("agents.list")]);
}

export async function examineSandbox({ root, env }: Patient): Promise<Examined> {
  const { loadExecutionSettings } = await import("../../config/execution-settings.js");
  const { sandbox } = loadExecutionSettings(root, env);
  const found = await sandboxHere(root, env);
  if (!found.ok) return wrong(found.error.message, howToConfine(), found.error.next ?? []);
  if (found.value.kind !== "none") return fine(`workers run in ${found.value.kind}`);
  const fix = sandbox === "off" ? "Set execution.sandbox to auto." : howToConfine();
  return remark(`workers run without a sandbox: ${found.value.why}`, fix);
}
