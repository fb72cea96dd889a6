// Two people share one plan through git: what they type, as docs/share-a-plan.md says.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { gitIn } from "./git-repository.js";
import { type Outcome, Rig } from "./rig.js";

class Team {
  readonly top = mkdtempSync(join(tmpdir(), "planwright-team-"));
  readonly remote = join(this.top, "remote.git");

  constructor() {
    onTestFinished(() => rmSync(this.top, { recursive: true, force: true }));
    gitIn(this.top, "init", "-q", "--bare", "-b", "main", this.remote);
  }

  /** A clone with a person of its own. */
  join(name: string): Member {
    const folder = join(this.top, name);
    execFileSync("git", ["clone", "-q", this.remote, folder], { stdio: "ignore" });
    return new Member(name, folder);
  }
}

class Member {
  readonly folder: string;
  readonly #rig: Rig;
  readonly #env: Readonly<Record<string, string>>;

  constructor(name: string, folder: string) {
    this.folder = folder;
    this.#rig = new Rig();
    onTestFinished(() => this.#rig.remove());
    const secret = Buffer.from(name).toString("hex").padEnd(64, "0");
    this.#env = { USER: name, PLANWRIGHT_SECRET: secret };
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  does(...args: readonly string[]): any {
    return this.#rig.ok(args, { cwd: this.folder, env: this.#env });
  }

  /** As it stands on a page. */
  types(line: string): void {
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    this.does(...words.slice(1));
  }

  fails(...args: readonly string[]) {
    return this.#rig.fails(args, { cwd: this.folder, env: this.#env });
  }

  says(...args: readonly string[]): Outcome {
    return this.#rig.run(args, { cwd: this.folder, env: this.#env });
  }

  commits(file: string, text: string): void {
    mkdirSync(join(this.folder, "src"), { recursive: true });
    writeFileSync(join(this.folder, file), text);
    gitIn(this.folder, "add", "-A");
    gitIn(this.folder, "commit", "-q", "-m", "work");
  }

  get key(): string {
    const { people } = this.does("people") as { people: { key: string }[] };
    return people[0]?.key ?? "";
  }
}

function begin(): { ada: Member; kim: Member } {
  const team = new Team();
  const ada = team.join("ada");
  ada.commits("README.md", "A shop\n");
  gitIn(ada.folder, "push", "-q", "origin", "main");
  ada.does("init", "--mission", "A shop", "--feature", "Login");
  ada.does("add", "Log in", "--parent", "FEAT-001", "--check", "true");
  return { ada, kim: team.join("kim") };
}

describe("two people with one plan and no server", () => {
  it("share it, approve for each other and see what the other did", () => {
    const { ada, kim } = begin();
    ada.does("approve", "FEAT-001");
    expect(ada.does("sync")).toMatchObject({ shared: 3, merged: [] });
    const first = kim.does("sync");
    expect(first.merged).toMatchObject([{ operations: 3 }]);
    expect(first.unknown).toEqual(["human:ada"]);
    // What Ada approved is only a note until Kim's plan knows her key.
    expect(kim.does("show", "TASK-00001")).toMatchObject({ reason: "unapproved", approval: null });
    expect(kim.fails("next").code).toBe(2);
    kim.does("people", "add", ada.key, "--name", "ada");
    kim.does("sync");
    expect(kim.does("show", "TASK-00001")).toMatchObject({ status: "ready" });
    kim.does("next");
    writeFileSync(join(kim.folder, "login.txt"), "in\n");
    kim.does("complete", "TASK-00001");
    kim.does("sync");
    ada.does("sync");
    expect(ada.does("show", "TASK-00001")).toMatchObject({ acceptance: { state: "pending" } });
    ada.does("people", "add", kim.key, "--name", "kim");
    for (const member of [kim, ada]) {
      member.does("sync");
      expect(member.does("verify")).toMatchObject({ differences: [] });
    }
    expect(ada.says("sync").stdout).toContain("Nothing new");
  });

  it("never takes an approval that was changed on the way, or that somebody else signed", () => {
    const { ada, kim } = begin();
    ada.does("sync");
    kim.does("sync");
    kim.does("people", "add", ada.key, "--name", "ada");
    // Kim approves, and nobody told Ada's plan who Kim is.
    kim.does("approve", "FEAT-001");
    kim.does("sync");
    expect(ada.does("sync").unknown).toEqual(["human:kim"]);
    expect(ada.does("show", "TASK-00001")).toMatchObject({ reason: "unapproved" });
    expect(ada.says("show", "TASK-00001").stdout + ada.says("show", "FEAT-001").stdout).toContain(
      "does not know their key",
    );
    // What Kim approved changes afterwards: the approval is stale, and runs nothing.
    ada.does("people", "add", kim.key, "--name", "kim");
    ada.does("sync");
    expect(ada.does("show", "TASK-00001")).toMatchObject({ status: "ready" });
    kim.does("edit", "TASK-00001", "--check", "echo other");
    kim.does("sync");
    ada.does("sync");
    expect(ada.does("show", "TASK-00001")).toMatchObject({ reason: "approval-stale" });
  });
});

describe("the page that shows it", () => {
  it("says nothing that cannot be typed", () => {
    const page = readFileSync(join(import.meta.dirname, "../docs/share-a-plan.md"), "utf8");
    const team = new Team();
    const ada = team.join("ada");
    ada.commits("README.md", "A shop\n");
    gitIn(ada.folder, "push", "-q", "origin", "main");
    const kim = team.join("kim");
    const blocks = [...page.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block.trim().split("\n"));
    const [begins, joins, trusts] = blocks;
    for (const line of begins ?? []) ada.types(line);
    for (const line of joins ?? []) kim.types(line);
    for (const line of trusts ?? []) kim.types(line.replace("KEY", ada.key));
    expect(blocks).toHaveLength(3);
    expect(kim.does("show", "TASK-00001")).toMatchObject({ status: "in_progress" });
  });
});

describe("sync says what is in its way", () => {
  it("without a remote, a repository or a plan anywhere", () => {
    const rig = new Rig();
    onTestFinished(() => rig.remove());
    expect(rig.fails(["sync"])).toMatchObject({ code: 3, reason: "no-repository" });
    gitIn(rig.root, "init", "-q");
    expect(rig.fails(["sync"])).toMatchObject({ code: 3, reason: "no-remote" });
    const team = new Team();
    const kim = team.join("kim");
    expect(kim.fails("sync")).toMatchObject({ code: 2, reason: "no-plan" });
    expect(kim.fails("sync", "upstream")).toMatchObject({ code: 5, reason: "unknown-remote" });
  });

  it("and changes nothing when it only looks", () => {
    const { ada, kim } = begin();
    ada.does("sync");
    expect(kim.does("sync", "--dry-run")).toMatchObject({ waiting: 1 });
    kim.does("sync");
    ada.does("add", "More", "--parent", "FEAT-001");
    expect(ada.does("sync", "--dry-run")).toMatchObject({ shared: 1 });
    ada.does("sync");
    expect(kim.does("sync", "--dry-run")).toMatchObject({ op: null, merged: [{ operations: 1 }] });
    expect(kim.fails("show", "TASK-00002").reason).toBe("not-found");
  });
});
