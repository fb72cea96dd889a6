import { listSettings, type SettingView } from "../../config/all-settings.js";
import { ok, type Result } from "../../model/result.js";
import { fields, flag, optional } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { judgedSettings } from "./config-shared.js";
import { shown } from "./config-text.js";

const line = ({ key, value, source }: SettingView, width: number, style: Style): string =>
  `${style.bold(key.padEnd(width))}  ${shown(value)}  ${style.dim(source)}`;

export const input = fields({ changed: optional(flag("only settings that are not at their default")) });

export const verb = planVerb({
  name: "config.list",
  command: { words: "config list", group: "tool" },
  summary: "List every setting, its value and where it comes from",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { changed: true }, does: "what this workspace sets itself" }],
  run: async ({ root, env }, { changed = false }): Promise<Result<readonly SettingView[]>> =>
    judgedSettings(() => ok(listSettings(root, env).filter(({ source }) => !changed || source !== "default"))),
  text: (all, style) => {
    if (all.length === 0) return style.dim("Every setting has its default.");
    let width = 0;
    for (const { key } of all) width = Math.max(width, key.length);
    return all.map((each) => line(each, width, style)).join("\n");
  },
});
