import { rememberTools } from "../../config/tool-environment.js";
import { keepTrusted, readTrust, type SettingChange } from "../../config/trust.js";
import { describeChanges } from "../consent/trust.js";
import { fields, filled, flag, ok, optional, planVerb, type Result, refused, type Session, step } from "../kit/verb.js";
import { shown } from "./list.js";

export const input = fields({
  seen: optional(filled("trust exactly the settings with this hash, which you were shown", "HASH")),
  yes: optional(flag("do not ask for confirmation")),
});

export const verb = planVerb({
  command: { words: "config trust", group: "tool" },
  summary: "Trust this workspace's settings on this machine",
  description:
    "Only harmless settings count by themselves. All others count once you trusted them, on this machine and for this repository: agents and roles, commands, the sandbox, variables for workers, limits, what is kept and the like. Until then they are ignored, and run stops. A setting that leaves planwright.json is trusted no longer, also if it comes back. What you change with config set is trusted at once. CI passes the hash of the settings in PLANWRIGHT_TRUST.",
  who: "person",
  effect: "writes",
  input,
  examples: [
    { input: {}, does: "shows what is new, asks, and trusts it" },
    { input: { yes: true }, does: "trusts it without a question" },
  ],
  run: async (session, { seen, yes = false }) => {
    const { root, env } = session;
    rememberTools(root, env);
    const { untrusted, hash } = readTrust(root, env);
    if (untrusted.length === 0) return ok({ trusted: [], hash });
    if (seen !== undefined && seen !== hash) return changedSince(hash);
    if (seen === undefined && !yes) {
      const sure = await confirmTrust(session, untrusted, hash);
      if (!sure.ok) return sure;
    }
    if (keepTrusted(root, env, untrusted)) return ok({ trusted: untrusted, hash });
    return refused("no-settings-folder", "Your settings folder cannot be written, so nothing was trusted.");
  },
  text: ({ trusted }, style) =>
    trusted.length === 0
      ? style.dim("There is nothing to trust.")
      : trusted.map(({ key, found }) => `${style.green("✓")} ${style.bold(key)} is ${shown(found ?? null)}`),
  note: ({ hash }) => `CI trusts the same settings with PLANWRIGHT_TRUST=${hash}`,
});

async function confirmTrust(
  session: Session,
  untrusted: readonly SettingChange[],
  hash: string,
): Promise<Result<void>> {
  const details = { untrusted };
  if (!session.confirm) {
    const message = `Trusting needs confirmation:\n${describeChanges(untrusted)}`;
    return refused("needs-yes", message, { details, next: [step("config.trust", { seen: hash })] });
  }
  if (await session.confirm(`${describeChanges(untrusted)}\nTrust this?`)) return ok(undefined);
  return refused("declined", "Nothing was trusted.", { details });
}

const changedSince = (hash: string): Result<never> =>
  refused("preview-outdated", "planwright.json changed since you saw it, so nothing was trusted. Look at it again.", {
    details: { now: hash },
    next: [step("config.trust")],
  });
