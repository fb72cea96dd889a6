import { listSettings, type SettingView } from "../../config/all-settings.js";
import { BadSetting } from "../../config/settings.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result, usage } from "../../model/result.js";
import { fields, filled, flag, optional } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/wording.js";

export const shown = (value: unknown): string => harmless(typeof value === "string" ? value : JSON.stringify(value));

export const settingKey = filled("the setting, such as execution.workers", "KEY");

export const unknown = (name: string): Result<never> =>
  absent("unknown-setting", `There is no setting "${name.slice(0, 100)}".`, { next: [step("config.list")] });

export function judgedSettings<T>(work: () => Result<T>): Result<T> {
  try {
    return work();
  } catch (error) {
    if (error instanceof BadSetting) return usage("bad-setting", error.message);
    throw error;
  }
}

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
