// A person at a terminal: types each answer, or does something else, when its question has appeared.

import { spawn, spawnSync } from "node:child_process";
import { needs } from "./needs.js";
import { BIN, type Rig } from "./rig.js";

export const needsTerminals = needs(
  spawnSync("script", ["--version"]).status === 0,
  "script (util-linux), which makes terminals, is not installed",
);

export function talk(
  rig: Rig,
  args: readonly string[],
  steps: readonly (readonly [question: string, answer: string | (() => unknown)])[],
  env: Readonly<Record<string, string>> = {},
): Promise<[number, string]> {
  // A terminal without a width would break every word into letters.
  const command = `stty cols 120; exec '${process.execPath}' '${BIN}' ${args.map((word) => `'${word}'`).join(" ")}`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: rig.root,
    env: { ...rig.environment(), NO_COLOR: "", TERM: "xterm", SHELL: "/bin/sh", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let seen = "";
  let from = 0;
  const left = [...steps];
  child.stdout.on("data", (chunk: Buffer) => {
    seen += chunk.toString();
    for (let step = left[0]; step; step = left[0]) {
      const [question, answer] = step;
      const at = seen.indexOf(question, from);
      if (at < 0) return;
      from = at + question.length;
      left.shift();
      if (typeof answer === "string") child.stdin.write(answer);
      else answer();
    }
  });
  return new Promise((done) => child.on("close", (code) => done([code ?? -1, seen])));
}
