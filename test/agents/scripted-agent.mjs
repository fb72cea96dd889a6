// An agent that speaks ACP and does what a file says: a real child process for tests, with no model behind it.
//
//   node scripted-agent.mjs SCRIPT STATE
//   node scripted-agent.mjs SCRIPT STATE -p ...      the same as Claude Code: one prompt on standard input, events on standard output
//
// SCRIPT is JSON: a list of turns, each a list of steps, taken one for each prompt; or a list of
// {"when": "words of the prompt", "steps": [...], "again": true}, of which the first that fits is taken.
// STATE is where conversations are kept, so that another process can go on with them.
//
// A step is an object with one of these:
//   text, thought            say it                       slow: {text, pieces}   say it in pieces
//   big: N                   say N characters             garbage: TEXT          write a line that is no message
//   tool: {title, kind, write?: {path, content}, ask?}    use a tool, with or without asking first
//   tool: {title, kind, run: COMMAND, ask?}               run a command in its folder and say what it printed
//   submit: VALUE            hand in VALUE                submit_json: VALUE     hand it in as text
//   fs: {path, content}      have the client write it     recall: true           say all earlier prompts
//   hang: true               fall silent until cancelled  deaf: true             fall silent, cancelled or not
//   crash: CODE              exit at once                 error: {code, message} answer with an error
//   stop: REASON             end the turn so              usage: {...}, cost: N  tell what it used
//   linger: true             leave a process behind in a group of its own

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const [, , scriptFile, stateFile] = process.argv;
if (process.argv.includes("--version")) {
  process.stdout.write("scripted-agent 1.2.3\n");
  process.exit(0);
}

const M = acp.methods;
const servers = new Map();
const cancels = new Map();

const load = () => (existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, "utf8")) : { taken: [], sessions: {} });
/** Others read it at any moment. */
const save = (state) => {
  writeFileSync(`${stateFile}.new`, JSON.stringify(state));
  renameSync(`${stateFile}.new`, stateFile);
};

function takeSteps(prompt) {
  const state = load();
  const script = JSON.parse(readFileSync(scriptFile, "utf8"));
  const at = script.findIndex((turn, index) => {
    const free = !state.taken.includes(index) || turn.again === true;
    return free && (Array.isArray(turn) || prompt.includes(turn.when));
  });
  if (at < 0) return [{ text: "No script." }];
  state.taken.push(at);
  save(state);
  return Array.isArray(script[at]) ? script[at] : script[at].steps;
}

async function callTool(sessionId, name, input) {
  const [server] = servers.get(sessionId) ?? [];
  if (server === undefined) return "no server";
  const post = async (id, method, params) => {
    const response = await fetch(server.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(server.token && { authorization: `Bearer ${server.token}` }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
    const text = await response.text();
    const data = text.split("\n").find((line) => line.startsWith("data: "));
    return JSON.parse(data?.slice("data: ".length) ?? text);
  };
  const clientInfo = { name: "scripted-agent", version: "1" };
  await post(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  await post(2, "tools/list", {});
  const { result, error } = await post(3, "tools/call", { name, arguments: input });
  return {
    isError: error !== undefined || result?.isError === true,
    text: result?.content?.[0]?.text ?? error?.message,
  };
}

/** What the system refuses, a model is told; it does not die of it. */
function tryTo(write) {
  try {
    write();
  } catch {}
}

function runIn(command) {
  const { stdout, stderr } = spawnSync("/bin/sh", ["-c", command], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return stdout + stderr;
}

const options = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

class Turn {
  constructor(client, sessionId) {
    this.client = client;
    this.sessionId = sessionId;
    this.answer = { stopReason: "end_turn" };
    this.calls = 0;
  }

  update(update) {
    return this.client.notify(M.client.session.update, { sessionId: this.sessionId, update });
  }

  say(text, sessionUpdate = "agent_message_chunk") {
    return this.update({ sessionUpdate, content: { type: "text", text } });
  }

  async tool({ title, kind, write, run, ask }) {
    const toolCallId = `call-${++this.calls}`;
    const locations = write ? [{ path: write.path }] : [];
    await this.update({ sessionUpdate: "tool_call", toolCallId, title, kind, status: "pending", locations });
    let granted = true;
    if (ask) {
      const toolCall = { toolCallId, title, kind, locations };
      const asked = { sessionId: this.sessionId, toolCall, options };
      const { outcome } = await this.client.request(M.client.session.requestPermission, asked);
      granted = outcome.outcome === "selected" && outcome.optionId === "yes";
    }
    if (granted && write) tryTo(() => writeFileSync(write.path, write.content));
    if (granted && run) await this.say(runIn(run));
    await this.update({ sessionUpdate: "tool_call_update", toolCallId, status: granted ? "completed" : "failed" });
  }

  async submit(name, input) {
    const toolCallId = `call-${++this.calls}`;
    await this.update({ sessionUpdate: "tool_call", toolCallId, title: name, kind: "other", status: "pending" });
    const { isError, text } = await callTool(this.sessionId, name, input);
    const status = isError ? "failed" : "completed";
    const content = [{ type: "content", content: { type: "text", text: String(text) } }];
    await this.update({ sessionUpdate: "tool_call_update", toolCallId, status, content });
    return text;
  }

  async do(step) {
    if (step.text !== undefined) return this.say(step.text);
    if (step.thought !== undefined) return this.say(step.thought, "agent_thought_chunk");
    if (step.slow) for (const piece of step.slow.pieces) await this.say(piece);
    if (step.big)
      for (let left = step.big; left > 0; left -= 65_536) await this.say("x".repeat(Math.min(left, 65_536)));
    if (step.garbage !== undefined) process.stdout.write(`${step.garbage}\n`);
    if (step.tool) await this.tool(step.tool);
    if ("submit" in step) await this.submit("submit", step.submit);
    if ("submit_json" in step) await this.submit("submit_json", { json: JSON.stringify(step.submit_json) });
    if (step.lookUp) await this.say(await this.submit("look_up", { name: step.lookUp }));
    if (step.fs) await this.client.request(M.client.fs.writeTextFile, { sessionId: this.sessionId, ...step.fs });
    if (step.recall) await this.say(load().sessions[this.sessionId].join("\n"));
    if (step.linger) spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { detached: true, stdio: "ignore" });
    if (step.crash !== undefined) process.exit(step.crash);
    if (step.error) throw new acp.RequestError(step.error.code, step.error.message);
    if (step.usage) this.answer.usage = step.usage;
    if (step.stop) this.answer.stopReason = step.stop;
    if (step.cost !== undefined) {
      await this.update({
        sessionUpdate: "usage_update",
        used: 1,
        size: 100,
        cost: { amount: step.cost, currency: "USD" },
      });
    }
    if (step.deaf) await new Promise(() => setInterval(() => {}, 1e6));
    if (step.hang) {
      await new Promise((done) => {
        const timer = setInterval(() => {}, 1e6);
        cancels.set(this.sessionId, () => {
          clearInterval(timer);
          done();
        });
      });
      this.answer.stopReason = "cancelled";
    }
    return undefined;
  }
}

function remember(sessionId, mcpServers) {
  const state = load();
  if (state.sessions[sessionId] === undefined) throw acp.RequestError.invalidParams(undefined, "no such session");
  servers.set(sessionId, mcpServers);
  return {};
}

/** Begins a conversation, which another process may continue. */
function beginSession(sessionId) {
  const state = load();
  state.sessions[sessionId] ??= [];
  save(state);
}

/** What it used is counted since the session began, as the protocol has it. */
async function takeTurn(client, sessionId, prompt) {
  const state = load();
  state.sessions[sessionId].push(prompt);
  save(state);
  const turn = new Turn(client, sessionId);
  const prompts = state.sessions[sessionId].length;
  turn.answer.usage = { inputTokens: 100 * prompts, outputTokens: 10 * prompts, totalTokens: 110 * prompts };
  for (const step of takeSteps(prompt)) await turn.do(step);
  return turn.answer;
}

const agent = () =>
  acp
    .agent({ name: "scripted-agent" })
    .onRequest(M.agent.initialize, () => ({
      protocolVersion: acp.PROTOCOL_VERSION,
      agentCapabilities: { loadSession: true, mcpCapabilities: { http: true }, sessionCapabilities: { resume: {} } },
      agentInfo: { name: "scripted-agent", version: "1.2.3" },
      authMethods: [],
    }))
    .onRequest(M.agent.session.new, ({ params }) => {
      const sessionId = `session-${Object.keys(load().sessions).length + 1}`;
      beginSession(sessionId);
      servers.set(sessionId, params.mcpServers);
      return { sessionId };
    })
    .onRequest(M.agent.session.resume, ({ params }) => remember(params.sessionId, params.mcpServers))
    .onRequest(M.agent.session.load, ({ params }) => remember(params.sessionId, params.mcpServers))
    .onNotification(M.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
    .onRequest(M.agent.session.prompt, ({ params, client }) =>
      takeTurn(client, params.sessionId, params.prompt.map((part) => part.text ?? "").join("\n")),
    )
    .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

const flag = (name) => process.argv[process.argv.indexOf(name) + 1];
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** What a turn tells its client, in the lines of `claude -p --output-format stream-json`. */
function printUpdate({ sessionUpdate, content, toolCallId, title, status }) {
  const delta = (change) =>
    print({ type: "stream_event", parent_tool_use_id: null, event: { type: "content_block_delta", delta: change } });
  if (sessionUpdate === "agent_message_chunk") delta({ type: "text_delta", text: content.text });
  if (sessionUpdate === "agent_thought_chunk") delta({ type: "thinking_delta", thinking: content.text });
  if (sessionUpdate === "tool_call")
    print({ type: "assistant", message: { content: [{ type: "tool_use", id: toolCallId, name: title, input: {} }] } });
  if (sessionUpdate !== "tool_call_update") return;
  const result = { type: "tool_result", tool_use_id: toolCallId, content: "", is_error: status === "failed" };
  print({ type: "user", message: { content: [result] } });
}

async function printTurn() {
  const sessionId = process.argv.includes("--resume") ? flag("--resume") : flag("--session-id");
  const [server] = Object.values(JSON.parse(flag("--mcp-config")).mcpServers);
  servers.set(sessionId, server ? [{ url: server.url, token: process.env.PLANWRIGHT_DOOR }] : []);
  beginSession(sessionId);
  print({ type: "system", subtype: "init", session_id: sessionId, model: "scripted" });
  let prompt = "";
  for await (const piece of process.stdin) prompt += piece;
  const granted = flag("--permission-mode") === "acceptEdits" ? "yes" : "no";
  const client = {
    notify: async (_, { update }) => printUpdate(update),
    request: async () => ({ outcome: { outcome: "selected", optionId: granted } }),
  };
  const { usage } = await takeTurn(client, sessionId, prompt);
  const used = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
  print({ type: "result", subtype: "success", is_error: false, session_id: sessionId, usage: used });
}

if (process.argv.includes("-p")) {
  await printTurn();
  // The connection to the server would keep it for a while.
  process.exit(0);
}
agent();
process.stdin.on("end", () => process.exit(0));
