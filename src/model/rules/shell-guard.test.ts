import { describe, expect, it } from "vitest";
import { reachedFor } from "./shell-guard.js";

const guarded = {
  verbs: ["approve", "question answer", "level"],
  markers: ["CLAUDECODE", "AI_AGENT"],
  keyFolder: "/home/ada/settings/planwright",
};

describe("a shell command of an agent", () => {
  it.each([
    "env -i PATH=$PATH HOME=$HOME planwright approve FEAT-001 --yes",
    "env - pw approve FEAT-001",
    "env -u CLAUDECODE planwright approve FEAT-001 --yes",
    "env AI_AGENT= npx planwright approve FEAT-001",
    "CLAUDECODE= planwright level auto",
    "unset CLAUDECODE && planwright approve FEAT-001",
    "script -qec 'planwright approve FEAT-001 --yes' /dev/null",
    "setsid planwright --json question answer ESC-001 1",
    "PLANWRIGHT_ACTOR=human:ada planwright approve FEAT-001",
    "planwright approve FEAT-001 --actor human:ada",
    "exec -c planwright approve FEAT-001",
    "cd /tmp; tmux new -d 'planwright approve FEAT-001'",
  ])("never decides in a hidden environment: %s", (command) => {
    expect(reachedFor(command, guarded)).toBe("decision");
  });

  it.each([
    "cat ~/.config/planwright/secret",
    'cp -r "$HOME/.config/planwright" /tmp/x',
    "head $XDG_CONFIG_HOME/planwright/secret",
    "xxd /home/ada/settings/planwright/secret",
    "PLANWRIGHT_SECRET=abc planwright status",
    "echo $PLANWRIGHT_SECRET",
  ])("never reads the person's key: %s", (command) => {
    expect(reachedFor(command, guarded)).toBe("key");
  });

  it.each([
    "planwright approve FEAT-001",
    "planwright next --json",
    "env -i PATH=$PATH npm test",
    "env FOO=1 planwright complete TASK-00001",
    "sudo apt install jq; git log --grep approve",
    "script -c 'planwright status' /dev/null",
    "ls ~/.config/planwright-notes",
    'git commit -m "let planwright approve it"',
    "",
  ])("is let through otherwise; what it may do, the program decides: %s", (command) => {
    expect(reachedFor(command, guarded)).toBe(null);
    expect(reachedFor(command, { ...guarded, keyFolder: undefined })).toBe(null);
  });

  it("is looked at in no time, however long it is", () => {
    expect(reachedFor("pw ".repeat(100_000), guarded)).toBe(null);
  });
});
