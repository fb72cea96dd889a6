// Whole calls through the protocol: what an agent asks for and what it gets.

import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { type McpRig, makeMcpRig } from "../../../test/mcp.js";

async function withTask(checks: readonly string[] = ["true"]): Promise<McpRig> {
  const rig = await makeMcpRig();
  await rig.ask("add", { title: "Write the form", parent: "FEAT-001", checks: [...checks] });
  await rig.ask("approve", { references: ["FEAT-001"], yes: true });
  return rig;
}

describe("a worker", () => {
  it("claims, reads, and hands in without ever seeing a token", async () => {
    const rig = await withTask();
    const { call } = await rig.connect({ name: "Codex MCP" });
    const claimed = await call("claim", { action: "next" });
    expect(claimed.data).toMatchObject({
      task: { id: "TASK-00001", title: "Write the form" },
      context: { tool: "claim", arguments: { action: "context", reference: "TASK-00001" } },
    });
    expect(claimed.text).not.toContain("token");
    expect((await rig.ask("show", { reference: "TASK-00001" })) as object).toMatchObject({
      claim: { by: "agent:Codex-MCP" },
    });
    expect((await call("claim", { action: "context", references: ["TASK-00001"] })).data).toMatchObject({
      bundles: [{ text: expect.stringContaining("Write the form") }],
    });
    expect((await call("complete", { reference: "TASK-00001" })).data).toMatchObject({ acceptance: "accepted" });
  });

  it("keeps the claim when a check fails, and reads what to call next", async () => {
    const { connect } = await withTask(["test -e done.txt"]);
    const { call } = await connect();
    await call("claim", { action: "start", reference: "TASK-00001" });
    const { isError, text, data } = await call("complete", { reference: "task-00001" });
    expect(isError).toBe(true);
    expect(text).toContain("test -e done.txt failed. You keep your claim.");
    expect(data.error.next).toEqual([
      { tool: "complete", arguments: { reference: "TASK-00001" }, does: expect.any(String) },
    ]);
  });

  it.each([
    ["in the environment of the server", (session: string) => ({ env: { CLAUDE_CODE_SESSION_ID: session } }), {}],
    ["with each call", () => ({}), { threadId: "one" }],
  ])("goes on in a new server when its host names the conversation %s", async (_, options, meta) => {
    const rig = await withTask();
    const call = async (client: Client, name: string, input: object, more: object = meta) =>
      (await client.callTool({ name, arguments: { ...input }, _meta: { ...more } })).structuredContent as object;
    const first = await rig.connect(options("one"));
    await call(first.client, "claim", { action: "next" });
    await first.vanish();
    const other = await rig.connect(options("two"));
    const otherMeta = "threadId" in meta ? { threadId: "two" } : {};
    for (const [name, input] of [
      ["complete", { reference: "TASK-00001" }],
      ["give_up", { action: "release", reference: "TASK-00001" }],
    ] as const) {
      expect(await call(other.client, name, input, otherMeta)).toMatchObject({ error: { reason: "in-flight" } });
    }
    const taken = await call(other.client, "claim", { action: "start", reference: "TASK-00001" }, otherMeta);
    expect(taken).toMatchObject({ error: { message: expect.stringContaining("Another conversation of") } });
    const again = await rig.connect(options("one"));
    expect(await call(again.client, "complete", { reference: "TASK-00001" })).toMatchObject({ acceptance: "accepted" });
  });

  it("takes its claim again after the server was started again, if its host names no conversation", async () => {
    const { connect } = await withTask();
    const first = await connect();
    await first.call("claim", { action: "next" });
    await first.vanish();
    const { call } = await connect();
    const { error } = (await call("complete", { reference: "TASK-00001" })).data;
    expect(error).toMatchObject({ reason: "needs-token", next: [{ tool: "claim" }] });
    await call("claim", error.next[0].arguments);
    expect((await call("complete", { reference: "TASK-00001" })).data).toMatchObject({ acceptance: "accepted" });
  });

  it("cannot hand in what another agent claimed", async () => {
    const { connect } = await withTask();
    const first = await connect({ name: "first" });
    await first.call("claim", { action: "next" });
    const { call } = await connect({ name: "second" });
    expect(await call("complete", { reference: "TASK-00001" })).toMatchObject({ isError: true });
  });

  it("of a conversation never gets a second task while it holds one, except by name", async () => {
    const rig = await withTask();
    for (const title of ["Write the page", "Write the help"])
      await rig.ask("add", { title, parent: "FEAT-001", checks: ["true"] });
    await rig.ask("approve", { references: ["FEAT-001"], yes: true });
    const inSession = (session: string) => rig.connect({ env: { CLAUDE_CODE_SESSION_ID: session } });
    const [one, two] = [await inSession("one"), await inSession("two")];
    expect((await one.call("claim", { action: "next" })).data).toMatchObject({ task: { id: "TASK-00001" } });
    expect((await one.call("claim", { action: "next" })).data).toMatchObject({
      task: { id: "TASK-00001" },
      yoursAlready: true,
    });
    expect((await two.call("claim", { action: "next" })).data).toMatchObject({ task: { id: "TASK-00002" } });
    expect((await one.call("claim", { action: "start", reference: "TASK-00003" })).isError).toBe(false);
    expect((await one.call("complete", { reference: "TASK-00001" })).data).toMatchObject({ acceptance: "accepted" });
  });

  it("gives a task back", async () => {
    const { connect } = await withTask();
    const { call } = await connect();
    await call("claim", { action: "next" });
    expect(await call("give_up", { action: "release", reference: "TASK-00001" })).toMatchObject({ isError: false });
    expect((await call("find", { action: "list", status: ["ready"], tier: ["task"] })).data.nodes).toMatchObject([
      { id: "TASK-00001" },
    ]);
  });
});

describe("a field", () => {
  it.each(["reference", "references", "id", "node", "taskId"])("that names a node may be called %s", async (field) => {
    const { call } = await (await withTask()).connect();
    expect((await call("show", { [field]: "TASK-00001" })).data).toMatchObject({ id: "TASK-00001" });
    expect((await call("edit", { action: "freeze", [field]: "TASK-00001" })).data).toMatchObject({
      frozen: ["TASK-00001"],
    });
  });

  it("takes several nodes as one text or as a list, and never two names at once", async () => {
    const rig = await withTask();
    await rig.ask("add", { title: "Write the page", parent: "FEAT-001" });
    const { call } = await rig.connect();
    for (const reference of ["TASK-00001, TASK-00002", ["TASK-00001", "TASK-00002"]]) {
      expect((await call("edit", { action: "freeze", reference })).data).toMatchObject({
        frozen: ["TASK-00001", "TASK-00002"],
      });
      await call("edit", { action: "undo" });
    }
    const both = await call("edit", { action: "freeze", id: "TASK-00001", references: ["TASK-00002"] });
    expect(both).toMatchObject({ isError: true, text: expect.stringContaining("mean the same") });
  });

  it("has the one name in every schema", async () => {
    const { tools } = await (await (await makeMcpRig()).connect()).client.listTools();
    const fields = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    expect(fields.filter((field) => ["references", "id", "ids"].includes(field))).toEqual([]);
  });
});

describe("no step is a dead end", () => {
  it("for a hand-in that needs a file from before the claim", async () => {
    const { tools } = await (await (await makeMcpRig()).connect()).client.listTools();
    expect(tools.find(({ name }) => name === "complete")?.inputSchema.properties).toHaveProperty("include");
  });

  it("in what waits, or in news: each entry has calls, and only a person's decision is a command", async () => {
    const rig = await withTask(["false"]);
    await rig.ask("add", { title: "Buy a domain", parent: "FEAT-001", kind: "gate" });
    const { call } = await rig.connect();
    await call("news", { action: "subscribe" });
    await call("claim", { action: "next" });
    await call("give_up", { action: "fail", reference: "TASK-00001", reason: "no API" });
    const waiting = (await call("find", { action: "waiting" })).data;
    const { items = [], entries = items } = waiting;
    expect(entries.length).toBeGreaterThan(0);
    expect(stepsIn(waiting).length).toBeGreaterThan(0);
    for (const step of [...stepsIn(waiting), ...stepsIn((await call("news", { action: "read" })).data)]) {
      expect(step).not.toHaveProperty("operation");
      expect(Object.keys(step).some((key) => key === "tool" || key === "command" || key === "does")).toBe(true);
    }
  });

  it("for a rehearsal of a landing, which needs no person", async () => {
    const { call } = await (await withTask()).connect();
    const rehearsed = await call("decide", { action: "land", reference: "FEAT-001", dryRun: true });
    expect(["needs-person", "needs-yes"]).not.toContain(rehearsed.data.error?.reason);
  });
});

/** Everything in an answer that looks like a step. */
function stepsIn(value: unknown): object[] {
  if (Array.isArray(value)) return value.flatMap(stepsIn);
  if (typeof value !== "object" || value === null) return [];
  const isStep = "tool" in value || "command" in value || ("operation" in value && "input" in value);
  return isStep ? [value] : Object.values(value).flatMap(stepsIn);
}

describe("a planner", () => {
  it("adds, links, re-homes and asks why", async () => {
    const { connect } = await makeMcpRig();
    const { call } = await connect();
    await call("add", {
      nodes: [
        { id: "TASK-A", title: "Parse", parent: "FEAT-001", checks: ["true"], files: ["src/a.ts"] },
        { id: "TASK-B", title: "Print", parent: "INBOX", dependsOn: ["TASK-A"] },
      ],
    });
    await call("edit", { action: "move", references: ["TASK-B"], to: "FEAT-001" });
    expect((await call("show", { reference: "TASK-B" })).data).toMatchObject({
      parent: "FEAT-001",
      dependsOn: ["TASK-A"],
    });
    const why = await call("why", { reference: "TASK-A" });
    expect(why.data).toMatchObject({ reason: "unapproved" });
    expect(why.data.next[0]).toMatchObject({ command: "planwright approve TASK-A", who: "person" });
    const record = await call("record", { action: "add", kind: "constraint", title: "No new dependency" });
    expect(record.isError).toBe(false);
    expect((await call("find", { action: "records" })).data.items).toMatchObject([{ title: "No new dependency" }]);
    await call("news", { action: "subscribe" });
    await call("edit", { action: "comment", reference: "TASK-A", text: "look here" });
    expect((await call("news", { action: "read" })).isError).toBe(false);
    expect((await call("edit", { action: "undo" })).isError).toBe(false);
  });
});

describe("what a person decides", () => {
  it.each([
    ["approve", { references: ["FEAT-001"] }, "planwright approve FEAT-001"],
    [
      "accept",
      { references: ["TASK-00001"], reason: "looks good" },
      'planwright accept TASK-00001 --reason "looks good"',
    ],
    ["waive", { references: ["TASK-00001"], reason: "x" }, "planwright waive TASK-00001 --reason x"],
    ["answer", { id: "ESC-001", option: "1" }, "planwright question answer ESC-001 1"],
    ["level", { level: "auto" }, "planwright level auto"],
    ["record", { ids: ["CON-001"] }, "planwright approve CON-001"],
  ])("%s is refused to the agent, with the command for a terminal", async (action, input, command) => {
    const { connect, ask } = await makeMcpRig();
    await ask("add", { title: "Write the form", parent: "FEAT-001" });
    const { call } = await connect();
    const before = (await ask("log", { limit: 1 })) as unknown;
    const { isError, data, text } = await call("decide", { action, ...input });
    expect({ isError, reason: data.error.reason }).toEqual({ isError: true, reason: "needs-person" });
    expect(data.error.next[0]).toMatchObject({ command, who: "person" });
    expect(text).toContain(`in another terminal: ${command}`);
    expect(await ask("log", { limit: 1 })).toEqual(before);
  });

  it("is not given by a yes that the agent sends along", async () => {
    const { connect, ask } = await makeMcpRig();
    const { call } = await connect();
    for (const input of [
      { action: "approve", references: ["FEAT-001"], yes: true },
      { action: "land", reference: "FEAT-001", yes: true },
    ])
      expect(await call("decide", input)).toMatchObject({
        isError: true,
        text: expect.stringContaining("no field yes"),
      });
    expect(await ask("show", { reference: "FEAT-001" })).toMatchObject({ approval: null });
  });

  it("is not given by whom the server was started as", async () => {
    const { connect, app } = await makeMcpRig();
    expect((await app.open()).actor).toBe("human:ada");
    const { call } = await connect();
    expect(await call("decide", { action: "approve", references: ["FEAT-001"] })).toMatchObject({
      text: expect.stringContaining("agent:test-client is not one"),
    });
  });
});

describe("looking", () => {
  it("finds every list where the table says that it is", async () => {
    const { connect, ask } = await withTask();
    const { call } = await connect();
    await call("claim", { action: "next" });
    await call("record", { action: "add", kind: "decision", title: "Use SQLite" });
    await ask("lesson.add", { text: "The token expires after five minutes" });
    // What an agent learned is only proposed.
    await call("record", { action: "lesson", text: "The token is long" });
    await call("news", { action: "subscribe" });
    await ask("add", { title: "Another", parent: "FEAT-001" });
    const found = async (action: string, more: object = {}): Promise<object> =>
      (await call("find", { action, ...more })).data as object;
    expect(await found("search", { text: "form" })).toMatchObject({ hits: [{ id: "TASK-00001" }] });
    expect(await found("tree")).toMatchObject({ tree: [{ id: "MISSION" }] });
    expect(await found("claims")).toMatchObject({ items: [{ id: "TASK-00001" }] });
    expect(await found("records")).toMatchObject({ items: [{ title: "Use SQLite" }] });
    expect(await found("lessons", { text: "token" })).toMatchObject({ items: [{}] });
    expect(await found("subscriptions")).toMatchObject({ items: [{}] });
    expect(await found("log")).toHaveProperty("operations.3");
    expect(await found("waiting")).toHaveProperty("entries.0");
    expect(await found("runs")).toEqual({ runs: [] });
    expect(await found("level")).toHaveProperty("level");
    for (const action of ["conflicts", "questions", "attempts"]) expect(await found(action)).toEqual({ items: [] });
  });
});

describe("plain words", () => {
  it("run what they mean", async () => {
    const { connect } = await withTask();
    const { call } = await connect();
    await call("do", { words: "what's next?" });
    expect((await call("show", { reference: "TASK-00001" })).data).toMatchObject({ status: "ready" });
    expect((await call("do", { words: "grab the next one" })).data).toMatchObject({ task: { id: "TASK-00001" } });
    expect((await call("complete", { reference: "TASK-00001" })).data).toMatchObject({ acceptance: "accepted" });
  });

  it.each([
    ["must do: approve FEAT-001", "needs-person"],
    ["please replan FEAT-001 because the API changed", "needs-yes"],
    ["must do: config set level auto", "no-tool"],
    ["rebuild auth", "not-understood"],
    ["expand and replan FEAT-001", "several-intents"],
  ])("%s is refused: %s", async (words, reason) => {
    const { connect } = await makeMcpRig();
    const { call } = await connect();
    const { isError, data } = await call("do", { words });
    expect({ isError, reason: data.error.reason }).toEqual({ isError: true, reason });
  });
});
