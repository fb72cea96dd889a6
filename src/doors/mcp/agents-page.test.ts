// Every configuration that docs/agents.md shows can be read, and starts the server.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { TOOLS } from "./tools.js";

const PAGE = readFileSync(resolve(import.meta.dirname, "../../../docs/agents.md"), "utf8");

/** The fenced blocks below each heading. */
const blocks = PAGE.split(/^### /m)
  .slice(1)
  .flatMap((section) => {
    const [host = ""] = section.split("\n");
    return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({ host, kind, text }));
  });

/** As far as the page needs TOML: one table of texts and lists of texts. */
function readToml(text: string): Record<string, Record<string, unknown>> {
  const tables: Record<string, Record<string, unknown>> = {};
  let table: Record<string, unknown> = {};
  for (const line of text.trim().split("\n")) {
    const [, header] = /^\[([\w.]+)\]$/.exec(line) ?? [];
    if (header === undefined) {
      const [, field = "", value = ""] = /^(\w+) = (.+)$/.exec(line) ?? [];
      table[field] = JSON.parse(value);
    } else table = tables[header] = {};
  }
  return tables;
}

const HOSTS = ["Claude Code", "Codex", "Gemini CLI", "opencode", "Cursor", "Copilot CLI"];

const COMMAND = ["planwright", "mcp"];

function commandIn(kind: string, text: string): unknown {
  if (kind === "sh") return text.trim().split(" -- ")[1]?.split(" ");
  if (kind === "toml") {
    const { command, args } = readToml(text)["mcp_servers.planwright"] ?? {};
    return [command, args].flat();
  }
  const { mcpServers, mcp } = JSON.parse(text) as Record<string, Record<string, Record<string, unknown>>>;
  const { command, args = [] } = (mcpServers ?? mcp)?.["planwright"] ?? {};
  return [command, args].flat();
}

describe("the page about agents", () => {
  it("has a section for each host", () => {
    expect([...new Set(blocks.map(({ host }) => host))]).toEqual(HOSTS);
  });

  it.each(blocks)("shows how to start the server from $host ($kind)", ({ kind = "", text = "" }) => {
    expect(commandIn(kind, text)).toEqual(COMMAND);
  });

  it("names every tool", () => {
    const [, section = ""] = PAGE.split("\n## The tools");
    const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
    const named = rows.flatMap((row) =>
      [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
    );
    expect(named.sort()).toEqual(TOOLS.map(({ name }) => name).sort());
  });
});
