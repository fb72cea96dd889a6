// The settings of the MCP server.

import * as z from "zod/mini";
import type { Environment } from "../machine/process/environment.js";
import { byDefault, objectOf, readSettings, someText } from "./schema.js";
import type { SettingsFile } from "./settings.js";
import { readTrust } from "./trust.js";

const MCP = objectOf({
  /** Clients by the names that they give themselves: what they say that you answered counts as your answer. */
  askThrough: byDefault(z.readonly(z.array(someText(), { error: "must be a list of names" })), []),
});

export type McpSettings = z.output<typeof MCP>;

export const loadMcpSettings = (root: string, env: Environment): McpSettings =>
  parseMcpSettings(readTrust(root, env).settings);

export const parseMcpSettings = ({ mcp = {} }: SettingsFile): McpSettings => readSettings(MCP, mcp, "mcp");
