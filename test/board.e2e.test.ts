// The command `planwright board` as a process: its address, its page, and its end.

import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, makeRig } from "./rig.js";

describe("planwright board", () => {
  it("serves until it is interrupted, and says nothing about tokens but the address", async () => {
    const rig = makeRig();
    rig.ok(["init"]);
    const child = spawn(process.execPath, [BIN, "board", "--no-open", "-C", rig.root], { env: rig.environment() });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const address = await new Promise<string>((done) =>
      child.stdout.once("data", (chunk: Buffer) => done(String(chunk))),
    );
    const url = new URL(address.trim());
    const token = url.hash.replace("#token=", "");
    const signedIn = await fetch(new URL("/api/session", url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    expect(await signedIn.json()).toMatchObject({ ok: true, data: { root: rig.root, readOnly: false } });
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(said).not.toContain(token);
  });

  it.each([
    [["--port", "banana"], "banana"],
    [["--port", "70000"], "70000"],
    [["--loudly"], "--loudly"],
    [["here"], "here"],
  ])("refuses %s", (words, named) => {
    const rig = makeRig();
    rig.ok(["init"]);
    expect(rig.run(["board", "--no-open", ...words])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(named),
    });
  });

  it("needs a plan", () => {
    expect(makeRig().run(["board", "--no-open"])).toMatchObject({ code: 2 });
  });
});
