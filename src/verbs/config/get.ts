import { readSetting } from "../../config/all-settings.js";
import { fields, ok, planVerb } from "../kit/verb.js";
import { settingKey, shown, unknown } from "./list.js";

export const input = fields({ key: settingKey() });

export const verb = planVerb({
  command: { words: "config get", group: "tool", positional: ["key"] },
  summary: "Show one setting and where its value comes from",
  effect: "reads",
  input,
  examples: [{ input: { key: "execution.workers" }, does: "how many workers run at once" }],
  run: async ({ root, env }, { key }) => {
    const found = readSetting(root, env, key);
    return found ? ok(found) : unknown(key);
  },
  text: ({ value }) => shown(value),
  note: ({ source, default: usual }) => (source === "default" ? "" : `From ${source}. The default is ${shown(usual)}.`),
});
