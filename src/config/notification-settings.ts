// The settings of notifications: how you hear of events while a plan is carried out, and of which. Only commands that
// run work read them.

import * as z from "zod/mini";
import { between, byDefault, objectOf, oneOf, someText, trueOrFalse } from "./settings.js";
import { settingsPart } from "./trust.js";

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const ADDRESS = { error: "must be an http or https address" };
const PROGRAM = { error: "must be a text, or a list that begins with a program" };

const NOTIFICATIONS = objectOf({
  /** Ring the terminal's bell. */
  bell: byDefault(trueOrFalse(), false),
  desktop: byDefault(trueOrFalse(), false),
  webhook: byDefault(
    z.nullable(
      objectOf({
        url: z.string(ADDRESS).check(z.refine(isWebAddress, ADDRESS)),
        /** Send it to another machine even without encryption. */
        allowHttp: byDefault(trueOrFalse(), false),
        timeoutSeconds: byDefault(between(0.001, 600), 10),
        retries: byDefault(between(0, 20), 3),
      }),
    ),
    null,
  ),
  /** A list is a program with its arguments; a text is read by the shell. Both get the news on standard input. */
  command: byDefault(
    z.nullable(
      z.union([someText(), z.readonly(z.array(z.string()).check(z.refine(([program]) => Boolean(program))))], PROGRAM),
    ),
    null,
  ),
  news: byDefault(
    z.readonly(
      z.array(oneOf("ready", "claimed", "completed", "rejected", "needs-person", "landed"), {
        error: "must be a list",
      }),
    ),
    ["rejected", "needs-person", "landed"],
  ),
});

export type NotificationSettings = z.output<typeof NOTIFICATIONS>;

export const { parse: parseNotificationSettings, load: loadNotificationSettings } = settingsPart(
  "notifications",
  NOTIFICATIONS,
);
