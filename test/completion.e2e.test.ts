import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, type TestOptions } from "vitest";
import { needs } from "./needs.js";
import { BIN, makeRig, type Rig } from "./rig.js";

/** Each test needs the shell that it asks. */
const needsShell = (shell: string): TestOptions =>
  needs(spawnSync(shell, ["--version"]).status === 0, `${shell} is not installed`);

const OPERATORS = ["<", "<=", "=", ">=", ">"];

/** Runs a program of the shell with our script in `$SCRIPT`. */
function ask(rig: Rig, shell: string, program: string): string {
  const script = join(rig.root, `completion.${shell}`);
  writeFileSync(script, rig.run(["completion", shell]).stdout);
  const bin = join(rig.root, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["planwright", "pw"]) if (!existsSync(join(bin, name))) symlinkSync(BIN, join(bin, name));
  const PATH = `${bin}:${process.env["PATH"] ?? ""}`;
  const env = { PATH, HOME: rig.root, TERM: "xterm", SCRIPT: script, USER: "ada" };
  const child = spawnSync(shell, ["-c", program], { encoding: "utf8", cwd: rig.root, env, timeout: 60_000 });
  expect(child.stderr).toBe("");
  return child.stdout.trim();
}

describe("completion in bash", needsShell("bash"), () => {
  const complete = (rig: Rig, ...words: string[]): string[] => {
    const given = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`;
    const reply = ask(rig, "bash", `source "$SCRIPT"; ${given}; _planwright; printf '%s\\n' "\${COMPREPLY[@]}"`);
    return reply.split("\n");
  };

  it("knows commands, flags and values", () => {
    const rig = makeRig();
    expect(complete(rig, "planwright", "ini")).toEqual(["init"]);
    expect(complete(rig, "pw", "boot")).toEqual(["bootstrap"]);
    // A hidden word is completed when its beginning is typed, and not listed.
    expect(complete(rig, "pw", "")).toContain("init");
    expect(complete(rig, "pw", "")).not.toContain("bootstrap");
    expect(complete(rig, "planwright", "edit", "--remove-")).toEqual([
      "--remove-file",
      "--remove-symbol",
      "--remove-check",
    ]);
    expect(complete(rig, "planwright", "add", "--tier", "s")).toEqual(["story"]);
    expect(complete(rig, "planwright", "record", "s")).toEqual(["supersede"]);
  });

  it("knows the ids of nodes", () => {
    const rig = makeRig();
    rig.ok(["init", "--mission", "M"]);
    rig.ok(["add", "Sign in", "--tier", "feature", "--id", "SIGN-IN"]);
    expect(complete(rig, "planwright", "approve", "SI")).toEqual(["SIGN-IN", "SIGN-IN-LAND"]);
    expect(complete(rig, "planwright", "add", "--parent", "sign-in")).toEqual(["SIGN-IN", "SIGN-IN-LAND"]);
  });

  it("offers words that the shell will read as words", () => {
    const rig = makeRig();
    expect(complete(rig, "planwright", "require", "--op", "")).toEqual(["\\<", "\\<=", "=", "\\>=", "\\>"]);
    expect(complete(rig, "planwright", "require", "--op", "\\<")).toEqual(["\\<", "\\<="]);
  });
});

describe("completion in fish", needsShell("fish"), () => {
  const complete = (rig: Rig, line: string): string[] =>
    ask(rig, "fish", `source $SCRIPT; complete -C '${line}'`)
      .split("\n")
      .map((found) => found.split("\t")[0] as string);

  it("knows commands, flags and values", () => {
    const rig = makeRig();
    expect(complete(rig, "planwright ini")).toEqual(["init"]);
    expect(complete(rig, "pw heartb")).toEqual(["heartbeat"]);
    expect(complete(rig, "planwright next --pe")).toEqual(["--peek"]);
    expect(complete(rig, "planwright add --tier s")).toEqual(["story"]);
    expect(complete(rig, "planwright require --op ").sort()).toEqual([...OPERATORS].sort());
  });
});

describe("completion in zsh", needsShell("zsh"), () => {
  /** A second shell, at a terminal that the first one holds: all that it shows, and what it reads the completed line as. */
  function complete(rig: Rig, line: string): { seen: string; words: string[] } {
    // Then back to the line's beginning and to its end: it becomes the arguments of a command that prints them.
    const keys = `${line}\\t\\x01print -l -- WO''RDS: \\x05 E''ND\\r`;
    const seen = ask(
      rig,
      "zsh",
      `zmodload zsh/zpty
       zpty inner zsh -f -i
       zpty -w inner 'bindkey -e; autoload -Uz compinit; compinit -u -D; source $SCRIPT; echo RE''ADY'
       zpty -r inner seen '*READY*'
       zpty -n -w inner $'${keys.replaceAll("'", "\\'")}'
       zpty -r inner seen $'*WORDS:*END*'
       zpty -d inner
       print -r -- $seen`,
    );
    expect(seen).not.toContain("error");
    const lines = seen.split(/\r*\n/);
    return { seen, words: lines.slice(lines.indexOf("WORDS:") + 1, lines.indexOf("END")) };
  }

  it("knows commands, flags and values", () => {
    const rig = makeRig();
    expect(complete(rig, "planwright heartb").words).toEqual(["planwright", "heartbeat"]);
    expect(complete(rig, "pw next --pe").words).toEqual(["pw", "next", "--peek"]);
    expect(complete(rig, "planwright add --tier stor").words).toEqual(["planwright", "add", "--tier", "story"]);
    expect(complete(rig, "planwright require --op \\\\>").seen).toContain(">=");
  });
});

it("answers with every command, whatever the shell", () => {
  const rig = makeRig();
  const answer = JSON.parse(rig.run(["--json", "completion-words", "--", ""]).stdout) as { data: { word: string }[] };
  const words = new Set(answer.data.map(({ word }) => word));
  const shown = (rig.ok(["help"]) as { words: string }[]).map((each) => each.words.split(" ")[0] as string);
  expect(shown.filter((word) => !words.has(word))).toEqual([]);
  expect(rig.fails(["completion", "tcsh"])).toMatchObject({ code: 5, reason: "unknown-shell" });
});
