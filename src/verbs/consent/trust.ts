// Stops work when the settings are not what you trusted on this machine.

import { agentOfCommand } from "../../config/actor.js";
import { loadMcpSettings } from "../../config/host-settings.js";
import { readTrust, type SettingChange } from "../../config/trust.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import { spell } from "../kit/spell.js";
import { nameInLine } from "../kit/wording.js";
import type { PlanSite } from "./person.js";

const valueText = (value: unknown): string => (value === undefined ? "nothing" : nameInLine(JSON.stringify(value)));

/** One line each: what you trusted, and what the file says now. */
export const describeChanges = (changes: readonly SettingChange[]): string =>
  changes
    .map(({ key, trusted, found }) => `${nameInLine(key)}: ${valueText(trusted)} → ${valueText(found)}`)
    .join("\n");

export function requireTrust({ root, env }: PlanSite): Result<void> {
  const { untrusted, hash } = readTrust(root, env);
  if (untrusted.length === 0) return ok(undefined);
  const message = `planwright.json differs from what you trusted on this machine:\n${describeChanges(untrusted)}`;
  return refused("untrusted-settings", message, { details: { untrusted, hash }, next: [step("config.trust")] });
}

/** What to say where work goes on without these settings. */
export function trustNotice({ root, env }: PlanSite): string | undefined {
  const { untrusted } = readTrust(root, env);
  const sentences = [
    sentence(
      untrusted,
      true,
      (keys, are) =>
        `Ignored ${keys} in planwright.json: you have not trusted ${are === "is" ? "it" : "them"} on this machine.`,
    ),
    sentence(
      untrusted,
      false,
      (keys, are) => `${keys} ${are} gone from planwright.json and no longer ${are === "is" ? "counts" : "count"}.`,
    ),
  ].flatMap((each) => each ?? []);
  if (sentences.length === 0) return undefined;
  return `${sentences.join(" ")} ${spell(step("config.trust"))} shows what changed and asks.`;
}

function sentence(
  changes: readonly SettingChange[],
  isThere: boolean,
  words: (keys: string, are: "is" | "are") => string,
): string | undefined {
  const keys = changes.filter(({ found }) => (found !== undefined) === isThere).map(({ key }) => nameInLine(key));
  return keys.length === 0 ? undefined : words(keys.join(", "), keys.length === 1 ? "is" : "are");
}

/** Variables of hosts that run without anybody, with the values that say so. */
const HEADLESS: readonly (readonly [variable: string, says: RegExp])[] = [
  ["CI", /^(?!(0|false)?$)/i],
  ["CLAUDE_CODE_ENTRYPOINT", /^(sdk|github|remote)/],
];

export function mayAskThrough({ root, env }: PlanSite, client: string): Result<void> {
  const agent = agentOfCommand(env);
  if (agent !== undefined)
    return refused("not-asked", `A command of ${agent} started this server, so it does not ask you.`);
  const headless = HEADLESS.find(([variable, says]) => says.test(env[variable] ?? ""));
  if (headless) return refused("not-asked", `${headless[0]} says that there is no person to ask.`);
  const { askThrough } = loadMcpSettings(root, env);
  if (askThrough.includes(client)) return ok(undefined);
  const value = JSON.stringify([...askThrough, client]);
  const message = `You have not trusted ${client} to ask you.`;
  return refused("not-asked", message, { next: [step("config.set", { key: "mcp.askThrough", value })] });
}
