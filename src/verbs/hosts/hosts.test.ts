// The texts that hosts get: complete, short, and true to the commands and tools that exist.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { TOOLS } from "../../doors/mcp/tools.js";
import { findSpelling } from "../kit/spell.js";
import { hostText, hostTexts, textsVersion } from "./hosts.js";

const VERBS = "bootstrap expand next status replan promote archive undo freeze thaw conflicts".split(" ");

const commands = hostTexts("claude/commands");
const agents = hostTexts("claude/agents");

describe("the plugin of Claude Code", () => {
  it("has the version of the package", () => {
    const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../../package.json"), "utf8")) as {
      version: string;
    };
    expect(textsVersion()).toBe(version);
  });

  it("has a command for the eleven verbs, their ten short forms, and two for work", () => {
    const aliases = VERBS.filter((verb) => verb !== "bootstrap").map((verb) => `plan-${verb}.md`);
    expect(commands.map(([path]) => path)).toEqual([...aliases, "next.md", "plan.md", "work.md"].sort());
    const [, plan = ""] = commands.find(([path]) => path === "plan.md") ?? [];
    for (const verb of VERBS) {
      expect(plan).toMatch(new RegExp(`\\b${verb}\\b`));
      expect(findSpelling([verb])).toBeDefined();
    }
  });

  it("teaches the vocabulary in at most 600 tokens", () => {
    expect(encode(hostText("claude/skills/planwright/SKILL.md")).length).toBeLessThanOrEqual(600);
  });

  it("names only tools and actions that exist", () => {
    const texts = [...commands, ...agents, ["SKILL.md", hostText("claude/skills/planwright/SKILL.md")] as const];
    const tools = new Map(TOOLS.map(({ name, actions }) => [name, Object.keys(actions)]));
    let named = 0;
    for (const [path, text] of texts) {
      for (const [, tool = "", action = ""] of text.matchAll(/`(\w+)`,? \(?action `(\w+)`/g)) {
        named++;
        expect({ path, tool, action, known: tools.get(tool)?.includes(action) }).toMatchObject({ known: true });
      }
      for (const [, tool = ""] of text.matchAll(/mcp__plugin_planwright_planwright__(\w+)/g)) {
        expect({ path, tool, known: tools.has(tool) }).toMatchObject({ known: true });
      }
    }
    expect(named).toBeGreaterThan(20);
  });

  it("has an agent for each role that a host serves", () => {
    const names = agents.map(([path]) => path.replace(".md", ""));
    expect(names).toEqual(["author", "clarifier", "critic", "overviewer", "researcher", "worker"]);
    for (const [path, text] of agents)
      expect({ path, name: /^name: (\w+)$/m.exec(text)?.[1] }).toEqual({ path, name: path.replace(".md", "") });
  });

  it("asks for hooks that exist", () => {
    const hooks = [hostText("claude/hooks/hooks.json"), hostText("codex/hooks.json"), hostText("gemini/settings.json")];
    const asked = hooks.flatMap((text) =>
      [...text.matchAll(/planwright (hook \w+) --host/g)].map(([, words = ""]) => words),
    );
    expect(asked.length).toBe(15);
    for (const words of asked) expect(findSpelling(words.split(" "))?.spelling.words).toBe(words);
  });
});

describe("the block of AGENTS.md", () => {
  it("is short, and says the same as the rules of Cursor and the instructions of Copilot", () => {
    const block = hostText("shared/AGENTS.md");
    expect(encode(block).length).toBeLessThanOrEqual(300);
    for (const copy of ["cursor/planwright.mdc", "copilot/planwright.instructions.md"]) {
      expect(hostText(copy).endsWith(block)).toBe(true);
    }
  });
});
