// The command `planwright board` as a process: its address and code, what other programs see of it, and its end.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BrowserKey } from "./browser-key.js";
import { needsProc } from "./needs.js";
import { BIN, makeRig, type Rig } from "./rig.js";

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

interface Running {
  readonly child: ChildProcess;
  readonly address: string;
  readonly code: string;
  /** What it said on standard error so far. */
  readonly said: () => string;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

const PRINTED = /^(http:\/\/127\.0\.0\.1:\d+\/)\nCode: (\S{4}-\S{4})\n/;

function printed(text: string): { readonly address: string; readonly code: string } {
  const [, address = "", code = ""] = PRINTED.exec(text) ?? [];
  return { address, code };
}

async function startBoard(rig: Rig, flags = ["--no-open"], env: Record<string, string> = {}): Promise<Running> {
  const child = spawn(process.execPath, [BIN, "board", "-C", rig.root, ...flags], { env: rig.environment(env) });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  let [text, said] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await new Promise<void>((done) =>
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (PRINTED.test(text)) done();
    }),
  );
  return { child, ...printed(text), said: () => said, ended };
}

interface SignedIn {
  readonly ok: boolean;
  readonly data?: { readonly token: string; readonly root: string; readonly browser: string };
  readonly error?: { readonly reason: string };
}

/** Types the code, or signs in with the key that the board knows. */
async function signIn(
  { address, code }: { readonly address: string; readonly code: string },
  { key = new BrowserKey(), browser }: { readonly key?: BrowserKey; readonly browser?: string | undefined } = {},
): Promise<SignedIn> {
  return post(address, "/api/session", browser === undefined ? { code, key: key.key } : { browser }, key);
}

/** A request that a browser signs; without a key, one that it does not sign. */
async function post(address: string, path: string, asked: object, key?: BrowserKey, token?: string): Promise<SignedIn> {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { data } = (await (await fetch(new URL("/api/session/nonce", address), { headers: authorization })).json()) as {
    data: { nonce: string; time: number };
  };
  const body = JSON.stringify(asked);
  const signature = key?.sign({ port: Number(new URL(address).port), method: "POST", path, body, ...data });
  const signed: Record<string, string> = signature === undefined ? {} : { "planwright-signature": signature };
  const headers = { "content-type": "application/json", ...authorization, ...signed };
  return (await fetch(new URL(path, address), { method: "POST", headers, body })).json() as Promise<SignedIn>;
}

const statusWith = async (address: string, token: string | undefined): Promise<number> =>
  (await fetch(new URL("/api/session", address), { headers: { authorization: `Bearer ${token}` } })).status;

/** A rig with a plan. */
function planned(): Rig {
  const rig = makeRig();
  rig.ok(["init"]);
  return rig;
}

describe("planwright board", () => {
  it("serves until it is interrupted, and says its code nowhere but beside the address", async () => {
    const rig = planned();
    const board = await startBoard(rig);
    expect(await signIn(board)).toMatchObject({ ok: true, data: { root: rig.root, readOnly: false } });
    board.child.kill("SIGINT");
    expect(await board.ended).toBe(130);
    expect(board.said()).not.toContain(board.code);
    expect(readdirSync(join(rig.config, "boards"), { recursive: true })).toHaveLength(1);
  });

  it("ends every token with itself, and knows the browser when it is started again", async () => {
    const rig = planned();
    const port = String(await freePort());
    const first = await startBoard(rig, ["--no-open", "--port", port]);
    const key = new BrowserKey();
    const { data: { token, browser } = { token: "", browser: "" } } = await signIn(first, { key });
    expect(await statusWith(first.address, token)).toBe(200);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await startBoard(rig, ["--no-open", "--port", port]);
    expect(second.address).toBe(first.address);
    expect(await statusWith(second.address, token)).toBe(401);
    expect(await signIn({ ...second, code: first.code })).toMatchObject({ error: { reason: "wrong-code" } });
    const again = await signIn(second, { key, browser });
    expect(again).toMatchObject({ ok: true, data: { browser } });
    const add = { title: "Login", tier: "feature" };
    const adding = "/api/operations/add";
    expect(await post(second.address, adding, add, undefined, again.data?.token)).toMatchObject({
      error: { reason: "needs-signature" },
    });
    expect(await post(second.address, adding, add, key, again.data?.token)).toMatchObject({ ok: true });
    expect(rig.ok(["show", "FEAT-001"])).toMatchObject({ title: "Login" });
  });

  it("lists the browsers that are signed in, and signs one out while it runs", async () => {
    const rig = planned();
    const board = await startBoard(rig);
    expect(rig.ok(["browsers"])).toEqual([]);
    const { data: { token, browser } = { token: "", browser: "" } } = await signIn(board);
    const port = Number(new URL(board.address).port);
    expect(rig.ok(["browsers"])).toMatchObject([{ id: browser, name: "A browser", actor: "human:ada", port }]);
    expect(rig.run(["browsers"]).stdout).toContain(browser);
    expect(rig.fails(["browsers", "remove", "0123456789abcdef"])).toMatchObject({ code: 2, reason: "not-found" });
    const env = { PLANWRIGHT_ACTOR: "agent:bot" };
    expect(rig.fails(["browsers", "remove", browser], { env })).toMatchObject({ code: 3, reason: "needs-person" });
    expect(await statusWith(board.address, token)).toBe(200);
    expect(rig.ok(["browsers", "remove", browser])).toMatchObject({ removed: [{ id: browser }] });
    expect(await statusWith(board.address, token)).toBe(401);
    expect([rig.ok(["browsers"]), rig.ok(["browsers", "remove", "all"])]).toEqual([[], { removed: [] }]);
  });

  it("gives a second terminal a code for the board that runs, and an agent none", async () => {
    const rig = planned();
    const board = await startBoard(rig);
    for (const words of [
      ["board", "--code"],
      ["board", "--no-open"],
    ]) {
      const again = rig.run(words);
      const other = printed(again.stdout);
      expect([again.code, other.address, other.code === board.code]).toEqual([0, board.address, false]);
      expect(await signIn(other)).toMatchObject({ ok: true, data: { root: rig.root } });
    }
    const port = new URL(board.address).port;
    expect(rig.ok(["board", "--code", "--port", port])).toMatchObject({ address: board.address, port: Number(port) });
    expect(rig.fails(["board", "--code", "--port", "1"])).toMatchObject({ code: 2, reason: "no-board" });
    const env = { PLANWRIGHT_ACTOR: "agent:bot" };
    expect(rig.fails(["board", "--code"], { env })).toMatchObject({ code: 3, reason: "needs-person" });
    const own = await startBoard(rig, ["--no-open"], env);
    expect(own.address).not.toBe(board.address);
    expect(rig.fails(["board", "--code"])).toMatchObject({ code: 5, reason: "several-boards" });
    for (const each of [own, board]) each.child.kill("SIGINT");
    await Promise.all([own.ended, board.ended]);
    expect(rig.fails(["board", "--code"])).toMatchObject({ code: 2, reason: "no-board" });
  });

  it("gives no code for a board whose process is gone, although its note is still there", async () => {
    const rig = planned();
    const board = await startBoard(rig);
    board.child.kill("SIGKILL");
    await board.ended;
    expect(rig.fails(["board", "--code"])).toMatchObject({ reason: "no-board" });
  });

  it(
    "shows neither code nor token in a command line or an environment, its own or that of the program that opens the browser",
    needsProc,
    async () => {
      const rig = planned();
      const tools = `${rig.state}/tools`;
      mkdirSync(tools, { recursive: true });
      const opener = join(tools, "xdg-open");
      const noted = join(tools, "noted");
      writeFileSync(
        opener,
        `#!/bin/sh\n{ tr '\\0' ' ' </proc/$$/cmdline; env; } >${noted}.new\nmv ${noted}.new ${noted}\n`,
      );
      chmodSync(opener, 0o755);
      symlinkSync(process.execPath, join(tools, "node"));
      const board = await startBoard(rig, [], { PATH: `${tools}${delimiter}${process.env["PATH"]}` });
      const read = (file: string): string => {
        try {
          return readFileSync(file, "utf8");
        } catch {
          return "";
        }
      };
      await expect.poll(() => read(noted)).toContain(board.address);
      const { data } = await signIn(board);
      const seen = [noted, `/proc/${board.child.pid}/cmdline`, `/proc/${board.child.pid}/environ`].map(read);
      for (const secret of [board.code, board.code.replace("-", ""), data?.token ?? "?"])
        for (const text of seen) expect(text).not.toContain(secret);
      expect(seen[0]).toMatch(new RegExp(`xdg-open ${board.address} `));
    },
  );

  it("says in the terminal when somebody sent many wrong codes, and still takes the right one", async () => {
    const board = await startBoard(planned());
    await Promise.all([0, 1, 2, 3, 4].map((i) => signIn({ ...board, code: `ZZZZ-ZZZ${i}` })));
    await expect.poll(board.said).toContain("5 wrong codes were sent. Your code is still good.");
    expect(await signIn(board)).toMatchObject({ ok: true });
  });

  it("says in the terminal when another program has the usual port, and listens on another", async () => {
    const rig = planned();
    const first = await startBoard(rig);
    const second = await startBoard(rig, ["--no-open", "--read-only"]);
    expect(second.address).not.toBe(first.address);
    expect(second.said()).toContain(`the usual port, ${new URL(first.address).port}. Type the code only at`);
  });

  it("opens the board that the daemon serves, by setting, and the daemon's log has no code", async () => {
    const rig = makeRig();
    execFileSync("git", ["init", "-q", rig.root]);
    rig.git("commit", "-q", "--allow-empty", "-m", "Start");
    rig.ok(["init"]);
    const port = await freePort();
    rig.ok(["config", "set", "board.port", String(port)]);
    const child = spawn(process.execPath, [BIN, "daemon", "-C", rig.root], { env: rig.environment() });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => rig.run(["board", "--code"]).code).toBe(0);
    const opened = rig.run(["board", "--no-open"]);
    const { address, code } = printed(opened.stdout);
    expect([opened.code, address]).toEqual([0, `http://127.0.0.1:${port}/`]);
    const { data } = await signIn({ address, code });
    expect(data).toMatchObject({ root: rig.root });
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
    for (const secret of [code, data?.token]) expect(said).not.toContain(secret);
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
