import { keepTrusted, readTrust, type SettingChange } from "../../config/trust.js";
import { describeChanges } from "../consent/trust.js";
import { fields, flag, ok, optional, planVerb, type Result, refused, type Session, step } from "../kit/verb.js";
import { shown } from "./list.js";

export const input = fields({ yes: optional(flag("do not ask for confirmation")) });

export const verb = planVerb({
  command: { words: "config trust", group: "tool" },
  summary: "Trust this workspace's settings on this machine",
  description:
    "Settings that carry commands or lower protection count only after you trusted them, once per machine and change: agents, set-up commands, the sandbox, variables for workers, spending limits and the like. Until then they are ignored, and run stops. What you change with config set is trusted at once. CI passes the hash of the settings in PLANWRIGHT_TRUST.",
  who: "person",
  effect: "writes",
  input,
  examples: [
    { input: {}, does: "shows what is new, asks, and trusts it" },
    { input: { yes: true }, does: "trusts it without a question" },
  ],
  run: async (session, { yes = false }) => {
    const { root, env } = session;
    const { untrusted, hash } = readTrust(root, env);
    if (untrusted.length === 0) return ok({ trusted: [], hash });
    if (!yes) {
      const sure = await confirmTrust(session, untrusted);
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

async function confirmTrust(session: Session, untrusted: readonly SettingChange[]): Promise<Result<void>> {
  const details = { untrusted };
  if (!session.confirm) {
    const message = `Trusting needs confirmation: ${describeChanges(untrusted)}`;
    return refused("needs-yes", message, { details, next: [step("config.trust", { yes: true })] });
  }
  if (await session.confirm(`${describeChanges(untrusted)}\nTrust this?`)) return ok(undefined);
  return refused("declined", "Nothing was trusted.", { details });
}
