// Nodes written one JSON object per line. One bad line, and there are none.

import { parseNode } from "../../graph/node/content.js";
import { ok, type Result, usage } from "../../graph/result.js";
import type { Addition } from "./add.js";

export function parseNodeLines(text: string): Result<Addition[]> {
  const additions: Addition[] = [];
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    if (line.trim() === "") continue;
    const where = `line ${index + 1}`;
    let value: unknown;
    try {
      value = JSON.parse(index === 0 ? line.replace(/^\ufeff/, "") : line);
    } catch (error) {
      return usage("bad-json", `${where} is not valid JSON: ${(error as Error).message}. Nothing was added.`, {
        hint: "Each line must be one JSON object; `planwright add --help` lists its fields.",
        details: { line: index + 1 },
      });
    }
    const addition = parseAddition(value, where);
    if (!addition.ok) {
      return { ok: false, error: { ...addition.error, details: { ...addition.error.details, line: index + 1 } } };
    }
    additions.push(addition.value);
  }
  return ok(additions);
}

/** One node from anywhere; `where` names the place for a person. */
export function parseAddition(value: unknown, where: string): Result<Addition> {
  const node = parseNode(value, where);
  return node.ok ? ok({ input: node.value, where }) : node;
}
