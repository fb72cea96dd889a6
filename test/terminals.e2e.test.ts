// What is live: it draws over itself, asks, and ends with Ctrl-C. Seen at a real terminal.

import { describe, expect, it, onTestFinished } from "vitest";
import { makeRig, type Rig } from "./rig.js";
import { needsTerminals, talk } from "./terminal.js";

const CTRL_C = "\u0003";

const writes = (id: string, script = `echo ${id} > ${id}.txt`): object => ({
  id,
  title: `Task ${id}`,
  parent: "FEAT-001",
  body: `\`\`\`sh run\n${script}\n\`\`\``,
  checks: [{ run: `test -f ${id}.txt` }],
  files: [`${id}.txt`],
});

function makeShop(...tasks: object[]): Rig {
  const rig = makeRig();
  rig.git("init", "-q", "-b", "main");
  rig.git("commit", "-q", "--allow-empty", "-m", "first");
  rig.ok(["init", "--mission", "A shop", "--feature", "Files"]);
  rig.ok(["add", "--from", "-"], { input: tasks.map((task) => JSON.stringify(task)).join("\n") });
  rig.ok(["approve", "FEAT-001"]);
  return rig;
}

/** A worker that says something, then goes on only once it is told to. */
function makeWaiter() {
  const elsewhere = makeRig();
  return {
    /** A sandbox has to let it see that. */
    letIn: (rig: Rig) => rig.write("planwright.json", JSON.stringify({ execution: { readable: [elsewhere.root] } })),
    script: `echo nearly there; until test -f ${elsewhere.root}/go; do sleep 0.05; done; echo 1 > one.txt`,
    goOn: () => elsewhere.write("go", ""),
  };
}

const seen = (): void => undefined;

describe("at a terminal", needsTerminals, () => {
  it("`run` shows what its worker says, and asks after each task whether to go on", async () => {
    const { script, goOn, letIn } = makeWaiter();
    const rig = makeShop(writes("one", script), writes("two"), writes("three"));
    letIn(rig);
    const [code, screen] = await talk(
      rig,
      ["run"],
      [
        ["▶ one working", seen],
        ["nearly there", goOn],
        ["✓", seen],
        ["Go on with the next task?", "y"],
        ["✓", seen],
        ["Go on with the next task?", "n"],
      ],
    );
    expect(screen).toContain("attempts: 2 accepted.");
    expect(code).toBe(0);
    expect(rig.ok(["show", "three"]).status).toBe("ready");
  });

  it("`run` gives back what it works on at Ctrl-C", async () => {
    const { script } = makeWaiter();
    const rig = makeShop(writes("one", script));
    const [code, screen] = await talk(rig, ["run", "one"], [["nearly there", CTRL_C]]);
    expect(screen).toContain("released: stopped before it was done");
    expect(screen).toContain("was given back");
    expect(code).toBe(130);
    expect(rig.ok(["show", "one"]).status).toBe("ready");
    expect(rig.git("worktree", "list").split("\n")).toHaveLength(1);
  });

  it("`status --watch` draws again when somebody else changes the plan, until Ctrl-C", async () => {
    const rig = makeShop(writes("one"));
    const [code, screen] = await talk(
      rig,
      ["status", "--watch"],
      [
        ["Task one", () => rig.ok(["add", "An afterthought", "--parent", "FEAT-001"])],
        ["An afterthought", CTRL_C],
      ],
    );
    expect(screen.split("Task one").length).toBeGreaterThan(2);
    expect(code).toBe(130);
  });

  it("`daemon logs -f` goes on as the daemon writes, until Ctrl-C", async () => {
    const rig = makeShop(writes("one"));
    const addAnother = (): void => {
      rig.ok(["add", "--from", "-"], { input: JSON.stringify(writes("two")) });
      rig.ok(["approve", "two"]);
    };
    onTestFinished(() => void rig.run(["daemon", "stop"]));
    rig.ok(["level", "on"]);
    rig.ok(["daemon", "start"]);
    const [code, screen] = await talk(
      rig,
      ["daemon", "logs", "-f"],
      [
        ["ATT-00001 accepted", addAnother],
        ["ATT-00002 accepted", CTRL_C],
      ],
    );
    expect(code).toBe(130);
    expect(screen.match(/two ATT-00002 (claimed|working)/g)).toEqual([
      "two ATT-00002 claimed",
      "two ATT-00002 working",
    ]);
  });
});

/** A question without a task, asked by an agent. */
function asking(): Rig {
  const rig = makeRig();
  rig.git("init", "-q", "-b", "main");
  rig.git("commit", "-q", "--allow-empty", "-m", "first");
  rig.ok(["init", "--mission", "A shop", "--feature", "Files"]);
  const body = "```sh run\ntrue\n```";
  rig.ok(["add", "One", "--parent", "FEAT-001", "--file", "one.txt", "--check", "test -f one.txt", "--body", body]);
  rig.ok(["approve", "FEAT-001"]);
  rig.run(["run", "TASK-00001"]);
  return rig;
}

describe("a question at a terminal", needsTerminals, () => {
  it("is a menu when no option was typed, in which a number moves to its line", async () => {
    const rig = asking();
    const words = ["question", "answer", "ESC-001"];
    const [later, menu] = await talk(rig, words, [
      ["5 Later", "5"],
      ["●", "\r"],
    ]);
    expect([later, menu]).toEqual([3, expect.stringContaining("ESC-001 still waits for your answer.")]);
    expect(menu).toContain("1 Try it again (recommended)");
    const [code] = await talk(rig, words, [
      ["5 Later", "3"],
      ["●", "1"],
      ["●", "\r"],
    ]);
    expect(code).toBe(0);
    expect(rig.ok(["show", "TASK-00001"]).status).toBe("ready");
  });

  it.each([
    ["a menu", ["question", "answer", "ESC-001"], "What next?"],
    ["a yes or no", ["land", "FEAT-001"], "Merge it into main?"],
    ["words", ["plan"], "What do you want to build?"],
  ])("ends the command with 130 at Ctrl-C in %s, and changes nothing", async (_, words, question) => {
    const rig = asking();
    const before = rig.ok(["log"]).operations ?? rig.ok(["log"]);
    const [code] = await talk(rig, words, [[question, CTRL_C]]);
    expect(code).toBe(130);
    expect(rig.ok(["log"]).operations ?? rig.ok(["log"])).toEqual(before);
  });

  it("lists its options where nobody can choose, and exits with 2", () => {
    const rig = asking();
    const failed = rig.fails(["question", "answer", "ESC-001"]);
    expect(failed).toMatchObject({ code: 2, reason: "no-option", details: { options: [{ id: "reset" }, {}, {}, {}] } });
    expect(failed.message).toContain("\n2 accept  Accept what was handed in");
    expect(rig.fails(["question", "answer", "ESC-9"])).toMatchObject({ code: 2, reason: "not-found" });
  });

  it("a large approval says how far it is, and Ctrl-C leaves the plan as it was", async () => {
    const rig = makeRig();
    rig.ok(["init", "--mission", "A large plan", "--feature", "Files"]);
    const tasks = Array.from({ length: 30_000 }, (_, n) => ({ id: `T-${n}`, title: `Part ${n}`, parent: "FEAT-001" }));
    rig.ok(["add", "--from", "-"], { input: tasks.map((task) => JSON.stringify(task)).join("\n") });
    const [code, screen] = await talk(rig, ["approve", "MISSION", "--yes"], [["Ctrl-C stops it", CTRL_C]]);
    expect(screen).toMatch(/: [\d,]+ (?:of 30,00\d )?\w+\. Ctrl-C stops it/);
    expect(screen).toContain("Stopped. Nothing was changed.");
    expect(code).toBe(130);
    expect(rig.ok(["log"]).operations[0].verb).toBe("add");
    expect(rig.ok(["verify"]).differences).toEqual([]);
  });
});
