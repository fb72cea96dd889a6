// Threat: somebody other than the person at this machine uses the board. A page of another site or another port posts to it, follows its
// stream, takes what the browser sends, or points a name of its own at it; a program guesses codes, reads files and command lines,
// floods it, or leaves connections hanging.

import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { Agent, createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sealCode } from "../../src/doors/http/codes.js";
import { EventHub } from "../../src/doors/http/events.js";
import { describeOperations } from "../../src/verbs/describe-operations.js";
import { RunningBoards } from "../../src/verbs/services/running-boards.js";
import { type BoardRig, makeBoard, type Sent } from "../board.js";
import { BrowserKey } from "../browser-key.js";

/** Sends a code with a key and a signature, as a program does that knows how the page signs in. */
function tryCode(rig: BoardRig, code: unknown, sent: Sent = {}) {
  const key = new BrowserKey();
  return rig.postSignIn({ code, key: key.key }, key, sent);
}

/** For a sender with one connection, which nobody else uses. */
function ownConnection(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

const PAGE = { "index.html": "<!doctype html><title>Board</title>" };

describe("a page of another site", () => {
  it.each([
    ["posts", { origin: "https://attacker.example" }],
    ["posts from another port of this machine", { origin: "http://localhost:3000" }],
    ["posts from a frame without an origin", { origin: "null" }],
    ["points its own name here", { host: "attacker.example" }],
    ["points a name here that begins like ours", { host: "127.0.0.1.attacker.example" }],
    ["asks as the browser tells it does", { "sec-fetch-site": "cross-site" }],
    ["asks from another port, as the browser tells", { "sec-fetch-site": "same-site" }],
    ["calls this machine by another name", { host: "localhost:HERE" }],
    ["calls this machine by its other address", { host: "[::1]:HERE", origin: "http://[::1]:HERE" }],
  ])("%s, and is refused even with a token", async (_, sent) => {
    const rig = await makeBoard({ files: PAGE });
    const named = Object.entries(sent).map(([name, value]) => [name, value.replace("HERE", String(rig.board.port))]);
    const headers = Object.fromEntries(named) as Record<string, string>;
    const browser = await rig.signIn();
    const posted = await browser.post("/api/operations/add", { title: "Evil", parent: "FEAT-001" }, { headers });
    expect([posted.status, posted.json.error.reason]).toEqual([403, "foreign-request"]);
    const read = await browser.get("/api/session", { headers });
    expect([read.status, read.json.error.reason]).toEqual([403, "foreign-request"]);
    const stream = await browser.get("/api/events", { headers });
    expect([stream.status, stream.json.error.reason]).toEqual([403, "foreign-request"]);
    const { code } = rig.board.newCode();
    expect((await rig.send("/api/session", { method: "POST", body: { code }, headers })).status).toBe(403);
    expect((await rig.send("/api/session/nonce", { headers })).status).toBe(403);
    expect((await rig.ask("log", {})).operations).toHaveLength(2);
  });

  it("may lead to the page, and load nothing of it", async () => {
    const { send } = await makeBoard({ files: PAGE });
    const from = (mode: string) => send("/", { headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": mode } });
    expect((await from("navigate")).status).toBe(200);
    expect((await from("no-cors")).status).toBe(403);
  });

  it("posts a form, which is no JSON", async () => {
    const browser = await (await makeBoard()).signIn();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const posted = await browser.post("/api/operations/status", "{}", { headers });
    expect([posted.status, posted.json.error.reason]).toEqual([415, "not-json"]);
  });

  it("may neither frame the page, nor learn where it leads, nor run a script in it", async () => {
    const { send } = await makeBoard({ files: PAGE });
    const { headers } = await send("/");
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect((await send("/api/session", { method: "OPTIONS" })).status).toBe(405);
  });
});

describe("a program without a session", () => {
  it("gets nothing of the plan, whatever it asks for", async () => {
    const { send } = await makeBoard({ files: PAGE });
    const headers = { authorization: `Bearer ${"x".repeat(43)}` };
    for (const { name } of await describeOperations()) {
      const answered = await send(`/api/operations/${name}`, { method: "POST", body: {}, headers });
      expect([name, answered.status, answered.json.error.reason]).toEqual([name, 401, "no-session"]);
    }
    for (const path of ["/api/session", "/api/events", "/api/openapi.json"]) {
      expect((await send(path)).status).toBe(401);
    }
    expect((await send("/api/session/code", { method: "POST", body: {} })).status).toBe(401);
  });

  it("cannot guess a code by sending many, and you are told", async () => {
    let told = 0;
    const rig = await makeBoard({ onManyWrong: () => (told += 1) });
    const { code } = rig.board.newCode();
    for (const tried of ["", "x", null, 1, {}, [], "../secret", code.slice(0, -1), "U".repeat(8), "9".repeat(5_000)])
      expect((await tryCode(rig, tried)).json.error.reason).toBe("bad-code");
    const guesses = await Promise.all(Array.from({ length: 50 }, (_, i) => tryCode(rig, `ZZZZ-ZZ${10 + i}`)));
    expect(new Set(guesses.map(({ json }) => json.error.reason))).toEqual(new Set(["wrong-code"]));
    expect(told).toBe(1);
  });

  it("cannot void your code with wrong ones", async () => {
    const rig = await makeBoard();
    const { code } = rig.board.newCode();
    for (let i = 0; i < 10; i++) await tryCode(rig, `ZZZZ-ZZZ${i}`);
    expect((await tryCode(rig, code)).status).toBe(200);
  });

  it("cannot use a code twice, nor twice at once", async () => {
    const rig = await makeBoard();
    const { code } = rig.board.newCode();
    const statuses = (await Promise.all([tryCode(rig, code), tryCode(rig, code)])).map(({ status }) => status);
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 401]);
  });

  it.each([
    "/../package.json",
    "/..%2f..%2fpackage.json",
    "/assets/../../planwright.json",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/..%5c..%5cetc",
    "/.planwright/plan.db",
    "//etc/passwd",
    "/index.html%00.js",
  ])("cannot leave the folder of the page by %s", async (path) => {
    const { send } = await makeBoard({ files: PAGE });
    const { status, text } = await send(path);
    expect(status === 404 || status === 400 || text === PAGE["index.html"]).toBe(true);
  });

  it.each([
    ["a whole address, as for a proxy", "http://attacker.example/", "Host: HERE"],
    ["an address that is none", "http://[", "Host: HERE"],
    ["two slashes", "//", "Host: HERE"],
    ["two hosts", "/", "Host: HERE\r\nHost: attacker.example"],
    ["no host", "/", "X-Host: HERE"],
  ])("is refused with %s", async (_, path, host) => {
    const { board } = await makeBoard({ files: PAGE });
    const socket = connect(board.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    const head = host.replace("HERE", `127.0.0.1:${board.port}`);
    const said = await new Promise<string>((done) => {
      socket.once("data", (chunk) => done(chunk.toString()));
      socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
    });
    expect(said).toMatch(/^HTTP\/1.1 (?:400|403) /);
  });
});

describe("a program on another port, which gets every cookie of this machine", () => {
  it("gets none from the board, whatever a browser asks for", async () => {
    const rig = await makeBoard({ files: PAGE });
    const browser = await rig.signIn();
    const { code } = rig.board.newCode();
    const answers = [
      await rig.send("/"),
      await rig.send("/plan/tree"),
      await rig.send("/api/session/nonce"),
      await tryCode(rig, code),
      await tryCode(rig, code),
      await browser.get("/api/session"),
      await browser.post("/api/session/code"),
      await browser.call("status"),
      await browser.get("/api/openapi.json"),
    ];
    expect(answers.map(({ headers }) => headers["set-cookie"])).toEqual(answers.map(() => undefined));
  });

  it("is not let in with a token or a code in a cookie, in the address or in the body", async () => {
    const rig = await makeBoard({ files: PAGE });
    const { token } = await rig.signIn();
    const { code } = rig.board.newCode();
    const cookie = `planwright_${rig.board.port}=${token}; planwright=${token}; token=${token}; code=${code}`;
    expect((await rig.send("/api/session", { headers: { cookie } })).status).toBe(401);
    for (const query of [`token=${token}`, `access_token=${token}`, `authorization=Bearer%20${token}`, `code=${code}`])
      expect((await rig.send(`/api/session?${query}`)).status).toBe(401);
    const body = { token, authorization: `Bearer ${token}` };
    expect((await rig.send("/api/operations/status", { method: "POST", body, headers: { cookie } })).status).toBe(401);
    const basic = { authorization: `Basic ${Buffer.from(`planwright:${token}`).toString("base64")}` };
    expect((await rig.send("/api/session", { headers: basic })).status).toBe(401);
  });

  it("finds neither code nor token in what the board serves to everybody, nor in its address", async () => {
    const rig = await makeBoard({ files: PAGE });
    const { token } = await rig.signIn();
    const { code } = rig.board.newCode();
    expect(rig.board.address).toBe(`http://127.0.0.1:${rig.board.port}/`);
    const { text, headers } = await rig.send("/");
    for (const secret of [token, code, code.replace("-", "")])
      expect(text + JSON.stringify(headers)).not.toContain(secret);
  });

  it("cannot answer for the board by listening on localhost: the page is only at its own address", async () => {
    const rig = await makeBoard({ files: PAGE });
    for (const host of ["localhost", "LOCALHOST", "[::1]"]) {
      const { status, headers } = await rig.send("/plan/tree?q=a", { headers: { host: `${host}:${rig.board.port}` } });
      expect([status, headers.location]).toEqual([302, `http://127.0.0.1:${rig.board.port}/plan/tree?q=a`]);
    }
  });
});

describe("a program that reads files", () => {
  it("finds no code and no token in the notes of running boards, which only you can read", async () => {
    const folder = join(mkdtempSync(join(tmpdir(), "planwright-boards-")), "boards");
    onTestFinished(() => rmSync(join(folder, ".."), { recursive: true, force: true }));
    const boards = new RunningBoards(folder);
    const rig = await makeBoard({ boards });
    const { token } = await rig.signIn();
    const code = "7K2M-Q9XD";
    const [{ id, lock } = { id: "", lock: "" }] = boards.list();
    boards.leaveCode(id, sealCode({ code, until: Date.now() + 60_000 }, lock));
    const names = readdirSync(folder);
    expect(new Set(names.map((name) => name.split(".")[1]))).toEqual(new Set(["code", "json"]));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of names) {
      const content = readFileSync(join(folder, name), "utf8");
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      for (const secret of [token, code, code.replace("-", "")]) expect(content).not.toContain(secret);
      for (const hash of ["sha256", "sha512", "md5"])
        for (const secret of [code, code.replace("-", "")])
          expect(content).not.toContain(createHash(hash).update(secret).digest("hex").slice(0, 16));
      // Nor can it try codes: what the code was mixed with is in the memory of the board.
      const { mac, ...rest } = JSON.parse(content) as { mac?: string };
      for (const part of ["", lock, ...Object.values(rest).map(String)])
        for (const coding of ["utf8", "base64url"] as const) {
          const hmac = createHmac("sha256", Buffer.from(part, coding)).update(code.replace("-", ""));
          expect(hmac.digest("hex")).not.toBe(mac);
        }
    }
  });
});

describe("a client that misbehaves", () => {
  it("sends more than the server reads", async () => {
    const browser = await (await makeBoard()).signIn();
    const flood = await browser.post("/api/operations/add", { title: "x".repeat(3_000_000) });
    expect([flood.status, flood.json.error.reason]).toEqual([413, "too-large"]);
    expect((await browser.get("/api/session")).status).toBe(200);
  });

  it("never has the server keep more than a sign-in needs before it has signed in", async () => {
    const rig = await makeBoard();
    const flood = await rig.send("/api/session", { method: "POST", body: { code: "x".repeat(20_000) } });
    expect([flood.status, flood.json.error.reason]).toEqual([413, "too-large"]);
    expect((await rig.signIn()).get).toBeDefined();
  });

  it("asks without end, and is told to wait", async () => {
    const browser = await (await makeBoard()).signIn();
    const asked = [];
    for (let i = 0; i < 20; i++)
      asked.push(...(await Promise.all(Array.from({ length: 100 }, () => browser.get("/api/nothing")))));
    const refused = asked.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers["retry-after"]).toBe("1");
  });

  it("asks without end without a good token, and only its own connection has to wait", async () => {
    const rig = await makeBoard({ files: PAGE });
    const agent = ownConnection();
    const headers = { authorization: `Bearer ${"x".repeat(43)}` };
    const statuses: number[] = [];
    while (!statuses.includes(429)) statuses.push((await rig.send("/api/session", { headers, agent })).status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await rig.send("/")).status).toBe(200);
    expect((await (await rig.signIn()).get("/api/session")).status).toBe(200);
  });

  it("sends wrong codes, and only its own connection has to wait", async () => {
    const rig = await makeBoard({ codeWait: (wrong) => (wrong === 0 ? 0 : 2 ** 30) });
    const { code } = rig.board.newCode();
    const agent = ownConnection();
    expect((await tryCode(rig, "ZZZZ-ZZZZ", { agent })).json.error.reason).toBe("wrong-code");
    let answers = 0;
    const counted = (): unknown => (answers += 1);
    const more = [1, 2].map(() => tryCode(rig, "ZZZZ-ZZZY", { agent }).then(counted, () => undefined));
    expect((await tryCode(rig, code)).status).toBe(200);
    await rig.stop();
    await Promise.all(more);
    expect(answers).toBe(0);
  });

  it("has its codes looked at one after the other, and none after it went away", async () => {
    const wrong: number[] = [];
    const rig = await makeBoard({ codeWait: (before) => (wrong.push(before), before === 2 ? 2 ** 30 : 0) });
    const { code } = rig.board.newCode();
    const socket = connect(rig.board.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    const key = new BrowserKey();
    const texts = await Promise.all(
      ["ZZZZ-ZZZZ", "ZZZZ-ZZZY", code].map(async (tried) => {
        const body = JSON.stringify({ code: tried, key: key.key });
        const { "planwright-signature": signature } = await rig.signSignIn(body, key);
        const head = `Host: 127.0.0.1:${rig.board.port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
        return `POST /api/session HTTP/1.1\r\n${head}\r\nPlanwright-Signature: ${signature}\r\n\r\n${body}`;
      }),
    );
    socket.write(texts.join(""));
    await expect.poll(() => wrong).toEqual([0, 1, 2]);
    socket.destroy();
    expect((await tryCode(rig, code)).status).toBe(200);
  });

  it("holds as many connections as there are, and loses its own", async () => {
    const rig = await makeBoard({ files: PAGE, maxConnections: 8 });
    const stream = await (await rig.signIn()).events();
    let ended = 0;
    for (let i = 0; i < 20; i++) {
      const socket = connect(rig.board.port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined).once("close", () => (ended += 1));
      await new Promise<void>((done) => socket.once("connect", () => done()));
    }
    expect((await rig.send("/", { agent: ownConnection() })).status).toBe(200);
    await rig.ask("add", { title: "Write the form", parent: "FEAT-001" });
    expect((await stream.next()).data.op).toBe(3);
    await expect.poll(() => ended).toBeGreaterThan(0);
  });

  it("sends half a request, or rubbish, and harms nobody", async () => {
    const rig = await makeBoard();
    for (const text of [
      "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le",
      "\0\xff\r\n\r\n",
      "GET / HTTP/9\r\n",
    ]) {
      const socket = connect(rig.board.port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined);
      await new Promise<void>((done) => socket.write(text, () => done()));
    }
    expect((await (await rig.signIn()).get("/api/session")).status).toBe(200);
  });

  it("follows without reading: it is closed, and the others go on", async () => {
    const { app } = await makeBoard();
    const stopping = new AbortController();
    const hub = new EventHub({ app, stopped: stopping.signal });
    const server = createServer((_, response) => void hub.attach(response, undefined));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    onTestFinished(() => {
      stopping.abort();
      server.close();
      server.closeAllConnections();
    });
    const [sleeper, reader] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
    let read = 0;
    reader.on("data", (chunk) => (read += chunk.length));
    for (const socket of [sleeper, reader]) {
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined).write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    sleeper.pause();
    await expect.poll(() => hub.clients).toBe(2);
    let sent = 0;
    while (hub.clients === 2) {
      hub.broadcast(`:${"x".repeat(500_000)}\n\n`);
      sent += 500_000;
      await expect.poll(() => read).toBeGreaterThan(sent);
    }
    expect(hub.clients).toBe(1);
  });

  it("goes away in the middle of the stream, again and again", async () => {
    const rig = await makeBoard();
    const browser = await rig.signIn();
    for (let i = 0; i < 100; i++) (await browser.events("/api/events?after=0")).close();
    const reader = await browser.events("/api/events?after=1");
    expect((await reader.next()).data.op).toBe(2);
  });
});

describe("a board that is read-only", () => {
  it("changes nothing by any operation, whoever asks", async () => {
    const rig = await makeBoard({ readOnly: true });
    const browser = await rig.signIn();
    expect((await browser.get("/api/session")).json.data).toMatchObject({ readOnly: true, canConfirm: false });
    for (const { name, effect, examples } of await describeOperations()) {
      if (effect === "reads") continue;
      const answers = [];
      for (const { input } of examples) answers.push(await browser.call(name, input));
      const refused = answers.filter(({ status }) => status === 403);
      // A preview only looks, and finds nothing here.
      expect([name, answers.every(({ status }) => status < 500)]).toEqual([name, true]);
      expect(refused.map(({ json }) => json.error.reason)).toEqual(refused.map(() => "read-only"));
      expect(refused.length).toBeGreaterThan(0);
    }
    expect((await rig.ask("log", {})).operations).toHaveLength(2);
  });
});
