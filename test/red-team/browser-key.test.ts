// Threat: somebody has more than the address of your board: a token of a page that is signed in, a request that you sent, a key of their
// own, or your files. None of that changes anything: only a browser in which you typed a code can sign a request, each one once.

import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeOperations } from "../../src/verbs/describe-operations.js";
import { KnownBrowsers } from "../../src/verbs/services/known-browsers.js";
import { type BoardRig, browserWith, makeBoard } from "../board.js";
import { BrowserKey } from "../browser-key.js";

const APPROVE = "/api/operations/approve";
const ASKED = { references: ["FEAT-001"], yes: true };

async function makeBoardWithWork(options: Parameters<typeof makeBoard>[0] = {}): Promise<BoardRig> {
  const rig = await makeBoard(options);
  await rig.ask("add", { title: "Evil", parent: "FEAT-001", checks: ["touch evil"] });
  return rig;
}

const approvalOf = async (rig: BoardRig): Promise<unknown> =>
  ((await rig.ask("show", { reference: "TASK-00001" })) as { approval: unknown }).approval;

function browsersIn(): { readonly folder: string; readonly browsers: KnownBrowsers } {
  const folder = join(mkdtempSync(join(tmpdir(), "planwright-browsers-")), "browsers");
  onTestFinished(() => rmSync(join(folder, ".."), { recursive: true, force: true }));
  return { folder, browsers: new KnownBrowsers(folder) };
}

const withToken = (token: string, headers: Readonly<Record<string, string>> = {}) => ({
  authorization: `Bearer ${token}`,
  ...headers,
});

describe("a stolen token", () => {
  it("changes nothing by any operation", async () => {
    const rig = await makeBoardWithWork();
    const { token } = await rig.signIn();
    // A click is nothing that a program cannot send: earlier, this request made it you.
    const clicked = { method: "POST", body: {}, headers: withToken(token) };
    expect((await rig.send("/api/session/person", clicked)).status).toBe(404);
    for (const { name, effect, examples } of await describeOperations()) {
      if (effect === "reads") continue;
      for (const { input } of examples) {
        const headers = withToken(token);
        const { status, json } = await rig.send(`/api/operations/${name}`, { method: "POST", body: input, headers });
        // A preview only looks, and finds nothing here.
        const isRefused = status === 403 && json.error.reason === "needs-signature";
        expect([name, isRefused || [200, 404, 409].includes(status)]).toEqual([name, true]);
      }
    }
    const body = ASKED;
    const approved = await rig.send(APPROVE, { method: "POST", body, headers: withToken(token) });
    expect([approved.status, approved.json.error.reason]).toEqual([403, "needs-signature"]);
    expect((await rig.ask("log", {})).operations).toHaveLength(3);
  });

  it("makes no code, with which another browser could get a key", async () => {
    const rig = await makeBoardWithWork();
    const { token } = await rig.signIn();
    const asked = await rig.send("/api/session/code", { method: "POST", body: {}, headers: withToken(token) });
    expect([asked.status, asked.json.error.reason]).toEqual([403, "needs-signature"]);
  });

  it("signs nothing with a key of its own, also not one that signed in elsewhere", async () => {
    const rig = await makeBoardWithWork();
    const { token } = await rig.signIn();
    const thief = browserWith(rig.board, rig.send, new BrowserKey(), { token, browser: "" });
    const other = await rig.signIn();
    const mixed = browserWith(rig.board, rig.send, other.key, { token, browser: "" });
    for (const each of [thief, mixed])
      expect((await each.post(APPROVE, ASKED)).json.error.reason).toBe("wrong-signature");
    expect(await approvalOf(rig)).toBeNull();
  });

  it("brings no key in: a sign-in needs a code or a key that is known", async () => {
    const rig = await makeBoardWithWork();
    const { token, id } = await rig.signIn();
    const key = new BrowserKey();
    for (const body of [
      { key: key.key },
      { browser: id },
      { browser: id, key: key.key, token },
      { code: "", key: key.key },
    ]) {
      const asked = await rig.postSignIn(body, key);
      expect(asked.status).toBe(401);
    }
  });
});

describe("a request that you sent", () => {
  it("is done once, however often it is sent", async () => {
    const rig = await makeBoardWithWork();
    const browser = await rig.signIn();
    const body = { title: "Twice", parent: "FEAT-001" };
    const headers = withToken(browser.token, await browser.sign("/api/operations/add", body));
    const send = () => rig.send("/api/operations/add", { method: "POST", body, headers });
    const atOnce = await Promise.all(Array.from({ length: 10 }, send));
    expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(1);
    const again = await send();
    expect([again.status, again.json.error.reason]).toEqual([403, "late-signature"]);
    expect((await rig.ask("log", {})).operations).toHaveLength(4);
  });

  it("signs nothing else: no other operation, input, moment, session or time", async () => {
    const rig = await makeBoardWithWork();
    const browser = await rig.signIn();
    const twin = await rig.postSignIn({ browser: browser.id }, browser.key);
    const body = { references: ["FEAT-001"], preview: true };
    const send = async (path: string, sent: object, headers: Record<string, string>) =>
      (await rig.send(path, { method: "POST", body: sent, headers })).json;
    const signed = await browser.sign(APPROVE, body);
    const mine = withToken(browser.token, signed);
    const later = {
      "planwright-signature": (signed["planwright-signature"] ?? "").replace(/ \d+ /, ` ${Date.now() + 9} `),
    };
    for (const [path, sent, headers] of [
      [APPROVE, ASKED, mine],
      [`${APPROVE}?`, ASKED, mine],
      ["/api/operations/freeze", { references: ["FEAT-001"], reason: "x" }, mine],
      ["/api/session/code", body, mine],
      [APPROVE, ASKED, withToken(twin.json.data.token, signed)],
      [APPROVE, ASKED, withToken(browser.token, later)],
    ] as const) {
      expect((await send(path, sent, headers)).error.reason).toBe("wrong-signature");
    }
    expect(await approvalOf(rig)).toBeNull();
  });

  it("is nothing to a board that was started again: its nonces are new", async () => {
    const { browsers } = browsersIn();
    const first = await makeBoardWithWork({ browsers });
    const { key, id } = await first.signIn();
    const body = JSON.stringify({ browser: id });
    const headers = await first.signSignIn(body, key);
    const { port } = first.board;
    await first.stop();
    const next = await makeBoard({ browsers, port });
    const answered = await next.send("/api/session", { method: "POST", body, headers });
    expect([answered.status, answered.json.error.reason]).toEqual([401, "wrong-signature"]);
  });

  it.each(["", "x", "a b c", `${"a".repeat(43)} 1 ${"b".repeat(86)}`, "a.b 1 c", `a.b NaN ${"b".repeat(86)}`])(
    "is refused with the signature %j",
    async (signature) => {
      const rig = await makeBoardWithWork();
      const { token } = await rig.signIn();
      const headers = withToken(token, { "planwright-signature": signature });
      const answered = await rig.send(APPROVE, { method: "POST", body: ASKED, headers });
      expect([answered.status, answered.json.error.reason]).toEqual([403, "wrong-signature"]);
    },
  );
});

describe("another key", () => {
  it("gets in with no code of yours: not unsigned, not of another kind, not with the key of another browser", async () => {
    const rig = await makeBoardWithWork();
    const yours = await rig.signIn();
    const { code } = rig.board.newCode();
    const key = new BrowserKey();
    const post = async (body: object, by = key) => (await rig.postSignIn(body, by)).json.error.reason;
    // The one who sends a key has to have its other half.
    expect(await post({ code, key: yours.key.key })).toBe("wrong-signature");
    const unsigned = await rig.send("/api/session", { method: "POST", body: { code, key: key.key } });
    expect([unsigned.status, unsigned.json.error.reason]).toEqual([401, "needs-signature"]);
    const spki = { format: "der", type: "spki" } as const;
    const others = [
      generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey,
      generateKeyPairSync("ed25519").publicKey,
      generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey,
    ].map((each) => each.export(spki).toString("base64url"));
    for (const other of [...others, "", "A".repeat(122), undefined, 1, {}])
      expect(await post({ code, key: other })).toBe("bad-key");
    // The code was not used up by that.
    expect((await rig.postSignIn({ code, key: key.key }, key)).status).toBe(200);
  });

  it("of a browser on another port, or in another name, is not known here", async () => {
    const { browsers } = browsersIn();
    const first = await makeBoardWithWork({ browsers });
    const { key, id } = await first.signIn();
    const elsewhere = await makeBoard({ browsers });
    expect((await elsewhere.postSignIn({ browser: id }, key)).json.error.reason).toBe("unknown-browser");
    const { port } = first.board;
    await first.stop();
    const agents = await makeBoard({ browsers, port, actor: "agent:bot" });
    expect((await agents.postSignIn({ browser: id }, key)).json.error.reason).toBe("unknown-browser");
    // An agent that starts a board enrols itself, and nobody else.
    const agent = await agents.signIn();
    await agents.stop();
    const again = await makeBoard({ browsers, port });
    expect((await again.postSignIn({ browser: agent.id }, agent.key)).json.error.reason).toBe("unknown-browser");
    expect((await again.postSignIn({ browser: id }, key)).status).toBe(200);
  });
});

describe("a browser that you removed", () => {
  it("reads and changes nothing from that moment on, and does not sign in again", async () => {
    const { folder, browsers } = browsersIn();
    const rig = await makeBoardWithWork({ browsers });
    const browser = await rig.signIn();
    const stream = await browser.events();
    const ended = new Promise((done) => stream.response.once("close", done));
    const signed = await browser.sign(APPROVE, ASKED);
    // As another program does it.
    expect(new KnownBrowsers(folder).remove(browser.id)).toBe(true);
    const headers = withToken(browser.token, signed);
    expect((await rig.send(APPROVE, { method: "POST", body: ASKED, headers })).status).toBe(401);
    expect((await browser.get("/api/session")).status).toBe(401);
    await rig.ask("comment", { reference: "TASK-00001", text: "Not for you." });
    await ended;
    expect(stream.raw()).not.toContain("Not for you");
    expect((await rig.postSignIn({ browser: browser.id }, browser.key)).json.error.reason).toBe("unknown-browser");
    expect(await approvalOf(rig)).toBeNull();
  });
});

describe("a program that reads your settings folder", () => {
  it("finds no key that signs, and only you can read what is there", async () => {
    const { folder, browsers } = browsersIn();
    const rig = await makeBoardWithWork({ browsers });
    const { id, key, token } = await rig.signIn();
    expect(readdirSync(folder)).toEqual([`${id}.json`]);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, `${id}.json`)).mode & 0o777]).toEqual([0o700, 0o600]);
    const text = readFileSync(join(folder, `${id}.json`), "utf8");
    const noted = JSON.parse(text);
    expect(Object.keys(noted).sort()).toEqual(["actor", "id", "key", "name", "port", "shared", "since", "usedAt"]);
    expect(noted.key).toBe(key.key);
    expect(text).not.toContain(token);
  });
});
