import { listSettings } from "../../config/all-settings.js";
import { absent, fields, filled, flag, ok, optional, planVerb, type Result, step, widest } from "../kit/verb.js";
import { harmless } from "../kit/wording.js";

export const input = fields({ changed: optional(flag("only settings that are not at their default")) });

export const verb = planVerb({
  command: { words: "config", group: "tool", aliases: ["config list"] },
  summary: "List every setting, its value and where it comes from",
  effect: "reads",
  input,
  examples: [{ input: { changed: true }, does: "what this workspace sets itself" }],
  run: async ({ root, env }, { changed = false }) =>
    ok(listSettings(root, env).filter(({ source }) => !changed || source !== "default")),
  text: (all, style) => {
    if (all.length === 0) return style.dim("Every setting has its default.");
    const width = widest(all.map(({ key }) => key));
    return all.map(
      ({ key, value, source }) => `${style.bold(key.padEnd(width))}  ${shown(value)}  ${style.dim(source)}`,
    );
  },
});

export const shown = (value: unknown): string => harmless(typeof value === "string" ? value : JSON.stringify(value));

export const settingKey = () => filled("the setting, such as execution.workers", "KEY");

export const unknown = (name: string): Result<never> =>
  absent("unknown-setting", `There is no setting "${name.slice(0, 100)}".`, { next: [step("config.list")] });
