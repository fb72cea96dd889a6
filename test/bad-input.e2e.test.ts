import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRig, type Rig } from "./rig.js";

function planned(): Rig {
  const rig = makeRig();
  rig.ok(["init", "--mission", "M", "--feature", "Login"]);
  rig.ok(["add", "First task", "--id", "T-1", "--parent", "FEAT-001"]);
  rig.ok(["add", "Second task", "--id", "T-2", "--parent", "FEAT-001", "--on", "T-1"]);
  return rig;
}

const lines = (...nodes: unknown[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : JSON.stringify(node))).join("\n");

const addLines = (rig: Rig, ...nodes: unknown[]) => rig.fails(["add", "--from", "-"], { input: lines(...nodes) });

describe("references", () => {
  it("one match is 0, several are 1 with candidates, none is 2, no reference is 5", () => {
    const rig = planned();
    expect(rig.ok(["show", "first"]).id).toBe("T-1");
    expect(rig.fails(["show", "task"])).toMatchObject({
      code: 1,
      reason: "ambiguous",
      details: { candidates: [{ id: "T-1" }, { id: "T-2" }] },
    });
    expect(rig.run(["show", "task"]).stderr).toMatch(/T-1 {2}First task\n.*T-2 {2}Second task/);
    expect(rig.fails(["show", "NOPE"])).toMatchObject({ code: 2, reason: "not-found" });
    expect(rig.fails(["show"]).code).toBe(5);
  });

  it("ids count in any case and before words, and words only where nothing is archived", () => {
    const rig = planned();
    rig.ok(["add", "Look at t-1 again", "--id", "T-3", "--parent", "FEAT-001"]);
    expect(rig.ok(["show", "t-1"]).id).toBe("T-1");
    expect(rig.ok(["show", "feat-001"]).id).toBe("FEAT-001");
    const { uuid } = rig.ok(["show", "T-1"]) as { uuid: string };
    expect(rig.ok(["show", uuid]).id).toBe("T-1");
    expect(rig.ok(["show", uuid.toUpperCase()]).id).toBe("T-1");
  });

  it("an unknown one ends every verb with 2, an ambiguous one with 1, and nothing is changed", () => {
    const rig = planned();
    const verbs = (ref: string): string[][] => [
      ["show", ref],
      ["edit", ref, "--title", "x"],
      ["move", ref, "--to", "BUGS"],
      ["move", "T-1", "--to", ref],
      ["link", ref, "--on", "T-1"],
      ["link", "T-1", "--on", ref],
      ["unlink", "T-2", "--on", ref],
      ["gate", "Sign", "--before", ref],
      ["focus", ref],
      ["approve", ref],
      ["add", "x", "--parent", ref],
      ["add", "x", "--parent", "BUGS", "--on", ref],
    ];
    for (const args of verbs("NOPE")) expect([args, rig.fails(args).code]).toEqual([args, 2]);
    for (const args of verbs("task")) expect([args, rig.fails(args).code]).toEqual([args, 1]);
    expect(rig.ok(["add", "x", "--parent", "BUGS"]).op).toBe(4);
  });

  it("never wait for a pipe that is named as a spec, and say what it is", () => {
    const rig = planned();
    spawnSync("mkfifo", [join(rig.root, "spec.md")]);
    for (const name of ["spec.md", "/dev/zero"]) {
      expect(rig.fails(["plan", name])).toMatchObject({
        code: 5,
        reason: "not-a-file",
        message: `${name} is a pipe or a device. Give its text on standard input.`,
      });
    }
  });

  it("are quoted in part when they are endless", () => {
    const rig = planned();
    const { message, code } = rig.fails(["show", "x".repeat(100_000)]);
    expect(code).toBe(2);
    expect(message.length).toBeLessThan(200);
  });
});

it("a bundle of a task that does not exist is reported as missing", () => {
  const { code, stdout } = planned().run(["bundle", "check", "NOPE"]);
  expect([code, stdout.trim()]).toEqual([1, '✗ missing  NOPE  Nothing in the plan matches "NOPE".']);
});

describe("verbs with the same words", () => {
  it("never get a node that is called like a key of something else, and the value of a flag is no key", () => {
    const rig = planned();
    for (const id of ["ATT-1", "RUN-7", "MEM-7", "CON-1", "12"]) {
      expect(rig.fails(["add", "Called like a key", "--id", id, "--parent", "FEAT-001"])).toMatchObject({
        code: 5,
        message: expect.stringContaining("must not look like the key of an item"),
      });
    }
    expect(rig.fails(["show", "ATT-9"])).toMatchObject({ code: 2, message: "There is no attempt ATT-9." });
    expect(rig.fails(["approve", "CON-007", "--yes"])).toMatchObject({
      code: 2,
      message: "There is no record CON-007.",
    });
    expect(rig.fails(["diff", "RUN-007"])).toMatchObject({ code: 2, message: "There is no planning run RUN-007." });
    rig.ok(["focus", "T-1"]);
    rig.ok(["edit", "--active", "--title", "RUN-001"]);
    expect(rig.ok(["show", "T-1"]).title).toBe("RUN-001");
    rig.ok(["edit", "--title", "RUN-1", "T-1"]);
    expect(rig.ok(["show", "T-1"]).title).toBe("RUN-1");
    expect(rig.ok(["approve", "--despite", "CON-001", "FEAT-001", "--yes"]).approved).toContain("T-1");
  });

  it("say which one is meant when a flag or a key belongs to another one", () => {
    const rig = planned();
    const messageOf = (...words: string[]) => {
      const { code, message } = rig.fails(words);
      return `${code} ${message}`;
    };
    expect(messageOf("approve", "CON-001", "REQ-001", "T-1")).toBe(
      "5 approve takes things of one kind at a time. Type: planwright approve CON-001 REQ-001 and then planwright approve T-1.",
    );
    expect(messageOf("approve", "--yes", "F2", "FEAT-001", "CON-001")).toBe(
      "5 approve takes things of one kind at a time. Type: planwright approve --yes F2 FEAT-001 and then planwright approve --yes CON-001.",
    );
    expect(messageOf("approve", "CON-001", "F2")).toBe(
      "5 approve takes things of one kind at a time. Type: planwright approve CON-001 and then planwright approve F2.",
    );
    expect(messageOf("restore", "ATT-00001", "--to", "b1", "FEAT-001")).toBe(
      "5 restore takes things of one kind at a time. Type: planwright restore ATT-00001 --to b1 and then planwright restore FEAT-001.",
    );
    expect(messageOf("approve", "RUN-001", "T-1")).toBe("5 RUN-001 is a whole plan, which is approved alone.");
    expect(messageOf("approve", "MEM-001", "--despite", "x")).toBe(
      "5 approve takes --despite only with NODE|RUN, not with MEM-001.",
    );
    expect(messageOf("approve", "MEM-001", "--yes")).toBe(
      "5 approve takes --yes only with NODE|RUN or DEC-001, CON-001, REQ-001, ASM-001 or BAS-001, not with MEM-001.",
    );
    expect(messageOf("edit", "T-1", "--document", "x")).toBe(
      "5 edit takes --document only with RUN-001, not with NODE.",
    );
    expect(messageOf("diff")).toBe(
      "5 diff needs OP, or a key such as RUN-001 or ATT-001. For example: planwright diff 12",
    );
    expect(rig.run(["help", "level", "off"]).stdout).toBe(rig.run(["help", "level"]).stdout);
  });
});

describe("dependencies that cannot be", () => {
  it.each([
    [
      "a cycle",
      [
        { id: "A", title: "A", dependsOn: ["B"] },
        { id: "B", title: "B", dependsOn: ["A"] },
      ],
      /[AB] → [AB] → [AB]/,
    ],
    ["itself", [{ id: "A", title: "A", dependsOn: ["A"] }], /itself/],
    ["an ancestor", [{ id: "A", title: "A", parent: "FEAT-001", dependsOn: ["MISSION"] }], /contains it/],
    ["a cycle through the plan", [{ id: "T-1", title: "First task", dependsOn: ["T-2"] }], /T-1 → T-2 → T-1/],
  ])("%s is refused in a file of lines, and nothing of it is kept", (_, nodes, message) => {
    const rig = planned();
    const failed = addLines(rig, { id: "Z", title: "Z", parent: "BUGS" }, ...nodes);
    expect(failed).toMatchObject({ code: 4, message: expect.stringMatching(message) });
    expect(rig.fails(["show", "Z"]).code).toBe(2);
    expect(rig.ok(["show", "T-1"]).dependsOn).toEqual([]);
  });
});

describe("lines", () => {
  it.each([
    ["broken JSON", '{"title": "x"', /^line 3 is not valid JSON/],
    ["no object", "[1]", /^line 3 must be an object/],
    ["no title", "{}", /^line 3: title is missing/],
    ["an unknown field", '{"title":"x","colour":"red"}', /^line 3: colour is not a field/],
    ["a field of the wrong type", '{"title":"x","files":"a"}', /^line 3: files must be a list/],
    ["an unknown parent", '{"title":"x","parent":"NOPE"}', /^line 3: .*NOPE/],
    ["a bad tier", '{"title":"x","tier":"epic"}', /^line 3: tier must be one of/],
    ["a raw NUL", '{"title":"a\0b"}', /^line 3 is not valid JSON/],
    ["a written NUL", '{"title":"a\\u0000b"}', /^line 3: title contains the control character U\+0000/],
    ["half a character", '{"title":"a\\ud83d"}', /^line 3: title contains half of a Unicode character/],
  ])("with %s name their number, and nothing is written", (_, bad, message) => {
    const rig = planned();
    const failed = addLines(rig, { id: "Z", title: "Z", parent: "BUGS" }, "", bad, { id: "Y", title: "Y" });
    expect(failed.code).toBe(bad.includes("NOPE") ? 2 : 5);
    expect(failed.message).toMatch(message);
    expect(rig.fails(["show", "Z"]).code).toBe(2);
    expect(rig.ok(["add", "x", "--parent", "BUGS"]).op).toBe(4);
  });

  it("may begin with a byte order mark and end like in Windows", () => {
    const rig = planned();
    const input = '\ufeff{"id":"W-1","title":"One"}\r\n\r\n{"id":"W-2","title":"Two"}\r\n';
    expect(rig.ok(["add", "--from", "-"], { input }).added).toEqual(["W-1", "W-2"]);
    expect(rig.ok(["add", "--from", rig.write("plan.jsonl", input)])).toMatchObject({ op: null, unchanged: 2 });
  });

  it("must be text", () => {
    const rig = planned();
    const file = join(rig.root, "latin.jsonl");
    writeFileSync(file, Buffer.from('{"title":"caf\xe9"}', "latin1"));
    expect(rig.fails(["add", "--from", file])).toMatchObject({ code: 5, reason: "bad-encoding" });
    expect(rig.fails(["add", "--from", "nowhere.jsonl"])).toMatchObject({ code: 2, reason: "no-file" });
    expect(rig.fails(["add", "--from", "-"], { input: "\n\n" })).toMatchObject({ code: 2, reason: "nothing-to-add" });
  });
});

describe("text", () => {
  it("of ten megabytes is refused in a few words", () => {
    const rig = planned();
    for (const node of [{ title: "x".repeat(10_000_000) }, { title: "x", body: "x".repeat(10_000_000) }]) {
      const { code, message } = addLines(rig, node);
      expect(code).toBe(5);
      expect(message).toMatch(/has 10\.0 million characters; at most \d+ are allowed/);
      expect(message.length).toBeLessThan(200);
    }
    expect(rig.fails(["add", "x".repeat(100_000)])).toMatchObject({ code: 5 });
    expect(rig.fails(["edit", "T-1", "--title", "x".repeat(100_000)])).toMatchObject({ code: 5 });
    expect(rig.ok(["add", "x".repeat(500), "--parent", "BUGS"]).op).toBe(4);
  });

  it("with NUL bytes is refused in every field", () => {
    const rig = planned();
    for (const [field, value] of Object.entries({
      id: "a\0",
      title: "a\0b",
      body: "a\0b",
      parent: "a\0",
      profile: "a\0",
      dependsOn: ["a\0"],
      files: ["a\0"],
      symbols: ["a\0"],
      checks: [{ run: "true\0" }],
    })) {
      expect([field, addLines(rig, { title: "x", [field]: value }).code]).toEqual([field, 5]);
    }
  });

  it("in any script is stored and shown whole, and found again", () => {
    const rig = planned();
    const titles = [
      "Ship it 🚀👩‍👩‍👧‍👦🏳️‍🌈",
      "תקן את ההתחברות",
      "أصلح تسجيل الدخول",
      "修复登录",
      "Éclair à la crème",
      "ﷺ z̸̡̛a̶l̴g̵o̶",
    ];
    for (const [i, title] of titles.entries()) {
      rig.ok(["add", title, "--id", `U-${i}`, "--body", `${title}\n\t${title}`, "--parent", "BUGS"]);
      expect(rig.ok(["show", `U-${i}`])).toMatchObject({ title, body: `${title}\n\t${title}` });
      expect(rig.run(["show", `U-${i}`]).stdout).toContain(title);
      expect(rig.ok(["show", title]).id).toBe(`U-${i}`);
    }
  });

  it("cannot command a terminal", () => {
    const rig = planned();
    expect(rig.fails(["add", "red \u001b[31m"]).code).toBe(5);
    rig.ok(["add", "a \u202etxt.exe", "--id", "R-1", "--parent", "BUGS"]);
    expect(rig.run(["show", "R-1"]).stdout).not.toContain("\u202e");
    expect(rig.ok(["show", "R-1"]).title).toBe("a \u202etxt.exe");
  });
});

describe("the call itself", () => {
  it("is refused with 5 when the actor, a setting or a flag makes no sense", () => {
    const rig = planned();
    expect(rig.fails(["show", "T-1", "--as", "nobody"]).code).toBe(5);
    expect(rig.fails(["show", "T-1"], { env: { PLANWRIGHT_ACTOR: "x:y" } }).code).toBe(5);
    expect(rig.fails(["add", "x", "--priority", "9"]).code).toBe(5);
    expect(rig.fails(["add", "x", "--file", "../up"]).code).toBe(5);
  });

  it.each([
    ["{", "is not valid JSON"],
    ['{"leaseMinutes":"soon"}', "leaseMinutes"],
  ])("a broken planwright.json (%s) stops no reads, and everything else", (text, problem) => {
    const rig = planned();
    rig.write("planwright.json", text);
    for (const args of [["show", "T-1"], ["status"], ["why", "T-1"], ["waiting"], ["log"]]) {
      const { code, stdout, stderr } = rig.run(args);
      expect([code, stdout === ""]).toEqual([0, false]);
      expect(stderr).toContain(problem);
      expect(stderr).toContain("This was read without the settings of that file.");
    }
    for (const args of [["add", "x"], ["next"], ["run"], ["config", "list"]]) {
      expect(rig.fails(args)).toMatchObject({ code: 5, message: expect.stringContaining(problem) });
    }
  });
});

/** What every command says of the file in the store's place: it must be the same, and the file too. */

describe("what is wrong is said in whole words", () => {
  it("an empty idea is no folder, and an agent is none of the people", () => {
    const rig = planned();
    for (const idea of ["", "  "]) expect(rig.fails(["plan", idea]).message).not.toContain("folder");
    expect(rig.run(["people"]).stdout).toContain("You are one of them.");
    const asAgent = rig.run(["people"], { env: { CLAUDECODE: "1" } }).stdout;
    expect(asAgent).toContain("You are an agent, so it is not yours");
    expect(asAgent).not.toContain("You are one of them");
  });
});
