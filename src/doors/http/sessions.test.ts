// How a browser gets in: with a one-time code, for a token that ends with the server.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeBoard } from "../../../test/board.js";
import { RunningBoards } from "../../verbs/services/running-boards.js";
import { Sessions, sealCode } from "./sessions.js";

describe("a session", () => {
  it("begins with a code, once", async () => {
    const { board, send } = await makeBoard();
    const { code } = await board.newCode();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const first = await send("/api/session", { method: "POST", body: { code } });
    expect([first.status, first.json.data.token]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)]);
    const again = await send("/api/session", { method: "POST", body: { code } });
    expect([again.status, again.json.error.reason]).toEqual([401, "no-code"]);
  });

  it.each([
    ["lower case", (code: string) => code.toLowerCase()],
    ["no hyphen and spaces around", (code: string) => `  ${code.replace("-", "")}\n`],
    ["letters that look like digits", (code: string) => code.replaceAll("0", "o").replaceAll("1", "l")],
  ])("begins with a code that is typed with %s", async (_, typed) => {
    const { board, send } = await makeBoard();
    const { code } = await board.newCode();
    expect((await send("/api/session", { method: "POST", body: { code: typed(code) } })).status).toBe(200);
  });

  it("tells who asks, on which plan", async () => {
    const rig = await makeBoard();
    const { json } = await (await rig.signIn()).get("/api/session");
    expect(json).toEqual({
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
        confirmed: false,
      },
    });
  });

  it("gives another browser a code of its own", async () => {
    const rig = await makeBoard();
    const first = await rig.signIn();
    const { json } = await first.post("/api/session/code");
    expect(json.data.address).toBe(`http://127.0.0.1:${rig.board.port}/`);
    const second = await rig.send("/api/session", { method: "POST", body: { code: json.data.code } });
    expect([second.status, second.json.data.token === first.token]).toEqual([200, false]);
    expect((await first.get("/api/session")).status).toBe(200);
  });

  it("takes only the newest code", async () => {
    const { board, send } = await makeBoard();
    const [old, fresh] = [await board.newCode(), await board.newCode()];
    const post = ({ code }: { code: string }) => send("/api/session", { method: "POST", body: { code } });
    expect((await post(old)).json.error.reason).toBe("wrong-code");
    expect((await post(fresh)).status).toBe(200);
  });

  it("begins with a code that another process left, once", async () => {
    const boards = new RunningBoards(mkdtempSync(join(tmpdir(), "planwright-boards-")));
    const rig = await makeBoard({ boards });
    const [noted] = boards.list();
    expect(noted).toMatchObject({ port: rig.board.port, actor: "human:ada", canConfirm: true, ofDaemon: false });
    boards.leaveCode(noted?.id ?? "", await sealCode("7K2M-Q9XD", Date.now() + 60_000));
    const post = () => rig.send("/api/session", { method: "POST", body: { code: "7k2m q9xd" } });
    expect((await post()).status).toBe(200);
    expect((await post()).json.error.reason).toBe("no-code");
    await rig.stop();
    expect(boards.list()).toEqual([]);
  });

  it("does not begin with a code that is too old, and ends after a week", async () => {
    let now = 0;
    const sessions = new Sessions({ now: () => now });
    const late = await sessions.newCode();
    now = late.until;
    expect(await sessions.signIn(late.code)).toMatchObject({ ok: false, reason: "no-code" });
    const signedIn = await sessions.signIn((await sessions.newCode()).code);
    if (!signedIn.ok) throw new Error(signedIn.message);
    expect(sessions.find(signedIn.token)).toBe(signedIn.session);
    now += 8 * 24 * 60 * 60_000;
    expect(sessions.find(signedIn.token)).toBeUndefined();
  });

  it("ends with the server: a token of one is nothing to the next", async () => {
    const token = (await (await makeBoard()).signIn()).token;
    const headers = { authorization: `Bearer ${token}` };
    const answered = await (await makeBoard()).send("/api/session", { headers });
    expect([answered.status, answered.json.error.reason]).toEqual([401, "no-session"]);
    expect(answered.headers["www-authenticate"]).toBe("Bearer");
  });
});
