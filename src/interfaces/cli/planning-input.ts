// From what was typed after `plan`, `expand` or `review` to a request: an idea, a file, a stream, or a node.

import { readFileSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { absent, ok, type Result, usage } from "../../app/vocabulary.js";
import type { Request } from "../../planning/driver/begin.js";
import type { App, Flag, Input } from "./command.js";

export const PLANNING_FLAGS: Readonly<Record<string, Flag>> = {
  agent: { type: "string", value: "NAME", help: "let this agent serve every role; outline needs no model" },
  model: { type: "string", value: "MODEL", help: "the model, instead of the configured one" },
  effort: {
    type: "string",
    value: "EFFORT",
    help: "low, medium or high: how hard the agents think",
    choices: ["low", "medium", "high"],
  },
  clean: { type: "boolean", help: "without lessons of earlier work" },
  level: {
    type: "string",
    value: "LEVEL",
    help: "how strict the lint is: lenient, normal or strict (normal)",
    choices: ["lenient", "normal", "strict"],
  },
  "timeout-minutes": {
    type: "number",
    min: 0.001,
    max: 100_000,
    value: "N",
    help: "how long one role call may take (30)",
  },
  "max-cost": {
    type: "number",
    min: 0,
    max: 1_000_000,
    value: "USD",
    help: "ask no role any more once the run has cost this",
  },
  "max-tokens": {
    type: "number",
    min: 1,
    max: 1e12,
    value: "N",
    help: "ask no role any more once the run has used this many",
  },
  defaults: { type: "boolean", help: "take the default of every question instead of asking" },
};

type Limits = {
  readonly roleTimeoutMinutes: number;
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
};

/** What every request has in common. */
export function baseRequest(input: Input, mode: Request["mode"], limits: Limits): Request {
  return {
    mode,
    kind: "node",
    text: undefined,
    node: null,
    earlier: null,
    source: null,
    from: null,
    stack: input.text("stack") ?? null,
    target: input.text("target") ?? null,
    agent: input.text("agent") ?? null,
    model: input.text("model") ?? null,
    effort: (input.text("effort") as Request["effort"] | undefined) ?? null,
    clean: input.has("clean"),
    research: input.has("research"),
    level: (input.text("level") as Request["level"] | undefined) ?? "normal",
    timeoutMs: (input.number("timeout-minutes") ?? limits.roleTimeoutMinutes) * 60_000,
    maxCostUsd: input.number("max-cost") ?? limits.maxCostUsd,
    maxTokens: input.number("max-tokens") ?? limits.maxTokens,
    defaults: input.has("defaults"),
    commitTo: null,
  };
}

/** The words of a spec, byte for byte, and where they came from. */
export interface SpecText {
  readonly text: string;
  readonly kind: "idea" | "file" | "stdin";
  readonly source: string | null;
}

/** A file if there is one of that name; otherwise an idea in words. */
export async function readSpec(word: string, app: App, root: string): Promise<Result<SpecText>> {
  if (word === "-") return decode(await app.readStdin(), "Standard input", "stdin", null);
  const path = resolve(app.cwd, word);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) {
    const inside = relative(root, path);
    const source = inside.startsWith(`..${sep}`) || inside === ".." ? path : inside.split(sep).join("/");
    return decode(readFileSync(path), word, "file", source);
  }
  if (found?.isDirectory()) return usage("is-folder", `${word} is a folder.`, { hint: "Name a file in it." });
  if (/^[^\s"']+\.(md|markdown|txt|rst|adoc)$/i.test(word)) {
    return absent("no-file", `There is no file ${word}.`, {
      hint: "Name a file that exists, or write the idea in quotes.",
    });
  }
  return ok({ text: word, kind: "idea", source: null });
}

function decode(bytes: Uint8Array, where: string, kind: SpecText["kind"], source: string | null): Result<SpecText> {
  try {
    return ok({ text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), kind, source });
  } catch {
    return usage("bad-encoding", `${where} is not UTF-8 text.`, {
      hint: "Save it as UTF-8, then run the command again.",
    });
  }
}
