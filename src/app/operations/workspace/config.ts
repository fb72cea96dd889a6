// Operations on settings.

import {
  isSettingKey,
  listSettings,
  readSetting,
  type SettingView,
  writeSetting,
} from "../../../config/all-settings.js";
import { BadSetting } from "../../../config/schema.js";
import { readTrust, type SettingChange, trustShown } from "../../../config/trust.js";
import { step } from "../../../model/next-step.js";
import { absent, ok, type Result, refused, usage } from "../../../model/result.js";
import { describeChanges } from "../../consent/require-trust.js";
import { operation } from "../../operation.js";
import { filled, flag, input, optional, refine, text } from "../../schema.js";
import type { Session } from "../../session.js";

const key = filled("the setting, such as execution.workers", "KEY");

const unknown = (name: string): Result<never> =>
  absent("unknown-setting", `There is no setting "${name.slice(0, 100)}".`, { next: [step("config.list")] });

function judged<T>(work: () => Result<T>): Result<T> {
  try {
    return work();
  } catch (error) {
    if (error instanceof BadSetting) return usage("bad-setting", error.message);
    throw error;
  }
}

const configList = operation({
  name: "config.list",
  summary: "List every setting, its value and where it comes from",
  who: "both",
  effect: "reads",
  input: () => input({ changed: optional(flag("only settings that are not at their default")) }),
  examples: [{ input: { changed: true }, does: "what this workspace sets itself" }],
  run: async ({ root, env }, { changed = false }): Promise<Result<readonly SettingView[]>> =>
    judged(() => ok(listSettings(root, env).filter(({ source }) => !changed || source !== "default"))),
});

const configGet = operation({
  name: "config.get",
  summary: "Show one setting and where its value comes from",
  who: "both",
  effect: "reads",
  input: () => input({ key }),
  examples: [{ input: { key: "execution.workers" }, does: "how many workers run at once" }],
  run: async ({ root, env }, asked): Promise<Result<SettingView>> =>
    judged(() => {
      const found = readSetting(root, env, asked.key);
      return found ? ok(found) : unknown(asked.key);
    }),
});

const configSet = operation({
  name: "config.set",
  summary: "Change a setting of this workspace",
  description:
    "The value is read as JSON where it is JSON, and as text otherwise. A value that the setting does not accept is refused, and nothing is written.",
  who: "person",
  effect: "writes",
  input: () =>
    refine(
      input({
        key,
        value: optional(text("the new value", "VALUE")),
        default: optional(flag("go back to the default")),
      }),
      ({ value, default: reset }) => (value === undefined) === (reset === true),
      "is needed, unless the setting goes back to its default",
      "value",
    ),
  examples: [
    { input: { key: "execution.workers", value: "4" }, does: "lets four workers run at once" },
    { input: { key: "roles.worker", value: '{"agent":"claude"}' }, does: "gives tasks to Claude Code" },
    { input: { key: "execution.workers", default: true }, does: "goes back to the default" },
  ],
  run: async (session, { key: name, value }): Promise<Result<SettingView>> =>
    judged(() => {
      if (!isSettingKey(name)) return unknown(name);
      writeSetting(session.root, session.env, name, value === undefined ? undefined : valueFrom(value));
      return ok(
        readSetting(session.root, session.env, name) ?? { key: name, value: null, default: null, source: "default" },
      );
    }),
});

export interface TrustView {
  /** What was trusted now. */
  readonly trusted: readonly SettingChange[];
  /** CI passes it in PLANWRIGHT_TRUST. */
  readonly hash: string;
}

const configTrust = operation({
  name: "config.trust",
  summary: "Trust this workspace's settings on this machine",
  description:
    "Settings that carry commands or lower protection count only after you trusted them, once per machine and change: agents, set-up commands, the sandbox, variables for workers, spending limits and the like. Until then they are ignored, and run stops. What you change with config set is trusted at once. CI passes the hash of the settings in PLANWRIGHT_TRUST.",
  who: "person",
  effect: "writes",
  input: () => input({ yes: optional(flag("do not ask for confirmation")) }),
  examples: [
    { input: {}, does: "shows what is new, asks, and trusts it" },
    { input: { yes: true }, does: "trusts it without a question" },
  ],
  run: async (session, { yes = false }): Promise<Result<TrustView>> => {
    const { root, env } = session;
    const found = readTrust(root, env);
    const { untrusted, hash } = found;
    if (untrusted.length === 0) return ok({ trusted: [], hash });
    if (!yes) {
      const sure = await confirmTrust(session, untrusted);
      if (!sure.ok) return sure;
    }
    if (trustShown(root, env, found)) return ok({ trusted: untrusted, hash });
    return refused("no-settings-folder", "Your settings folder cannot be written, so nothing was trusted.");
  },
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

function valueFrom(typed: string): unknown {
  try {
    const value: unknown = JSON.parse(typed);
    return value;
  } catch {
    return typed;
  }
}

export const configOperations = {
  "config.list": configList,
  "config.get": configGet,
  "config.set": configSet,
  "config.trust": configTrust,
};
