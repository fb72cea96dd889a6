// Threat: somebody other than the person at this machine uses the board. A page of another site posts to it, follows its stream, or
// points a name of its own at it; a program guesses tokens, floods it, or leaves connections hanging.

import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeOperations } from "../../src/app/describe-operations.js";
import { EventHub } from "../../src/interfaces/http/events.js";
import { makeBoard, tokenIn } from "../board.js";

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
  ])("%s, and is refused although the browser sends the cookie", async (_, headers) => {
    const rig = await makeBoard({ files: PAGE });
    const browser = await rig.signIn();
    await browser.post("/api/session/person");
    const posted = await browser.post("/api/operations/add", { title: "Evil", parent: "FEAT-001" }, { headers });
    expect([posted.status, posted.json.error.reason]).toEqual([403, "foreign-request"]);
    const read = await browser.get("/api/session", { headers });
    expect([read.status, read.json.error.reason]).toEqual([403, "foreign-request"]);
    const stream = await browser.get("/api/events", { headers });
    expect([stream.status, stream.json.error.reason]).toEqual([403, "foreign-request"]);
    const token = { token: tokenIn(rig.board.newAddress()) };
    expect((await rig.send("/api/session", { method: "POST", body: token, headers })).status).toBe(403);
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
    const { send, board } = await makeBoard({ files: PAGE });
    const cookie = `planwright_${board.port}=guessed`;
    for (const { name } of await describeOperations()) {
      const answered = await send(`/api/operations/${name}`, { method: "POST", body: {}, headers: { cookie } });
      expect([name, answered.status, answered.json.error.reason]).toEqual([name, 401, "no-session"]);
    }
    for (const path of ["/api/session", "/api/events", "/api/openapi.json"]) {
      expect((await send(path)).status).toBe(401);
    }
  });

  it("cannot guess a token, and is not let try for long", async () => {
    const { send, board } = await makeBoard();
    const post = (token: unknown) => send("/api/session", { method: "POST", body: { token } });
    for (const token of ["", "x", null, 1, {}, [], "../secret"]) expect((await post(token)).status).toBe(401);
    for (let i = 0; i < 20; i++) await post(`guess-${i}`);
    expect((await post(tokenIn(board.newAddress()))).status).toBe(401);
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

  it("cannot sign a person out with a cookie of the same name", async () => {
    const rig = await makeBoard();
    const { cookie } = await rig.signIn();
    const headers = { cookie: `planwright_${rig.board.port}=planted; ${cookie}` };
    expect((await rig.send("/api/session", { headers })).status).toBe(200);
  });
});

describe("a client that misbehaves", () => {
  it("sends more than the server reads", async () => {
    const browser = await (await makeBoard()).signIn();
    const flood = await browser.post("/api/operations/add", { title: "x".repeat(3_000_000) });
    expect([flood.status, flood.json.error.reason]).toEqual([413, "too-large"]);
    expect((await browser.get("/api/session")).status).toBe(200);
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
    await browser.post("/api/session/person");
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

describe("the token", () => {
  it("is in the fragment of the address, which no server and no log sees", async () => {
    const { board } = await makeBoard();
    const address = new URL(board.newAddress());
    expect([address.hostname, address.pathname, address.search]).toEqual(["127.0.0.1", "/", ""]);
    expect(tokenIn(address.href)).toMatch(/^[\w-]{32}$/);
    expect(tokenIn(board.newAddress())).not.toBe(tokenIn(address.href));
  });
});
