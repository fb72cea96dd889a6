// The command `planwright board` as a process: its address, its page, and its end.

import { execFileSync, spawn } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, makeRig } from "./rig.js";

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

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

  it("opens the board that the daemon serves, by setting, and the daemon's log has no token", async () => {
    const rig = makeRig();
    execFileSync("git", ["init", "-q", rig.root]);
    execFileSync("git", [
      "-C",
      rig.root,
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@b.c",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "Start",
    ]);
    rig.ok(["init"]);
    const port = await freePort();
    rig.ok(["config", "set", "board.port", String(port)]);
    const child = spawn(process.execPath, [BIN, "daemon", "-C", rig.root], { env: rig.environment() });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/api/session`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(isUp).toBe(401);
    const opened = rig.run(["board", "--no-open"]);
    const url = new URL(opened.stdout.trim());
    expect([opened.code, url.port]).toEqual([0, String(port)]);
    const token = url.hash.replace("#token=", "");
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ token });
    const signedIn = await fetch(new URL("/api/session", url), { method: "POST", headers, body });
    expect(await signedIn.json()).toMatchObject({ ok: true, data: { root: rig.root } });
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
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

describe("--at", () => {
  it("shows the plan as it was after an operation", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    rig.ok(["add", "Login", "--tier", "feature"]);
    rig.ok(["edit", "FEAT-001", "--title", "Sign in"]);
    expect(rig.ok(["show", "FEAT-001", "--at", "2"])).toMatchObject({ title: "Login" });
    expect(rig.run(["status", "--at=1"]).stdout).not.toContain("FEAT-001");
    expect(rig.run(["--at", "2", "status"]).stdout).toContain("Login");
    expect(rig.run(["status", "--at", "9"])).toMatchObject({ code: 2 });
    expect(rig.run(["status", "--at", "yesterday"])).toMatchObject({ code: 5 });
    expect(rig.run(["add", "Logout", "--at", "2"])).toMatchObject({ code: 5 });
  });
});
