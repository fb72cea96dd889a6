import { BadSetting } from "../../config/settings.js";
import { step } from "../../model/next-step.js";
import { absent, type Result, usage } from "../../model/result.js";
import { filled } from "../kit/schema.js";

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
