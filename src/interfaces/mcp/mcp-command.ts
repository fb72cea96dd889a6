// The command `planwright mcp`: which way to serve, from its words.

import { ok, type Result, usage } from "../../app/vocabulary.js";
import { serveMcpStdio } from "./serve-stdio.js";
import type { McpOptions } from "./server.js";

export async function serveMcp(words: readonly string[], options: McpOptions): Promise<Result<void>> {
  const [unknown] = words;
  if (unknown !== undefined) return usage("usage", `planwright mcp takes no "${unknown.slice(0, 60)}".`);
  await serveMcpStdio(options, { input: process.stdin, output: process.stdout });
  return ok(undefined);
}
