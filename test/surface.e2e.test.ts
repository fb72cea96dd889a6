// Every surface is pinned: what the help says and which shape the JSON answers have. A change shows here.

import { describe, expect, it } from "vitest";
import { commandPage } from "../src/doors/cli/help.js";
import { makeStyle } from "../src/verbs/kit/style.js";
import { makeRig, type Rig } from "./rig.js";

/** As it is printed where there is no terminal. */
const PLAIN = makeStyle(false, 100);

/** The shape of a value: names and types, not contents. */
function shapeOf(value: unknown): unknown {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== "object") return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}

interface Described {
  readonly words: string;
  readonly summary: string;
  readonly variant: boolean;
  readonly examples: readonly { readonly command: string }[];
}

const commands = (rig: Rig): Described[] => rig.ok(["help"]) as Described[];

describe("help", () => {
  it("lists the commands of a day, and all of them", () => {
    expect(makeRig().run(["help"]).stdout).toMatchSnapshot("of a day");
    expect(makeRig().run(["help", "--all"]).stdout).toMatchSnapshot("all");
  });

  it("explains each of them, with an example", async () => {
    const rig = makeRig();
    for (const { words, summary, examples } of commands(rig)) {
      expect({ words, hasExample: examples.length > 0 }).toEqual({ words, hasExample: true });
      expect(summary).toMatch(/^[A-Z][^.]{0,59}$/);
    }
    // A variant stands in the page of the command that has the same words.
    for (const { words } of commands(rig).filter(({ variant }) => !variant))
      expect(`${await commandPage(words, PLAIN)}\n`).toMatchSnapshot(words);
  });

  it.each(["next", "edit", "mcp"])("prints the page of %s", async (words) => {
    const { code, stdout } = makeRig().run([...words.split(" "), "--help"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${await commandPage(words, PLAIN)}\n` });
  });

  it("offers what was probably meant, and exits with 5", () => {
    const rig = makeRig();
    expect(rig.run(["aprove"])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("Did you mean approve?") as string,
    });
    expect(rig.run(["next", "--peak"])).toMatchObject({ code: 5, stderr: expect.stringContaining("--peek") as string });
    expect(rig.run(["next", "--count", "many"]).stderr).toContain("--count must be a whole number");
    expect(rig.run(["show"]).stderr).toContain("needs NODE");
  });
});

describe("JSON answers", () => {
  it("have the shapes that other programs rely on", () => {
    const rig = makeRig();
    const shapes: Record<string, unknown> = {};
    const ask = (name: string, args: string[], input?: string): unknown => {
      const data: unknown = rig.ok(args, input === undefined ? {} : { input });
      shapes[name] = shapeOf(data);
      return data;
    };
    ask("init", ["init", "--mission", "M"]);
    const lines = [
      { id: "FEAT-1", tier: "feature", title: "F" },
      {
        id: "T-1",
        title: "One",
        parent: "FEAT-1",
        files: ["a.ts"],
        checks: [{ run: "true", expect: "exit 0" }],
        priority: 1,
      },
      { id: "T-2", title: "Two", parent: "FEAT-1", dependsOn: ["T-1"] },
      { id: "T-3", title: "Three", parent: "FEAT-1" },
      { id: "T-4", title: "Four", parent: "FEAT-1", checks: [{ run: "true" }] },
    ];
    ask("add", ["add", "--from", "-"], lines.map((line) => JSON.stringify(line)).join("\n"));
    ask("add one", ["add", "Five", "--parent", "FEAT-1", "--id", "T-5"]);
    ask("edit", ["edit", "T-3", "--title", "Third"]);
    ask("move", ["move", "T-5", "--to", "INBOX"]);
    ask("link", ["link", "T-4", "--on", "T-3"]);
    ask("unlink", ["unlink", "T-4", "--on", "T-3"]);
    ask("gate", ["gate", "Get the key", "--before", "T-3"]);
    ask("approve", ["approve", "FEAT-1"]);
    ask("next --peek", ["next", "--peek"]);
    ask("level", ["level"]);
    ask("level on", ["level", "on", "--in", "FEAT-1"]);
    ask("subscribe", ["subscribe"]);
    ask("news subscriptions", ["news", "subscriptions"]);
    const { token } = ask("next", ["next"]) as { token: string };
    ask("heartbeat", ["heartbeat", "T-1", "--token", token]);
    ask("complete", ["complete", "T-1", "--token", token]);
    ask("next --count", ["next", "--count", "1", "--in", "T-4"]);
    ask("release", ["claim", "release", "T-4"]);
    ask("start", ["start", "T-4"]);
    ask("fail", ["fail", "T-4", "--reason", "no"]);
    ask("reset", ["reset", "T-4"]);
    ask("news", ["news"]);
    ask("unsubscribe", ["news", "unsubscribe"]);
    ask("triage", ["question", "triage"]);
    ask("why", ["why", "T-3"]);
    ask("show", ["show", "T-1"]);
    ask("status", ["status"]);
    ask("focus", ["focus", "T-2"]);
    ask("freeze", ["freeze", "T-2", "--reason", "wait"]);
    ask("thaw", ["thaw", "T-2"]);
    ask("undo", ["undo"]);
    ask("redo", ["redo"]);
    ask("promote", ["promote", "A note", "--in", "T-2"].concat(["--to", "FEAT-1"]));
    ask("waive", ["waive", "T-2", "--reason", "not needed"]);
    ask("drop", ["drop", "T-3", "--reason", "gone"]);
    ask("unapprove", ["unapprove", "T-4"]);
    ask("replan", ["replan", "FEAT-1", "--reason", "again"]);
    ask("log", ["log"]);
    ask("diff", ["diff", "2"]);
    ask("waves", ["waves"]);
    ask("lint", ["lint"]);
    ask("verify", ["verify"]);
    ask("stats", ["stats"]);
    expect(shapes).toMatchSnapshot();
  });

  it("say what went wrong in one shape", () => {
    const rig = makeRig();
    const { code, ...error } = rig.fails(["show", "x"]);
    expect(code).toBe(2);
    const next = [{ operation: "string", input: {}, who: "string", command: "string" }];
    expect(shapeOf(error)).toEqual({ reason: "string", message: "string", details: "null", next });
  });
});

describe("errors", () => {
  it("never print a command that removes anything", () => {
    // What is printed, with every step that is offered.
    const rig = makeRig();
    rig.ok(["init"]);
    const attempts = [
      ["next"],
      ["show", "nothing"],
      ["undo", "999"],
      ["thaw", "MISSION"],
      ["complete", "INBOX"],
      ["approve", "INBOX"],
    ];
    for (const args of attempts) {
      const { message, next } = rig.fails(args);
      expect(`${message} ${JSON.stringify(next)}`).not.toMatch(
        /planwright (drop|waive|unapprove|archive(?! \S+ --restore)|replan)|--force|\brm\b|--drop/,
      );
    }
  });
});
