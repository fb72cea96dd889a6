import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCHEMA } from "../src/store/migrations/schema.js";
import { makeRig, type Rig } from "./rig.js";
import { needsTerminals, talk } from "./terminal.js";

const idsBelow = (rig: Rig, ...ids: string[]): string[] =>
  ids.map((id) => `${(rig.ok(["show", id]) as { id: string; parent: string | null }).parent ?? ""} > ${id}`);

describe("init", () => {
  it("starts a plan with a mission, the inbox and a place for bugs, and says where", () => {
    const rig = makeRig();
    const made = rig.ok(["init", "--mission", "A faster checkout"]);
    expect(made).toEqual({
      root: rig.root,
      store: join(rig.root, ".planwright/plan.db"),
      secret: null,
      recovery: null,
      restored: null,
      setAside: 0,
      created: true,
      op: 1,
      added: ["MISSION", "INBOX", "BUGS"],
      mainBranch: null,
    });
    expect(rig.ok(["show", "MISSION"])).toMatchObject({ tier: "mission", title: "A faster checkout", parent: null });
    expect(rig.ok(["show", "INBOX"])).toMatchObject({ tier: "feature", reason: "inbox", parent: "MISSION" });
    expect(rig.ok(["show", "BUGS"])).toMatchObject({ tier: "initiative", reason: "container", parent: "MISSION" });
  });

  it("starts no plan in which nobody could approve: it says that no secret can be made, and both ways on work", () => {
    const [rig, elsewhere] = [makeRig(), makeRig()];
    const file = join(elsewhere.root, "file");
    writeFileSync(file, "");
    const env = { PLANWRIGHT_SECRET: "", PLANWRIGHT_CONFIG: join(file, "config") };
    const { code, reason, message } = rig.fails(["init"], { env });
    expect([code, reason]).toEqual([3, "no-secret"]);
    expect(message).toContain("cannot be written");
    expect(existsSync(join(rig.root, ".planwright", "plan.db"))).toBe(false);
    const secret = { env: { ...env, PLANWRIGHT_SECRET: "5".repeat(64) } };
    rig.ok(["init"], secret);
    rig.ok(["add", "A bug", "--parent", "BUGS"], secret);
    rig.ok(["approve", "BUGS"], secret);
    makeRig().ok(["init"], { env: { ...env, PLANWRIGHT_CONFIG: join(elsewhere.root, "config") } });
  });

  it("runs nothing of the inbox, and a bug once it is approved", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    expect(rig.ok(["add", "An idea"])).toMatchObject({ id: "TASK-00001" });
    expect(rig.ok(["add", "A bug", "--parent", "BUGS"])).toMatchObject({ id: "TASK-00002" });
    expect(rig.fails(["approve", "TASK-00001"])).toMatchObject({ code: 3, reason: "inbox" });
    expect(rig.fails(["next"]).code).toBe(2);
    rig.ok(["approve", "BUGS"]);
    expect(rig.ok(["next"])).toMatchObject({ task: { id: "TASK-00002" } });
    expect(rig.fails(["next"]).code).toBe(2);
  });

  it("takes an initiative and features, and names the mission after the folder", () => {
    const rig = makeRig();
    mkdirSync(join(rig.root, "shop"));
    const cwd = join(rig.root, "shop");
    const made = rig.ok(["bootstrap", "--initiative", "Growth", "--feature", "Login", "--feature", "Search"], { cwd });
    expect(made.added).toEqual(["MISSION", "INBOX", "BUGS", "INIT-001", "FEAT-001", "FEAT-002"]);
    expect(rig.ok(["show", "MISSION"], { cwd }).title).toBe("shop");
    expect(rig.ok(["show", "FEAT-002"], { cwd })).toMatchObject({ title: "Search", parent: "INIT-001" });
  });

  it("changes nothing the second time, whatever it is told", () => {
    const rig = makeRig();
    rig.ok(["init", "--mission", "First"]);
    const store = join(rig.root, ".planwright");
    const seen = (): string[] => readdirSync(store).map((name) => `${name} ${statSync(join(store, name)).size}`);
    const before = seen();
    const again = rig.run(["init", "--mission", "Second", "--feature", "Login"]);
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/There is already a plan in .*Nothing was changed/),
    });
    expect(rig.ok(["init", "--feature", "Login"])).toMatchObject({ created: false, op: null, added: [] });
    expect(seen()).toEqual(before);
    expect(rig.ok(["show", "MISSION"]).title).toBe("First");
    expect(rig.fails(["show", "FEAT-001"]).code).toBe(2);
  });

  it("makes one plan when eight start at once", async () => {
    const rig = makeRig();
    const args = ["init", "--mission", "One", "--feature", "Login", "--json"];
    const all = await Promise.all(Array.from({ length: 8 }, () => rig.start(args)));
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, ""]));
    const answers = all.map(({ stdout }) => (JSON.parse(stdout) as { data: { created: boolean; op: number } }).data);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(answers.filter(({ op }) => op !== null)).toHaveLength(1);
    expect(rig.ok(["show", "FEAT-001"]).title).toBe("Login");
    expect(rig.fails(["show", "FEAT-002"]).code).toBe(2);
    expect(rig.fails(["show", "MISSION-002"]).code).toBe(2);
    expect(rig.ok(["add", "An idea"]).op).toBe(2);
  });

  it("works on the folder that -C or PLANWRIGHT_WORKSPACE names, and makes no folder up", () => {
    const rig = makeRig();
    for (const name of ["a", "b", "c"]) mkdirSync(join(rig.root, name));
    const env = { PLANWRIGHT_WORKSPACE: join(rig.root, "b") };
    expect(rig.ok(["init", "-C", "a"]).root).toBe(join(rig.root, "a"));
    expect(rig.ok(["init"], { env }).root).toBe(join(rig.root, "b"));
    expect(rig.ok(["init", `--workspace=${join(rig.root, "c")}`], { env }).root).toBe(join(rig.root, "c"));
    expect(rig.ok(["show", "MISSION"], { env }).title).toBe("b");
    expect(rig.ok(["show", "MISSION", "-C", "c"], { env }).title).toBe("c");
    expect(rig.fails(["init", "-C", join(rig.root, "typo")])).toMatchObject({ code: 5, reason: "no-folder" });
    expect(existsSync(join(rig.root, "typo"))).toBe(false);
    expect(rig.fails(["show", "MISSION"])).toMatchObject({ code: 2, reason: "no-workspace" });
  });

  it("refuses a bad title with nothing made", () => {
    const rig = makeRig();
    expect(rig.fails(["init", "--mission", " "])).toMatchObject({ code: 5, reason: "invalid-input" });
    expect(rig.fails(["show", "MISSION"]).code).toBe(2);
    expect(rig.ok(["init"]).created).toBe(true);
  });

  it("puts back what is missing of a plan that was taken back to nothing", () => {
    const rig = makeRig();
    rig.ok(["init", "--mission", "First"]);
    rig.ok(["undo", "1"]);
    expect(rig.ok(["init", "--mission", "Second"])).toMatchObject({ created: true });
    expect(rig.ok(["show", "MISSION"]).title).toBe("Second");
    expect(rig.ok(["add", "An idea"]).id).toBe("TASK-00001");
    expect(idsBelow(rig, "INBOX", "BUGS")).toEqual(["MISSION > INBOX", "MISSION > BUGS"]);
  });
});

describe("init where a plan is probably not wanted", () => {
  it("never starts one in a home folder unasked", () => {
    const rig = makeRig();
    const env = { HOME: rig.root };
    expect(rig.fails(["init"], { env })).toMatchObject({ code: 3, reason: "home-folder" });
    expect(rig.fails(["init"], { env: { HOME: join(rig.root, "ada") } }).reason).toBe("home-folder");
    expect(existsSync(join(rig.root, ".planwright"))).toBe(false);
    expect(rig.ok(["init", "--here"], { env })).toMatchObject({ created: true, root: rig.root });
  });

  it("never hides another plan unasked", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    const cwd = join(rig.root, "inner");
    mkdirSync(cwd);
    const refused = rig.fails(["init"], { cwd });
    expect(refused).toMatchObject({ code: 3, reason: "inside-plan", message: expect.stringContaining(rig.root) });
    expect(refused.next[0]?.command).toBe("planwright init --here");
    expect(rig.ok(["init", "--yes"], { cwd })).toMatchObject({ created: true, root: cwd });
    expect(rig.ok(["init"], { cwd })).toMatchObject({ created: false, root: cwd });
  });
});

describe("init at a terminal", needsTerminals, () => {
  it("asks what the plan is for, and makes it so", async () => {
    const rig = makeRig();
    const [code, seen] = await talk(
      rig,
      ["init"],
      [
        ["What is this project's goal", "Ship it\r"],
        ["initiative", "\r"],
        ["first feature", "Login\r"],
        ["Another", "\r"],
      ],
    );
    expect(seen).toContain("Started a plan");
    expect(code).toBe(0);
    expect(rig.ok(["show", "MISSION"]).title).toBe("Ship it");
    expect(rig.ok(["show", "FEAT-001"])).toMatchObject({ title: "Login", parent: "MISSION" });
  });

  it("makes nothing when the person leaves", async () => {
    const rig = makeRig();
    const [code] = await talk(rig, ["init"], [["What is this project's goal", "\u0003"]]);
    expect(code).toBe(130);
    expect(existsSync(join(rig.root, ".planwright"))).toBe(false);
  });
});

describe("init in a git repository", () => {
  it("keeps the plan out of it", () => {
    const rig = makeRig();
    rig.git("init", "-q", "-b", "main");
    expect(rig.ok(["init"]).mainBranch).toBe("main");
    expect(readFileSync(join(rig.root, ".planwright/.gitignore"), "utf8")).toBe("*\n");
    expect(rig.git("status", "--porcelain")).toBe("");
  });
});

describe("upgrade", () => {
  it("finds nothing to do on a plan of this program, and nothing at all without one", () => {
    const rig = makeRig();
    expect(rig.fails(["upgrade"])).toMatchObject({ code: 2, reason: "no-workspace" });
    rig.ok(["init"]);
    expect(rig.ok(["upgrade"])).toEqual({ from: SCHEMA, to: SCHEMA, backup: null });
    expect(existsSync(join(rig.root, ".planwright/backups"))).toBe(false);
  });
});
