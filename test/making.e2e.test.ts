import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { BIN, makeRig, type Rig } from "./rig.js";
import { needsTerminals, talk } from "./terminal.js";

/** MISSION, INBOX, BUGS, FEAT-001 with the tasks T-1, T-2 and T-3. */
function planned(): Rig {
  const rig = makeRig();
  rig.ok(["init", "--mission", "M", "--feature", "Login"]);
  const lines = ["T-1", "T-2", "T-3"].map((id) => JSON.stringify({ id, title: `Task ${id}`, parent: "FEAT-001" }));
  rig.ok(["add", "--from", "-"], { input: lines.join("\n") });
  return rig;
}

const AGENT = ["--as", "agent:bot"];

describe("edit", () => {
  it("loses nothing when two edit different fields at once, twelve times", async () => {
    const rig = planned();
    for (let trial = 1; trial <= 12; trial++) {
      const both = await Promise.all([
        rig.start(["edit", "T-1", "--title", `Title ${trial}`]),
        rig.start(["edit", "T-1", "--body", `Body ${trial}`]),
      ]);
      expect(both.map(({ code }) => code)).toEqual([0, 0]);
      expect(rig.ok(["show", "T-1"])).toMatchObject({ title: `Title ${trial}`, body: `Body ${trial}` });
    }
    expect(rig.ok(["show", "T-1"]).revision).toBe(25);
  });

  it("loses nothing when many add to one list at once", async () => {
    const rig = planned();
    const files = Array.from({ length: 6 }, (_, i) => `src/${i}.ts`);
    const all = await Promise.all(files.map((file) => rig.start(["edit", "T-1", "--add-file", file])));
    expect(all.map(({ code }) => code)).toEqual(files.map(() => 0));
    expect((rig.ok(["show", "T-1"]).files as string[]).sort()).toEqual(files);
  });

  it("takes every flag of content, and a JSON object", () => {
    const rig = planned();
    const flags =
      "--title Parse --body One --append-body Two --kind review --file src/a.ts --file src/b.ts --symbol parse --priority 1 --estimate 2.5 --attempts 3 --replans 0 --profile api";
    const edited = rig.ok(["edit", "T-1", ...flags.split(" "), "--check", "npm test => ok"]);
    expect(edited.op).toBeGreaterThan(0);
    expect(rig.ok(["show", "T-1"])).toMatchObject({
      title: "Parse",
      body: "One\nTwo",
      kind: "review",
      files: ["src/a.ts", "src/b.ts"],
      symbols: ["parse"],
      checks: [{ run: "npm test", expect: "ok" }],
      priority: 1,
      estimateHours: 2.5,
      budgets: { attempts: 3, replans: 0 },
      profile: "api",
    });
    rig.ok(["edit", "T-1", "--clear", "priority", "--clear", "attempts", "--remove-file", "src/b.ts"]);
    rig.ok(["edit", "T-1", "--from", "-"], { input: '{"title":"From JSON","body":null}' });
    expect(rig.ok(["show", "T-1"])).toMatchObject({
      title: "From JSON",
      body: "",
      priority: null,
      budgets: { replans: 0 },
      files: ["src/a.ts"],
    });
  });

  it("says when an approval no longer holds, and how to take the edit back", () => {
    const rig = planned();
    rig.ok(["approve", "FEAT-001"]);
    const { stderr } = rig.run(["edit", "T-1", "--title", "Else"]);
    expect(stderr).toContain("planwright approve T-1");
    const op = /planwright undo (\d+)/.exec(stderr)?.[1];
    rig.ok(["undo", op as string]);
    expect(rig.ok(["show", "T-1"])).toMatchObject({ title: "Task T-1", reason: "claimable" });
    const same = rig.run(["edit", "T-1", "--title", "Task T-1"]);
    expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing was changed"), stderr: "" });
  });

  it("cannot put work in progress by hand: only a claim does", () => {
    const rig = planned();
    expect(rig.fails(["edit", "T-1", "--status", "in_progress"])).toMatchObject({ code: 5, reason: "unknown-flag" });
    for (const field of ["status", "claim", "outcome", "acceptance", "approval", "attempts"]) {
      const input = JSON.stringify({ [field]: "in_progress" });
      expect(rig.fails(["edit", "T-1", "--from", "-"], { input }).code).toBe(5);
    }
    const line = { id: "T-1", title: "Task T-1", status: "in_progress", claim: { by: "human:ada" }, outcome: "done" };
    expect(rig.ok(["add", "--from", "-"], { input: JSON.stringify(line) })).toMatchObject({ op: null });
    expect(rig.ok(["show", "T-1"])).toMatchObject({ status: "planned", claim: null, outcome: null });
  });

  it("asks for a JSON object, and for one way at a time", () => {
    const rig = planned();
    for (const input of ["{", "[]", "null", '"text"']) {
      expect(rig.fails(["edit", "T-1", "--from", "-"], { input })).toMatchObject({ code: 5, reason: "bad-json" });
    }
    expect(rig.fails(["edit", "T-1", "--from", "-", "--title", "x"], { input: "{}" }).code).toBe(5);
    expect(rig.fails(["edit", "T-1", "--from", "nowhere.json"])).toMatchObject({ code: 2, reason: "no-file" });
    expect(rig.fails(["edit", "T-1"]).code).toBe(5);
  });
});

describe("edit in an editor", needsTerminals, () => {
  /** An editor that runs these commands on the file, one set for each time it is opened. */
  const editing = (rig: Rig, ...edits: string[]): Record<string, string> => {
    const cases = edits.map((edit, i) => `${i}) ${edit} ;;`).join("\n");
    const count = 'n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count; cp "$1" "seen-$n"';
    rig.write("editor.sh", `${count}\ncase $n in\n${cases}\nesac\n`);
    return { EDITOR: `sh ${rig.root}/editor.sh` };
  };

  it("changes what was changed in the text", async () => {
    const rig = planned();
    const env = editing(
      rig,
      `sed -i 's/^title: .*/title: Better/; s/^files:/files:\\n  src\\/a.ts/' "$1"; echo Why >> "$1"`,
    );
    const [code, seen] = await talk(rig, ["edit", "T-1"], [], env);
    expect([code, seen]).toEqual([0, expect.stringContaining("title, body, files, profile")]);
    expect(rig.ok(["show", "T-1"])).toMatchObject({ title: "Better", body: "Why", files: ["src/a.ts"] });
  });

  it("opens the text again with what is wrong, and loses none of it", async () => {
    const rig = planned();
    const env = editing(
      rig,
      `sed -i 's/^title: .*/title: Better/; s/^priority:.*/priority: 9/' "$1"`,
      `sed -i 's/^priority:.*/priority: 2/' "$1"`,
    );
    expect((await talk(rig, ["edit", "T-1"], [], env))[0]).toBe(0);
    expect(readFileSync(join(rig.root, "seen-1"), "utf8")).toMatch(
      /^# ! priority must be at most 4\.\n[^]*title: Better\n/,
    );
    expect(rig.ok(["show", "T-1"])).toMatchObject({ title: "Better", priority: 2 });
  });

  it("keeps the text in a file when the mistake stays, and when the change is refused", async () => {
    const rig = planned();
    const keptText = async (...edits: string[]): Promise<string> => {
      const [code, seen] = await talk(rig, ["edit", "T-1"], [], editing(rig, ...edits));
      expect(code).toBe(3);
      const file = /text\s+is\s+kept\s+in\s+(\S+\.md)/.exec(seen)?.[1] ?? "";
      const text = readFileSync(file, "utf8");
      rmSync(dirname(file), { recursive: true });
      rmSync(join(rig.root, "count"));
      return text;
    };
    expect(await keptText(`sed -i 's/^title: .*/title:/' "$1"`, "true", "true")).toContain("title:\n");
    const meanwhile = `'${process.execPath}' '${BIN}' drop T-1 > /dev/null 2>&1`;
    expect(await keptText(`sed -i 's/^title: .*/title: Mine/' "$1"; ${meanwhile}`)).toContain("title: Mine\n");
    expect(rig.ok(["show", "T-1"])).toMatchObject({ title: "Task T-1", status: "dropped" });
  });

  it("changes nothing when the text stays as it is", async () => {
    const rig = planned();
    expect(await talk(rig, ["edit", "T-1"], [], { EDITOR: "true" })).toEqual([
      0,
      expect.stringContaining("nothing was changed"),
    ]);
    expect(rig.ok(["show", "T-1"]).revision).toBe(1);
  });
});

describe("move, link and unlink", () => {
  it("answer with what changed, and exit with 0 when it was so already", () => {
    const rig = planned();
    expect(rig.ok(["move", "T-1", "T-2", "--to", "BUGS"])).toMatchObject({ moved: ["T-1", "T-2"], to: "BUGS" });
    expect(rig.ok(["move", "T-1", "--to", "BUGS"])).toMatchObject({ op: null, moved: [] });
    expect(rig.ok(["link", "T-2", "--on", "T-1", "--file", "a.md"])).toMatchObject({ on: ["T-1"], profile: "docs" });
    expect(rig.ok(["link", "T-2", "--on", "T-1"])).toMatchObject({ op: null });
    expect(rig.ok(["unlink", "T-2", "--on", "T-1"])).toMatchObject({ on: ["T-1"] });
    expect(rig.fails(["unlink", "T-2", "--on", "T-1"])).toMatchObject({ code: 2, reason: "not-linked" });
    expect(rig.run(["unlink", "T-2", "--file", "a.md"]).stderr).toMatch(/planwright undo \d+/);
  });

  it("refuse what would break the plan, with the way round (exit 4)", () => {
    const rig = planned();
    rig.ok(["link", "T-2", "--on", "T-1"]);
    expect(rig.fails(["link", "T-1", "--on", "T-2"])).toMatchObject({
      code: 4,
      message: expect.stringContaining("T-1 → T-2 → T-1"),
    });
    for (const args of [
      ["link", "T-1", "--on", "T-1"],
      ["link", "T-1", "--on", "FEAT-001"],
      ["link", "FEAT-001", "--on", "T-1"],
      ["move", "FEAT-001", "--to", "T-1"],
      ["move", "FEAT-001", "--to", "FEAT-001"],
      ["move", "MISSION", "--to", "FEAT-001"],
    ]) {
      expect(rig.fails(args).code).toBe(4);
    }
    expect(rig.fails(["move", "FEAT-001-LAND", "--to", "BUGS"])).toMatchObject({ code: 3, reason: "land" });
    expect(rig.fails(["move", "T-1"]).code).toBe(5);
    expect(rig.fails(["link", "T-1"]).code).toBe(5);
  });
});

describe("gate", () => {
  it("is a person's to complete, and its completion alone releases the work", () => {
    const rig = planned();
    rig.ok(["approve", "FEAT-001"]);
    const { id } = rig.ok(["gate", "Get an API key", "--before", "T-1"]) as { id: string };
    expect(rig.ok(["show", "T-1"])).toMatchObject({ reason: "deps-pending", because: [id] });
    const claimed = rig.ok(["next", "--count", "9", ...AGENT]) as { task: { id: string } }[];
    expect(claimed.map(({ task }) => task.id)).toEqual(["T-2", "T-3"]);
    expect(rig.fails(["complete", id, ...AGENT]).code).toBe(3);
    rig.ok(["complete", id]);
    expect(rig.ok(["next", ...AGENT])).toMatchObject({ task: { id: "T-1" } });
  });

  it("approves the work in the same call for a person, and only for one", () => {
    const rig = planned();
    expect(rig.fails(["gate", "Sign", "--before", "T-1", "--approve", ...AGENT])).toMatchObject({
      code: 3,
      reason: "needs-person",
    });
    expect(rig.ok(["gate", "Sign", "--before", "T-1", "--before", "T-2", "--approve"]).approved).toHaveLength(3);
    const proposed = rig.run(["gate", "Ask", "--before", "T-2", ...AGENT]);
    expect(proposed.stderr).toContain("planwright approve T-2");
    expect(rig.fails(["gate", "Nothing waits"]).code).toBe(5);
  });
});

describe("focus", () => {
  it("is shown, set and taken away", () => {
    const rig = planned();
    expect(rig.run(["focus"])).toMatchObject({ code: 0, stdout: "Nothing is in focus.\n" });
    expect(rig.ok(["focus", "T-1"])).toMatchObject({ node: { id: "T-1" }, path: ["FEAT-001", "MISSION"] });
    expect(rig.ok(["show", "--feature"]).id).toBe("FEAT-001");
    expect(rig.ok(["focus", "--feature"]).node.id).toBe("FEAT-001");
    expect(rig.ok(["focus", "--clear"]).node).toBeNull();
    expect(rig.fails(["focus", "T-1", "--clear"]).code).toBe(5);
    expect(rig.fails(["show", "--active"])).toMatchObject({ code: 2, reason: "no-focus" });
  });
});

describe("add", () => {
  it("refuses an id that is taken, and changes nothing (id-taken)", () => {
    const rig = planned();
    expect(rig.fails(["add", "Another", "--id", "t-1"])).toMatchObject({
      code: 3,
      reason: "id-taken",
      details: { id: "T-1" },
      next: [{ operation: "show" }, { operation: "edit" }],
    });
    expect(rig.ok(["show", "T-1"]).title).toBe("Task T-1");
  });

  it("takes the body from a file or from standard input", () => {
    const rig = planned();
    rig.write("body.md", "# Why\n\nBecause.\n");
    const { id } = rig.ok(["add", "With a body", "--body-file", "body.md"]) as { id: string };
    expect(rig.ok(["show", id]).body).toBe("# Why\n\nBecause.\n");
    rig.ok(["edit", id, "--body-file", "-"], { input: "Shorter." });
    expect(rig.ok(["show", id]).body).toBe("Shorter.");
    expect(rig.fails(["add", "x", "--body-file", "nowhere.md"])).toMatchObject({ code: 2, reason: "no-file" });
    expect(rig.fails(["add", "x", "--body", "y", "--body-file", "body.md"]).code).toBe(5);
  });

  it("needs a title or a file, and not both", () => {
    const rig = planned();
    expect(rig.fails(["add"])).toMatchObject({ code: 5, message: expect.stringContaining("needs TITLE") });
    expect(rig.fails(["add", "x", "--from", "-"], { input: "" }).code).toBe(5);
  });

  it("never resets progress, however often a file is read again", () => {
    const rig = planned();
    const lines = ["T-1", "T-2", "T-4"].map((id) => JSON.stringify({ id, title: `Again ${id}`, parent: "FEAT-001" }));
    rig.ok(["edit", "T-1", "--kind", "gate"]);
    rig.ok(["approve", "FEAT-001"]);
    rig.ok(["complete", "T-1"]);
    const { token } = rig.ok(["next", "--in", "T-2", ...AGENT]) as { token: string };
    expect(rig.ok(["add", "--from", "-"], { input: lines.join("\n") })).toMatchObject({
      added: ["T-4"],
      changed: ["T-2"],
      unchanged: 1,
    });
    expect(rig.ok(["show", "T-1"])).toMatchObject({ status: "done", title: "Task T-1" });
    expect(rig.ok(["show", "T-2"])).toMatchObject({ status: "in_progress", title: "Again T-2" });
    rig.ok(["heartbeat", "T-2", "--token", token, ...AGENT]);
    expect(rig.ok(["add", "--from", "-"], { input: lines.join("\n") })).toMatchObject({ op: null, unchanged: 3 });
  });
});
