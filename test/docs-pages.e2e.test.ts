// The pages about planning, running and checks, held against the program: what they tell you to type works, and says what they show.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readCommands } from "../src/machine/checks/shell-words.js";
import { makeRig, type Outcome, type Rig } from "./rig.js";

const ROOT = resolve(import.meta.dirname, "..");

/** The fenced blocks of a page, in order. */
const blocksOf = (page: string): { readonly kind: string; readonly lines: readonly string[] }[] =>
  [...readFileSync(join(ROOT, "docs", page), "utf8").matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ([, kind = "", text = ""]) => ({ kind, lines: text.trimEnd().split("\n") }),
  );

const typed = (rig: Rig, line: string, input = ""): Outcome =>
  rig.run([...(readCommands(line.replace(/^\$ /, ""))[0]?.args ?? [])], { input });

function repository(settings: object): Rig {
  const rig = makeRig();
  mkdirSync(join(rig.root, "docs"));
  writeFileSync(join(rig.root, "docs/spec.md"), readFileSync(join(ROOT, "scripts/demo-spec.md")));
  rig.write("planwright.json", JSON.stringify(settings));
  rig.git("init", "-q", "-b", "main");
  rig.git("add", ".");
  rig.git("commit", "-q", "-m", "begin");
  rig.ok(["init"]);
  return rig;
}

/** Without times, durations and spaces, which differ from day to day. */
const plain = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME")
    .replaceAll(/\d+(\.\d+)? (ms|s)\b/g, "TOOK")
    .replaceAll(/ +/g, " ")
    .trim();

/** Said only where no agent is chosen, as on a machine without one. */
const LEFT_OUT = /^ *…$|No agent is configured or installed/;

describe("docs/planning.md", () => {
  it("shows what happens from a spec to an approved plan", () => {
    const rig = repository({ roles: { "*": { agent: "outline" } } });
    const shown = blocksOf("planning.md").filter(({ lines }) => lines[0]?.startsWith("$ planwright"));
    const missing: string[] = [];
    let said = "";
    for (const line of shown.slice(0, 3).flatMap(({ lines }) => lines)) {
      if (line.startsWith("$ ")) {
        const { stdout, stderr } = typed(rig, line);
        said = plain(stdout + stderr);
      } else if (!LEFT_OUT.test(line) && !said.includes(plain(line))) missing.push(line);
    }
    expect(missing).toEqual([]);
    expect(rig.ok(["plan", "list"]).runs).toMatchObject([{ id: "RUN-001", status: "finished" }]);
  });

  it("names ways to begin a plan that all begin one", () => {
    const [first] = blocksOf("planning.md");
    const rig = repository({ roles: { "*": { agent: "outline" } } });
    rig.ok(["add", "Login", "--tier", "feature", "--body", "- Write `a.txt`\n- Write `b.txt`"]);
    const runs = first?.lines.map((line) => {
      const { code } = typed(rig, line, "# Notes\n\n- Print the notes in `notes.sh`\n");
      return { line, begun: code === 0 || code === 2, runs: rig.ok(["plan", "list"]).runs.length };
    });
    expect(runs).toEqual(first?.lines.map((line, i) => ({ line, begun: true, runs: i + 1 })));
  });
});

describe("docs/running.md", () => {
  it("names commands that do what the page is about", () => {
    const worker = "echo 1 > $PLANWRIGHT_TASK.txt";
    const rig = repository({ agents: { own: { shell: worker } }, roles: { worker: { agent: "own" } } });
    const ids = ["TASK-00006", "TASK-00007", "TASK-00008", "TASK-00009"];
    const feature = { id: "FEAT-001", tier: "feature", title: "Files", parent: "MISSION" };
    const other = { id: "FEAT-002", tier: "feature", title: "More", parent: "MISSION" };
    const tasks = ids.map((id) => ({
      id,
      title: id,
      parent: "FEAT-001",
      files: [`${id}.txt`],
      checks: [{ run: `test -f ${id}.txt` }],
    }));
    const nodes = [feature, other, ...tasks].map((node) => JSON.stringify(node)).join("\n");
    rig.ok(["add", "--from", "-"], { input: nodes });
    rig.ok(["approve", "FEAT-001"]);
    const [running, , , levels] = blocksOf("running.md");
    for (const line of running?.lines ?? []) {
      const { code, stderr } = typed(rig, line.endsWith("--land") ? `${line} --yes` : line);
      // By then nothing is left to do.
      const isOver = line === "planwright run --parallel 4" && code === 2;
      expect({ line, code: isOver ? 0 : code, stderr: code === 0 || isOver ? "" : stderr }).toEqual({
        line,
        code: 0,
        stderr: "",
      });
    }
    expect(rig.ok(["show", "FEAT-001"]).status).toBe("done");
    rig.ok(["daemon", "stop"]);
    for (const line of levels?.lines ?? []) {
      // Automatic landing is allowed once for each machine.
      const { code, stderr } = typed(rig, line);
      expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
    }
  });
});

describe("docs/checks.md", () => {
  it("shows checks, settings and a baseline that the program takes", () => {
    const [checks, refused, settings, baseline] = blocksOf("checks.md");
    const rig = repository(JSON.parse((settings?.lines ?? []).join("\n")) as object);
    const task = { ...(JSON.parse((checks?.lines ?? []).join("\n")) as object), id: "TASK-00001", parent: "FEAT-001" };
    const feature = { id: "FEAT-001", tier: "feature", title: "Prices", parent: "MISSION" };
    rig.ok(["add", "--from", "-"], { input: `${JSON.stringify(feature)}\n${JSON.stringify(task)}` });
    expect(rig.ok(["show", "TASK-00001"]).checks).toHaveLength(4);
    expect(rig.ok(["config", "get", "execution.env"])).toMatchObject({ value: ["NPM_TOKEN", "DATABASE_*"] });
    for (const line of baseline?.lines ?? []) expect({ line, code: typed(rig, line).code }).toEqual({ line, code: 0 });
    expect(rig.ok(["record", "--kind", "baseline"])).toMatchObject([{ id: "BAS-001", state: "active" }]);
    const words = /\((.+)\)$/.exec(refused?.lines[0] ?? "")?.[1] ?? "none";
    expect(readFileSync(join(ROOT, "src/machine/checks/run-checks.ts"), "utf8")).toContain(words.split(": ")[1]);
  });
});
