// How a browser gets in: once with a code that you type, then with the key that it made, also after the board was started again.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type BoardRig, browserWith, makeBoard } from "../../../test/board.js";
import { BrowserKey } from "../../../test/browser-key.js";
import { KnownBrowsers } from "../../verbs/services/known-browsers.js";
import { RunningBoards } from "../../verbs/services/running-boards.js";
import { Codes, sealCode } from "./codes.js";
import { Sessions } from "./sessions.js";
import { Signatures } from "./signatures.js";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-boards-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Types a code in a new browser. */
const type = (rig: BoardRig, code: string, key = new BrowserKey()) => rig.postSignIn({ code, key: key.key }, key);

describe("a session", () => {
  it("begins with a code, once", async () => {
    const rig = await makeBoard();
    const { code } = rig.board.newCode();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const first = await type(rig, code);
    expect([first.status, first.json.data.token]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)]);
    const again = await type(rig, code);
    expect([again.status, again.json.error.reason]).toEqual([401, "no-code"]);
  });

  it.each([
    ["lower case", (code: string) => code.toLowerCase()],
    ["no hyphen and spaces around", (code: string) => `  ${code.replace("-", "")}\n`],
    ["letters that look like digits", (code: string) => code.replaceAll("0", "o").replaceAll("1", "l")],
  ])("begins with a code that is typed with %s", async (_, typed) => {
    const rig = await makeBoard();
    expect((await type(rig, typed(rig.board.newCode().code))).status).toBe(200);
  });

  it("tells who asks, on which plan, in which browser", async () => {
    const rig = await makeBoard();
    const browser = await rig.signIn();
    expect((await browser.get("/api/session")).json).toEqual({
      ok: true,
      data: {
        workspace: rig.root.split("/").at(-1),
        branch: null,
        root: rig.root,
        actor: "human:ada",
        version: "1.2.3",
        readOnly: false,
        op: 2,
        level: "off",
        canConfirm: true,
        browser: expect.stringMatching(/^[0-9a-f]{16}$/),
        proof: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
  });

  it("gives another browser a code of its own", async () => {
    const rig = await makeBoard();
    const first = await rig.signIn();
    const { json } = await first.post("/api/session/code");
    expect(json.data.address).toBe(`http://127.0.0.1:${rig.board.port}/`);
    const second = await type(rig, json.data.code);
    expect([second.status, second.json.data.token === first.token]).toEqual([200, false]);
    expect((await first.get("/api/session")).status).toBe(200);
  });

  it("takes only the newest code", async () => {
    const rig = await makeBoard();
    const [old, fresh] = [rig.board.newCode(), rig.board.newCode()];
    expect((await type(rig, old.code)).json.error.reason).toBe("wrong-code");
    expect((await type(rig, fresh.code)).status).toBe(200);
  });

  it("begins with a code that another process left, once", async () => {
    const boards = new RunningBoards(join(makeFolder(), "boards"));
    const rig = await makeBoard({ boards });
    const [noted] = boards.list();
    expect(noted).toMatchObject({ port: rig.board.port, actor: "human:ada", canConfirm: true, ofDaemon: false });
    boards.leaveCode(noted?.id ?? "", sealCode({ code: "7K2M-Q9XD", until: Date.now() + 60_000 }, noted?.lock ?? ""));
    expect((await type(rig, "7k2m q9xd")).status).toBe(200);
    expect((await type(rig, "7k2m q9xd")).json.error.reason).toBe("no-code");
    await rig.stop();
    expect(boards.list()).toEqual([]);
  });

  it("ends with the server, and begins again with the key alone, without a code", async () => {
    const browsers = new KnownBrowsers(join(makeFolder(), "browsers"));
    const first = await makeBoard({ browsers });
    const { token, key, id } = await first.signIn();
    const { port } = first.board;
    await first.stop();
    const next = await makeBoard({ browsers, port });
    const old = await next.send("/api/session", { headers: { authorization: `Bearer ${token}` } });
    expect([old.status, old.json.error.reason]).toEqual([401, "no-session"]);
    expect(old.headers["www-authenticate"]).toBe("Bearer");
    const again = await next.postSignIn({ browser: id }, key);
    expect([again.status, again.json.data.token === token]).toEqual([200, false]);
    const browser = browserWith(next.board, next.send, key, again.json.data);
    expect((await browser.call("add", { title: "Write the form", parent: "FEAT-001" })).status).toBe(200);
  });

  it("names the browser in words of ours", async () => {
    const browsers = new KnownBrowsers(undefined);
    const codes = new Codes();
    const sessions = new Sessions({ codes, browsers });
    const nameOf = (userAgent: string | undefined): string | undefined => {
      const key = new BrowserKey();
      const body = JSON.stringify({ code: codes.make().code, key: key.key });
      const asked = { port: 1, method: "POST", path: "/api/session", body, ...sessions.makeNonce(undefined) };
      const sent = { ...asked, body: Buffer.from(body), signature: key.sign(asked) };
      const signedIn = sessions.signIn(
        { ...sent, value: JSON.parse(body), userAgent },
        { actor: "human:ada", port: 1 },
      );
      return signedIn.ok ? signedIn.session.browser.name : signedIn.message;
    };
    const chrome = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/147.0 Safari/537.36";
    expect(nameOf(chrome)).toBe("Chrome on macOS");
    expect(nameOf("Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0")).toBe("Firefox on Linux");
    expect([nameOf("\u001b[31mEvil"), nameOf(undefined)]).toEqual(["A browser", "A browser"]);
  });
});

describe("a code and a token", () => {
  it("are too old after ten minutes and after a week", async () => {
    let now = 1;
    const clock = { now: () => now };
    const codes = new Codes(clock);
    const late = codes.make();
    now = late.until;
    expect(codes.use(late.code)).toMatchObject({ ok: false, reason: "no-code" });
    const sessions = new Sessions({ codes, browsers: new KnownBrowsers(undefined, clock.now), ...clock });
    const key = new BrowserKey();
    const body = JSON.stringify({ code: codes.make().code, key: key.key });
    const asked = { port: 1, method: "POST", path: "/api/session", body, ...sessions.makeNonce(undefined) };
    const sent = { ...asked, body: Buffer.from(body), signature: key.sign(asked), value: JSON.parse(body) };
    const signedIn = sessions.signIn({ ...sent, userAgent: "" }, { actor: "human:ada", port: 1 });
    if (!signedIn.ok) throw new Error(signedIn.message);
    expect(sessions.find(signedIn.token)).toBe(signedIn.session);
    now += 8 * 24 * 60 * 60_000;
    expect(sessions.find(signedIn.token)).toBeUndefined();
  });
});

describe("a signature", () => {
  it("is good once, and for a minute", () => {
    let now = 1_000;
    const signatures = new Signatures(() => now);
    const key = new BrowserKey();
    const make = () => {
      const asked = { port: 1, method: "POST", path: "/", body: "{}", ...signatures.makeNonce("me") };
      return { ...asked, body: Buffer.from("{}"), signature: key.sign(asked) };
    };
    const by = { key: key.key, port: 1, owner: "me" };
    const [first, second] = [make(), make()];
    expect([signatures.check(first, by), signatures.check(first, by)]).toEqual(["valid", "late"]);
    now += 60_000;
    expect([signatures.check(first, by), signatures.check(second, by)]).toEqual(["late", "late"]);
    expect(signatures.check(make(), by)).toBe("valid");
  });
});
