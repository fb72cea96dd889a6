// The settings of notifications: how people are told while a plan is carried out, and of what. Read only by what
// carries it out.

import { flag, isObject, type Judge, nullable, number, oneOf, shape, text, texts } from "./judges.js";
import { BadSetting, readSettingsFile, SETTINGS_FILE, type SettingsFile } from "./settings.js";

const KINDS = ["ready", "claimed", "completed", "rejected", "needs-person", "landed"] as const;

export interface NotificationSettings {
  /** Ring the terminal's bell. */
  readonly bell: boolean;
  readonly desktop: boolean;
  readonly webhook: {
    readonly url: string;
    /** Also without encryption, to another machine. */
    readonly allowHttp: boolean;
    readonly timeoutSeconds: number;
    readonly retries: number;
  } | null;
  /** A list is a program with its arguments; a text is read by the shell. Both get the news on standard input. */
  readonly command: string | readonly string[] | null;
  readonly news: readonly (typeof KINDS)[number][];
}

const DEFAULTS: NotificationSettings = {
  bell: false,
  desktop: false,
  webhook: null,
  command: null,
  news: ["rejected", "needs-person", "landed"],
};

const WEBHOOK = { allowHttp: false, timeoutSeconds: 10, retries: 3 };

const url: Judge = (value) => {
  const parsed = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  return parsed && /^https?:$/.test(parsed.protocol) ? undefined : "must be an http or https address";
};

const command: Judge = (value) => {
  if (typeof value === "string") return text(value);
  const what = texts(value);
  return what === undefined && (value as string[])[0]
    ? undefined
    : "must be a text, or a list that begins with a program";
};

const kinds: Judge = (value) => {
  if (!Array.isArray(value)) return "must be a list";
  return value.map(oneOf(...KINDS)).find((what) => what !== undefined);
};

const JUDGES: { readonly [K in keyof NotificationSettings]: Judge } = {
  bell: flag,
  desktop: flag,
  webhook: nullable(
    shape({ url, allowHttp: flag, timeoutSeconds: number(0.001, 600), retries: number(0, 20) }, ["url"]),
  ),
  command: nullable(command),
  news: kinds,
};

export const loadNotificationSettings = (root: string): NotificationSettings =>
  parseNotificationSettings(readSettingsFile(root));

export function parseNotificationSettings({ notifications: given = {} }: SettingsFile): NotificationSettings {
  if (!isObject(given)) throw new BadSetting(`notifications in ${SETTINGS_FILE} must be an object.`);
  const known = shape(JUDGES)(given);
  if (known !== undefined) throw new BadSetting(`notifications in ${SETTINGS_FILE} ${known}.`);
  const settled = { ...DEFAULTS, ...(given as Partial<NotificationSettings>) };
  return Object.freeze({ ...settled, webhook: settled.webhook && { ...WEBHOOK, ...settled.webhook } });
}
