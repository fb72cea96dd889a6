// The board's server on a real port: operations, the stream and the page, by raw requests. What attackers send is in
// test/red-team.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { leaveAttempt } from "../../../test/attempts.js";
import { makeBoard } from "../../../test/board.js";
import type { VerbName } from "../../model/next-step.js";
import { describeOperations } from "../../verbs/describe-operations.js";
import { Pace } from "./senders.js";

const PAGE = {
  "index.html": "<!doctype html><title>Board</title>",
  "assets/app-1a2b3c.js": "export {};",
  "icon.svg": "<svg/>",
};

describe("an operation", () => {
  it("answers with the envelope of the command line, with commands in its steps", async () => {
    const rig = await makeBoard();
    const { status, json } = await (await rig.signIn()).call("why", { reference: "FEAT-001" });
    expect([status, json.ok, json.data.id]).toEqual([200, true, "FEAT-001"]);
    const failed = await (await rig.signIn()).call("show", { reference: "FEAT-9" });
    expect(failed.status).toBe(404);
    expect(failed.json).toMatchObject({ ok: false, error: { reason: "not-found", details: expect.anything() } });
  });

  it("gives steps deep inside of an answer their commands", async () => {
    const rig = await makeBoard();
    await rig.ask("add", { title: "Write the form", parent: "FEAT-001" });
    const { json } = await (await rig.signIn()).call("waiting");
    const steps = json.data.entries[0].next as { operation: string }[];
    expect(steps.find(({ operation }) => operation === "approve")).toMatchObject({
      who: "person",
      command: expect.stringMatching(/^planwright approve FEAT-001/),
    });
  });

  it("changes the plan in the name of the person, where the browser signed it", async () => {
    const rig = await makeBoard();
    const browser = await rig.signIn();
    const input = { title: "Write the form", parent: "FEAT-001" };
    const unsigned = await browser.post("/api/operations/add", input, { headers: { "planwright-signature": "" } });
    expect(unsigned).toMatchObject({ status: 403, json: { error: { reason: "wrong-signature" } } });
    expect(await browser.call("add", input)).toMatchObject({ status: 200, json: { ok: true } });
    const approved = await browser.call("approve", { references: ["FEAT-001"], yes: true });
    expect(approved.status).toBe(200);
    const {
      operations: [entry],
    } = await rig.ask("log", { limit: 1 });
    expect(entry).toMatchObject({ actor: "human:ada", verb: "approve" });
  });

  it("approves nothing when the content is not what the preview showed", async () => {
    const rig = await makeBoard();
    await rig.ask("add", { title: "Write the form", parent: "FEAT-001", checks: ["true"] });
    const browser = await rig.signIn();
    const shown = await browser.call("approve", { references: ["FEAT-001"], preview: true });
    expect(shown.status).toBe(200);
    await rig.ask("edit", { reference: "TASK-00001", checks: ["rm -r ."] });
    const moved = await browser.call("approve", { references: ["FEAT-001"], seen: shown.json.data.hash });
    expect([moved.status, moved.json.ok]).toEqual([409, false]);
    expect((await browser.call("show", { reference: "TASK-00001" })).json.data.approval).toBeNull();
  });

  it("answers a preview that says no without an error of HTTP, and refuses the same change with one", async () => {
    const rig = await makeBoard();
    await rig.ask("add", { title: "Write the form", parent: "FEAT-001" });
    const {
      operations: [added],
    } = await rig.ask("log", { limit: 1 });
    await rig.ask("edit", { reference: "TASK-00001", title: "Write another form" });
    const browser = await rig.signIn();
    const operation = String(added?.op);
    const shown = await browser.call("undo", { operation, preview: true });
    expect([shown.status, shown.json.ok, shown.json.error.reason]).toEqual([200, false, expect.any(String)]);
    const refused = await browser.call("undo", { operation });
    expect([refused.status, refused.json.error.reason]).toEqual([409, shown.json.error.reason]);
  });

  it("that only reads stops when the browser that asked is gone, and holds up nobody", async () => {
    const rig = await makeBoard();
    const { token, call } = await rig.signIn();
    const { store } = await rig.app.open();
    let release = (): void => undefined;
    const before = store.read(() => new Promise<void>((done) => (release = done)));
    const asked = vi.spyOn(rig.app, "ask");
    const browser = new AbortController();
    const left = fetch(`${rig.board.address}api/operations/status`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: "{}",
      signal: browser.signal,
    });
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    browser.abort();
    await expect(left).rejects.toThrow("aborted");
    await expect.poll(() => asked.mock.calls[0]?.[2]?.left?.aborted).toBe(true);
    release();
    await before;
    await expect(asked.mock.results[0]?.value).rejects.toMatchObject({ failure: { reason: "left" } });
    expect((await call("status")).status).toBe(200);
  });

  it("is asked in the agent's name where an agent started the server", async () => {
    const rig = await makeBoard({ actor: "agent:bot" });
    const browser = await rig.signIn();
    expect((await browser.get("/api/session")).json.data).toMatchObject({ actor: "agent:bot", canConfirm: false });
    expect((await browser.call("add", { title: "Write the form", parent: "FEAT-001" })).status).toBe(200);
    const refused = await browser.call("approve", { references: ["FEAT-001"], yes: true });
    expect([refused.status, refused.json.error.reason]).toEqual([403, "needs-person"]);
    expect(refused.json.error.next[0].command).toBe("planwright approve FEAT-001 --yes");
  });

  it.each([
    ["an unknown operation", "/api/operations/banana", {}, 404, "unknown-operation"],
    ["an input with a wrong field", "/api/operations/show", { id: 1 }, 400, "invalid-input"],
    ["an input that is a list", "/api/operations/show", [], 400, "invalid-input"],
    ["no JSON", "/api/operations/show", "{{{", 400, "bad-json"],
    ["an address that is not there", "/api/nothing", {}, 404, "unknown-address"],
    ["a name with a path in it", "/api/operations/..%2f..%2fetc", {}, 404, "unknown-address"],
  ])("refuses %s", async (_, path, body, status, reason) => {
    const browser = await (await makeBoard()).signIn();
    const answered = await browser.post(path, body);
    expect([answered.status, answered.json.error.reason]).toEqual([status, reason]);
  });

  it("refuses another method, and tells which it takes", async () => {
    const browser = await (await makeBoard()).signIn();
    const answered = await browser.get("/api/operations/status");
    expect([answered.status, answered.headers.allow]).toEqual([405, "POST"]);
  });
});

describe("a past moment", () => {
  it("is what every read shows that asks for it", async () => {
    const rig = await makeBoard();
    await rig.ask("add", { title: "Write the form", parent: "FEAT-001" });
    await rig.ask("comment", { reference: "TASK-00001", text: "First." });
    await rig.ask("edit", { reference: "TASK-00001", title: "Write the whole form" });
    await rig.ask("drop", { references: ["TASK-00001"], reason: "no" });
    const browser = await rig.signIn();
    const at = async (op: number, name: VerbName, input: object = {}) => browser.call(name, input, `?at=${op}`);
    expect((await at(2, "show", { reference: "TASK-00001" })).status).toBe(404);
    expect((await at(3, "show", { reference: "TASK-00001" })).json.data).toMatchObject({ title: "Write the form" });
    expect((await at(5, "show", { reference: "TASK-00001" })).json.data).toMatchObject({
      title: "Write the whole form",
      status: "planned",
    });
    expect((await at(6, "show", { reference: "TASK-00001" })).json.data.status).toBe("dropped");
    expect((await at(4, "log")).json.data.operations.map(({ op }: { op: number }) => op)).toEqual([4, 3, 2, 1]);
    expect((await at(0, "list")).json.data.nodes).toEqual([]);
    for (const { name } of (await describeOperations()).filter(({ effect }) => effect === "reads")) {
      const { status } = await at(3, name);
      expect([name, status < 500]).toEqual([name, true]);
    }
  });

  it.each([
    ["status", "?at=99", 404, "no-operation"],
    ["status", "?at=banana", 400, "bad-moment"],
    ["status", "?at=-1", 400, "bad-moment"],
    ["freeze", "?at=1", 400, "bad-moment"],
    ["init", "?at=1", 400, "bad-moment"],
  ] as const)("refuses %s%s", async (name, query, status, reason) => {
    const rig = await makeBoard();
    const browser = await rig.signIn();
    const input = name === "freeze" ? { references: ["FEAT-001"], reason: "x" } : {};
    const answered = await browser.call(name, input, query);
    expect([answered.status, answered.json.error.reason]).toEqual([status, reason]);
  });
});

describe("OpenAPI", () => {
  it("describes every operation of the catalogue", async () => {
    const browser = await (await makeBoard()).signIn();
    const { json } = await browser.get("/api/openapi.json");
    expect(json.openapi).toBe("3.1.0");
    expect(json.components.securitySchemes).toMatchObject({ session: { type: "http", scheme: "bearer" } });
    for (const { name, effect } of await describeOperations()) {
      const { post } = json.paths[`/api/operations/${name}`];
      expect(post.security).toEqual(effect === "reads" ? undefined : [{ session: [], signature: [] }]);
      expect(post.requestBody.content["application/json"].schema.type).toBe("object");
      expect(post.parameters !== undefined).toBe(effect === "reads");
    }
  });
});

describe("the stream of events", () => {
  it("gives each operation once, in order, from where the browser was", async () => {
    const rig = await makeBoard();
    const browser = await rig.signIn();
    const live = await browser.events();
    await rig.ask("add", { title: "Write the form", parent: "FEAT-001" });
    const event = await live.next();
    expect(event).toMatchObject({ id: "3", event: "operation" });
    expect(event.data).toMatchObject({ op: 3, actor: "human:ada", verb: "add", items: [], all: true });
    expect(event.data.nodes).toContain("TASK-00001");
    live.close();
    for (let i = 0; i < 5; i++) await rig.ask("add", { title: `Task ${i}`, parent: "FEAT-001" });
    const resumed = await browser.events("/api/events", { "last-event-id": "3" });
    const missed = [await resumed.next(), await resumed.next(), await resumed.next(), await resumed.next()];
    await rig.ask("add", { title: "Last", parent: "FEAT-001" });
    const all = [...missed, await resumed.next(), await resumed.next()].map(({ data }) => data.op);
    expect(all).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it("brings the rows of the tree that changed, and says when some came, went or moved", async () => {
    const rig = await makeBoard();
    const live = await (await rig.signIn()).events();
    await rig.ask("add", { title: "Write the form", parent: "FEAT-001" });
    expect((await live.next()).data).toMatchObject({ moved: true });
    await rig.ask("add", { title: "Test it", parent: "FEAT-001", dependsOn: ["TASK-00001"] });
    await live.next();
    await rig.ask("approve", { references: ["FEAT-001"], yes: true });
    const approved = (await live.next()).data;
    // An approval reaches far, so the page reads its rows again.
    expect(approved).toMatchObject({ verb: "approve", moved: false });
    expect(approved.rows).toBeUndefined();
    await rig.ask("edit", { reference: "TASK-00001", priority: 0 });
    const edited = (await live.next()).data;
    expect(edited).toMatchObject({ verb: "edit", moved: false });
    const statuses = Object.fromEntries(
      edited.rows.map(({ id, status }: { id: string; status: string }) => [id, status]),
    );
    expect(statuses).toMatchObject({ "TASK-00001": "ready", "TASK-00002": "blocked" });
  });

  it("loses and doubles nothing while others write", async () => {
    const rig = await makeBoard();
    const browser = await rig.signIn();
    const writing = (async () => {
      for (let i = 0; i < 30; i++) await rig.ask("add", { title: `Task ${i}`, parent: "FEAT-001" });
    })();
    const readers = [await browser.events("/api/events?after=0"), await browser.events("/api/events?after=2")];
    await writing;
    const [all = [], later = []] = await Promise.all(
      readers.map(async (reader, i) => {
        const seen: number[] = [];
        while (seen.at(-1) !== 32) seen.push((await reader.next()).data.op);
        return { seen, i };
      }),
    ).then((done) => done.sort((a, b) => a.i - b.i).map(({ seen }) => seen));
    expect(all).toEqual(Array.from({ length: 32 }, (_, i) => i + 1));
    expect(later).toEqual(Array.from({ length: 30 }, (_, i) => i + 3));
  });

  it("shows a sign of life now and then", async () => {
    const rig = await makeBoard({ heartbeatMs: 5 });
    const reader = await (await rig.signIn()).events();
    await expect.poll(() => reader.raw()).toContain(":\n\n");
  });

  it("tells what running attempts do, when it changed", async () => {
    const rig = await makeBoard({ attemptsMs: 5 });
    await rig.ask("add", { title: "Write the form", parent: "FEAT-001" });
    const file = join(rig.root, "transcript.jsonl");
    writeFileSync(file, `${JSON.stringify({ type: "tool", name: "edit", detail: "src/form.ts" })}\n`);
    const context = await rig.app.open();
    await leaveAttempt({ ...context, as: () => context }, "TASK-00001", {
      state: "working",
      transcript: file,
    });
    const reader = await (await rig.signIn()).events();
    const first = await reader.next();
    expect([first.event, first.id]).toEqual(["attempt", undefined]);
    expect(first.data).toMatchObject({ task: "TASK-00001", state: "working", line: "edit src/form.ts" });
    writeFileSync(file, `${JSON.stringify({ type: "text", text: "Done.\nAll tests pass." })}\n`);
    const second = await reader.next();
    expect(second.data.line).toBe("All tests pass.");
  });

  it("ends when the server stops", async () => {
    const rig = await makeBoard();
    const { response } = await (await rig.signIn()).events();
    const ended = new Promise<string>((done) => response.once("close", () => done("ended")));
    await rig.stop();
    expect(await ended).toBe("ended");
  });

  it("refuses a number that is none", async () => {
    const browser = await (await makeBoard()).signIn();
    expect((await browser.get("/api/events?after=banana")).status).toBe(400);
  });
});

describe("the page", () => {
  it("is served for its routes, and its files by their names", async () => {
    const { send } = await makeBoard({ files: PAGE });
    for (const path of ["/", "/plan/tree/TASK-00001", "/history?at=12"]) {
      const { status, text, headers } = await send(path);
      expect([status, text, headers["cache-control"]]).toEqual([200, PAGE["index.html"], "no-cache"]);
      expect(headers["content-security-policy"]).toContain("script-src 'self'");
      expect(headers["content-security-policy"]).not.toContain("unsafe");
    }
    const asset = await send("/assets/app-1a2b3c.js");
    expect([asset.status, asset.headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect(asset.headers["cache-control"]).toContain("immutable");
    expect((await send("/icon.svg")).headers["content-type"]).toBe("image/svg+xml");
    expect((await send("/", { method: "HEAD" })).text).toBe("");
    expect((await send("/assets/gone.js")).status).toBe(404);
    expect((await send("/", { method: "POST", body: {} })).status).toBe(405);
  });

  it("says in one line that it is not built", async () => {
    const { send } = await makeBoard();
    const { status, text } = await send("/");
    expect([status, text]).toEqual([503, expect.stringContaining("npm run build")]);
  });
});

describe("the pace", () => {
  it("takes a burst, then so many in a second", () => {
    let now = 0;
    const pace = new Pace(() => now);
    const taken = (): number => Array.from({ length: 1000 }, () => pace.take()).filter(Boolean).length;
    expect(taken()).toBe(400);
    now = 1000;
    expect(taken()).toBe(200);
  });
});
