import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { needsProc } from "../../test/needs.js";
import { marksAbove } from "./agent-above.js";

/** The marks that are above a process which such a script starts last. It says its number. */
async function above(script: string, env: Readonly<Record<string, string>>) {
  const child = spawn("sh", ["-c", script], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [pid] = (await once(child.stdout, "data")) as [Buffer];
  const marks = marksAbove(Number(pid.toString()));
  child.stdin.end();
  await once(child, "close");
  return marks;
}

const HIDDEN = "env -i sh -c 'echo $$; read line'; true";

it("sees an agent above a process that was started with an empty environment", needsProc, async () => {
  expect(await above(HIDDEN, { CLAUDECODE: "1" })).toEqual({ CLAUDECODE: "1" });
  expect(await above(HIDDEN, { PLANWRIGHT_ACTOR: "agent:bot" })).toEqual({ PLANWRIGHT_ACTOR: "agent:bot" });
  const nested = `env -i sh -c "${HIDDEN.replaceAll("$", "\\$")}"; true`;
  expect(await above(nested, { PLANWRIGHT_ATTEMPT: "ATT-00001" })).toEqual({ PLANWRIGHT_ATTEMPT: "ATT-00001" });
});

it("says nothing of a process that has ended", needsProc, () => {
  expect(marksAbove(2 ** 30)).toEqual({});
});
