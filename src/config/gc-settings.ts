// The settings of cleaning up: how long what work leaves behind is kept. They need your trust, because a shorter time removes
// evidence.

import type * as z from "zod/mini";
import type { Environment } from "../machine/process/environment.js";
import { between, byDefault, objectOf, oneOf, readSettings } from "./schema.js";
import type { SettingsFile } from "./settings.js";
import { readTrust } from "./trust.js";

const GC = objectOf({
  /** How long transcripts of agents are kept after the last line. */
  transcriptDays: byDefault(between(0, 100_000), 90),
  /** How long everything else is kept: bundles of finished tasks, replaced plans, backups of upgrades, refs, temporary files. */
  leftoverDays: byDefault(between(0, 100_000), 90),
  /** Pack loose objects of the repository when there are as many as git's own limit, or never. */
  repository: byDefault(oneOf("auto", "off"), "auto"),
});

export type GcSettings = z.output<typeof GC>;

export const loadGcSettings = (root: string, env: Environment): GcSettings =>
  parseGcSettings(readTrust(root, env).settings);

export const parseGcSettings = ({ gc = {} }: SettingsFile): GcSettings => readSettings(GC, gc, "gc");
