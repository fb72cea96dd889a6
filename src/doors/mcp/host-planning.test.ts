// A scripted host plans with its own subagents through the tools, as a coding agent does.

import { expect, it } from "vitest";
import { type McpClient, makeMcpRig } from "../../../test/mcp.js";
import { ANSWERS, CLARIFICATION, objection, SPEC } from "../../../test/planning.js";

type Call = McpClient["call"];

const NO = { finding: "K1", action: "declined", note: "No spaces." };

/** The conversation that delegates reads the step in brief; the subagent reads the rest and hands in. */
async function serveOne(call: Call, said: Record<string, unknown[]>): Promise<string | undefined> {
  const { data: brief } = await call("plan", { action: "step", brief: true });
  if (!brief.ask) return undefined;
  expect(brief.ask).not.toHaveProperty("prompt");
  const { data } = await call(brief.next[0].tool, brief.next[0].arguments);
  const { prompt, schema, role, stage, call: step } = data.ask;
  expect(schema).toHaveProperty("properties");
  const isRevision = prompt.includes("# Your role: author, revising");
  const topic = role === "author" ? `author ${isRevision ? "revise" : stage}` : role;
  const output = said[topic]?.shift() ?? ANSWERS[topic];
  const session = `subagent-${role}`;
  const handed = await call("plan", { action: "submit", call: step, output: JSON.stringify(output), session });
  expect(handed).toMatchObject({ isError: false, data: { progress: expect.arrayContaining([expect.anything()]) } });
  return topic;
}

it("a host plans with its subagents, survives its own end, and leaves the approval to the person", async () => {
  const { ask, connect } = await makeMcpRig();
  const first = await connect({ name: "claude-code" });
  const begun = await first.call("plan", { action: "host", source: SPEC });
  expect(begun.data).toMatchObject({ id: "RUN-001", next: [{ tool: "plan", arguments: { action: "step" } }] });
  const said: Record<string, unknown[]> = {
    clarifier: [CLARIFICATION],
    critic: [objection("K1", "high")],
  };
  expect(await serveOne(first.call, said)).toBe("clarifier");
  const { data: waiting } = await first.call("plan", { action: "step", brief: true });
  expect(waiting).toMatchObject({ status: "waiting", questions: [{ id: "ESC-001", options: expect.any(Array) }] });
  const relayed = { action: "answer", id: "ESC-001", option: waiting.questions[0].options[0].id };
  expect(await first.call("plan", relayed)).toMatchObject({ isError: false });
  expect(await serveOne(first.call, said)).toBe("author capabilities");
  await first.vanish();

  const { call } = await connect({ name: "claude-code" });
  const topics: string[] = [];
  for (let topic = await serveOne(call, said); topic !== undefined; topic = await serveOne(call, said))
    topics.push(topic);
  expect(topics).toEqual(["author files", "author tasks", "critic", "author revise", "critic", "overviewer"]);

  const refused = await call("decide", { action: "approve", references: ["RUN-001"] });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("planwright approve RUN-001") });
  expect(await ask("approve", { references: ["RUN-001"], yes: true })).toMatchObject({ approved: expect.any(Array) });
  expect((await call("find", { action: "runs" })).data.runs).toMatchObject([{ status: "finished" }]);
});

it("a stop shows both sides, and what the person says reaches the author", async () => {
  const { ask, connect } = await makeMcpRig();
  const { call } = await connect();
  await call("plan", { action: "host", source: SPEC });
  const declined = { ...(ANSWERS["author revise"] as object), responses: [NO] };
  const said = { critic: [objection("K1", "high"), objection("K1", "high")], "author revise": [declined] };
  for (let topic = await serveOne(call, said); topic !== undefined; topic = await serveOne(call, said));
  const { data: stopped } = await call("plan", { action: "step", brief: true });
  const [{ id, context, options }] = stopped.questions;
  expect(context).toMatch(/K1 \(high\) Something is missing[\s\S]*author: declined, No spaces[\s\S]*report is ART-\d+/);
  expect(options.map((option: { id: string }) => option.id)).toEqual(["guide", "start-over", "accept", "abort"]);
  const words = "Names may have spaces, so test them";
  // Only the person decides a stop; an agent is told how they can.
  expect(await call("plan", { action: "answer", id, option: words })).toMatchObject({
    isError: true,
    text: expect.stringContaining(`planwright question answer ${id}`),
  });
  await ask("question.answer", { id, option: words });
  const { data } = await call("plan", { action: "step" });
  expect(data.ask.prompt).toMatch(/Latest feedback: person[\s\S]*Names may have spaces, so test them/);
});

it("a prompt comes whole, however long it is, and a late answer changes nothing", async () => {
  const { connect } = await makeMcpRig();
  const { call } = await connect();
  const long = `# Long\n\n${Array.from({ length: 400 }, (_, i) => `- REQ-${i} The program does thing ${i} well.`).join("\n")}\n`;
  await call("plan", { action: "host", source: long });
  const { data, text } = await call("plan", { action: "step" });
  expect(data.ask.prompt).toContain("REQ-399");
  expect(text).toContain("REQ-399");
  const looked = await call("plan", { action: "look_up", call: data.ask.call, name: "spec" });
  expect(looked.data.text).toContain("REQ-399");
  const output = JSON.stringify(ANSWERS["clarifier"]);
  await call("plan", { action: "submit", call: data.ask.call, output });
  expect((await call("plan", { action: "submit", call: data.ask.call, output })).data.error).toMatchObject({
    reason: "not-open",
    next: [{ tool: "plan", arguments: { action: "step", run: "RUN-001" } }],
  });
});
