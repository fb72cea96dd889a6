// Stops work when the settings carry commands or lower protection and you have not trusted them on this machine.

import { readTrust, type SettingChange } from "../../config/trust.js";
import type { Environment } from "../../machine/process/environment.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import { spell } from "../kit/spell.js";

interface Place {
  readonly root: string;
  readonly env: Environment;
}

const valueText = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

/** One line each: what you trusted, and what the file says now. */
export const describeChanges = (changes: readonly SettingChange[]): string =>
  changes.map(({ key, trusted, found }) => `${key}: ${valueText(trusted)} → ${valueText(found)}`).join("\n");

export function requireTrust({ root, env }: Place): Result<void> {
  const { untrusted, hash } = readTrust(root, env);
  if (untrusted.length === 0) return ok(undefined);
  return refused(
    "untrusted-settings",
    `planwright.json has settings that you have not trusted on this machine:\n${describeChanges(untrusted)}`,
    { details: { untrusted, hash }, next: [step("config.trust")] },
  );
}

/** For everything else, which goes on without them. */
export function trustNotice({ root, env }: Place): string | undefined {
  const { untrusted } = readTrust(root, env);
  if (untrusted.length === 0) return undefined;
  const keys = untrusted.map(({ key }) => key).join(", ");
  const them = untrusted.length === 1 ? "it" : "them";
  return `Ignored ${keys} in planwright.json: you have not trusted ${them} on this machine. ${spell(step("config.trust"))} shows ${them} and asks.`;
}
