// Views of settings.

import { harmless } from "../../../../app/text/harmless.js";
import type { SettingView } from "../../../../config/all-settings.js";
import { type Style } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

const shown = (value: unknown): string => harmless(typeof value === "string" ? value : JSON.stringify(value));

const line = ({ key, value, source }: SettingView, width: number, style: Style): string =>
  `${style.bold(key.padEnd(width))}  ${shown(value)}  ${style.dim(source)}`;

const configList: ViewOf<"config.list"> = {
  text: (all, style) => {
    if (all.length === 0) return style.dim("Every setting has its default.");
    let width = 0;
    for (const { key } of all) width = Math.max(width, key.length);
    return all.map((each) => line(each, width, style)).join("\n");
  },
};

const configGet: ViewOf<"config.get"> = {
  text: ({ value }) => shown(value),
  note: ({ source, default: usual }) => (source === "default" ? "" : `From ${source}. The default is ${shown(usual)}.`),
};

const configSet: ViewOf<"config.set"> = {
  text: ({ key, value }, style) => `${style.green("✓")} ${style.bold(key)} is ${shown(value)}`,
};

const configTrust: ViewOf<"config.trust"> = {
  text: ({ trusted }, style) =>
    trusted.length === 0
      ? style.dim("There is nothing to trust.")
      : trusted.map(({ key, found }) => `${style.green("✓")} ${style.bold(key)} is ${shown(found ?? null)}`).join("\n"),
  note: ({ hash }) => `CI trusts the same settings with PLANWRIGHT_TRUST=${hash}`,
};

export const configViews = {
  "config.list": configList,
  "config.get": configGet,
  "config.set": configSet,
  "config.trust": configTrust,
};
