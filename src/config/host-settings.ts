// The settings of hooks inside coding agents: what they do, for every host and for each.

import * as z from "zod/mini";
import type { Environment } from "../machine/process/environment.js";
import { byDefault, objectOf, oneOf, someText, trueOrFalse } from "./settings.js";
import { settingsPart } from "./trust.js";

const policy = () => oneOf("off", "note", "ask", "refuse");

const SWITCHES = {
  /** A message such as "next", or one that names a node, comes with a word about the plan. */
  routing: trueOrFalse,
  /** What follows from an edit outside of the footprint of the claimed task. */
  footprint: policy,
  /** What follows from an edit in the main checkout without a claim, while the plan has work. */
  mainCheckout: policy,
  /** What follows when a conversation acts itself while it plans with subagents. */
  delegate: policy,
  /** Keep an agent from stopping while its task is open. */
  stop: trueOrFalse,
  /** Tell an agent about the plan when it begins, and when its conversation is compacted. */
  prime: trueOrFalse,
};

const ONE = () =>
  byDefault(
    objectOf({
      routing: z.exactOptional(SWITCHES.routing()),
      footprint: z.exactOptional(SWITCHES.footprint()),
      mainCheckout: z.exactOptional(SWITCHES.mainCheckout()),
      delegate: z.exactOptional(SWITCHES.delegate()),
      stop: z.exactOptional(SWITCHES.stop()),
      prime: z.exactOptional(SWITCHES.prime()),
    }),
    {},
  );

const HOSTS = objectOf({
  routing: byDefault(SWITCHES.routing(), true),
  footprint: byDefault(SWITCHES.footprint(), "refuse"),
  mainCheckout: byDefault(SWITCHES.mainCheckout(), "note"),
  delegate: byDefault(SWITCHES.delegate(), "refuse"),
  stop: byDefault(SWITCHES.stop(), true),
  prime: byDefault(SWITCHES.prime(), true),
  claude: ONE(),
  codex: ONE(),
  gemini: ONE(),
  copilot: ONE(),
});

/** Hosts that have hooks. */
export const HOOKED_HOSTS = ["claude", "codex", "gemini", "copilot"] as const;
export type HookedHost = (typeof HOOKED_HOSTS)[number];

const HOSTS_PART = settingsPart("hosts", HOSTS);

export const parseHostSettings = HOSTS_PART.parse;

/** The settings that count for one host: its own before those of all. */
export function loadHostSettings(root: string, env: Environment, host: HookedHost) {
  const all = HOSTS_PART.load(root, env);
  const own = { ...all, ...all[host] };
  return { ...own, routing: own.routing && env["PLANWRIGHT_ROUTING"] !== "off" };
}

// The settings of the MCP server.

const MCP = objectOf({
  /** Clients by the names that they give themselves: what they say that you answered counts as your answer. */
  askThrough: byDefault(z.readonly(z.array(someText(), { error: "must be a list of names" })), []),
});

export const { parse: parseMcpSettings, load: loadMcpSettings } = settingsPart("mcp", MCP);
