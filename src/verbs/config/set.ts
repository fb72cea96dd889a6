import { isSettingKey, readSetting, writeSetting } from "../../config/all-settings.js";
import { fields, flag, fromJson, ok, optional, planVerb, rule, text } from "../kit/verb.js";
import { settingKey, shown, unknown } from "./list.js";

export const input = fields({
  key: settingKey(),
  value: optional(text("the new value", "VALUE")),
  default: optional(flag("go back to the default")),
}).check(
  rule(
    "value",
    "is needed, unless the setting goes back to its default",
    ({ value, default: reset }) => (value === undefined) === (reset === true),
  ),
);

export const verb = planVerb({
  command: { words: "config set", group: "tool", positional: ["key", "value"] },
  summary: "Change a setting of this workspace",
  description:
    "The value is read as JSON where it is JSON, and as text otherwise. A value that the setting does not accept is refused, and nothing is written.",
  who: "person",
  effect: "writes",
  input,
  examples: [
    { input: { key: "execution.workers", value: "4" }, does: "lets four workers run at once" },
    { input: { key: "roles.worker", value: '{"agent":"claude"}' }, does: "gives tasks to Claude Code" },
    { input: { key: "execution.workers", default: true }, does: "goes back to the default" },
  ],
  run: async ({ root, env }, { key, value }) => {
    if (!isSettingKey(key)) return unknown(key);
    writeSetting(root, env, key, value === undefined ? undefined : fromJson(value));
    return ok(readSetting(root, env, key) ?? { key, value: null, default: null, source: "default" });
  },
  text: ({ key, value }, style) => `${style.green("✓")} ${style.bold(key)} is ${shown(value)}`,
});
