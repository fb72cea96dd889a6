// Whether what a client says that a person answered counts as that person's answer. A client is a program, and could answer by itself:
// so a person has to have trusted it on this machine, and nothing may show that nobody sits in front of it.

import { agentOfCommand } from "../../config/actor.js";
import { loadMcpSettings } from "../../config/host-settings.js";
import type { Environment } from "../../machine/process/environment.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";

interface Place {
  readonly root: string;
  readonly env: Environment;
}

/** Variables of hosts that run without anybody, with the values that say so. */
const HEADLESS: readonly (readonly [variable: string, says: RegExp])[] = [
  ["CI", /^(?!(0|false)?$)/i],
  ["CLAUDE_CODE_ENTRYPOINT", /^(sdk|github|remote)/],
];

export function mayAskThrough({ root, env }: Place, client: string): Result<void> {
  const agent = agentOfCommand(env);
  if (agent !== undefined)
    return refused("not-asked", `A command of ${agent} started this server, so it does not ask you.`);
  const headless = HEADLESS.find(([variable, says]) => says.test(env[variable] ?? ""));
  if (headless) return refused("not-asked", `${headless[0]} says that there is no person to ask.`);
  const { askThrough } = loadMcpSettings(root, env);
  if (askThrough.includes(client)) return ok(undefined);
  const value = JSON.stringify([...askThrough, client]);
  return refused("not-asked", `You have not trusted ${client} to ask you.`, {
    next: [step("config.set", { key: "mcp.askThrough", value })],
  });
}
