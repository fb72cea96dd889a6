// Calls that take a while: a worker's checks, a planning run, and workers that the server starts. Each is followed and cancelled.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type McpRig, makeMcpRig } from "../../../test/mcp.js";
import { SPEC } from "../../../test/planning.js";

async function withTask(checks: string[], more: object = {}): Promise<McpRig> {
  const rig = await makeMcpRig();
  await rig.ask("add", { title: "Write the form", parent: "FEAT-001", checks, ...more });
  await rig.ask("approve", { references: ["FEAT-001"], yes: true });
  return rig;
}

describe("a worker", () => {
  it("tries the checks without handing in", async () => {
    const { connect, root, ask } = await withTask(["test -e done.txt"]);
    const { call } = await connect();
    await call("claim", { action: "next" });
    const first = await call("claim", { action: "check", reference: "TASK-00001" });
    expect(first).toMatchObject({ isError: true, text: expect.stringContaining("test -e done.txt failed") });
    writeFileSync(`${root}/done.txt`, "");
    expect(await call("claim", { action: "check", reference: "TASK-00001" })).toMatchObject({ isError: false });
    expect(await ask("show", { reference: "TASK-00001" })).toMatchObject({ status: "in_progress" });
  });

  it("proposes to split a task that is too big, and a person decides", async () => {
    const { connect, ask } = await withTask([]);
    const { call } = await connect();
    await call("claim", { action: "next" });
    const parts = [
      { title: "Read", files: ["read.ts"], checks: ["true"] },
      { title: "Print", files: ["print.ts"], after: [1] },
    ];
    const proposal = { action: "split", reference: "TASK-00001", reason: "It is two things.", parts };
    const bad = await call("give_up", { ...proposal, parts: parts.slice(1) });
    expect(bad.data.error).toMatchObject({ reason: "bad-split" });
    const { data } = await call("give_up", proposal);
    expect(data).toMatchObject({ id: "TASK-00001", question: "ESC-001", next: [{ who: "person" }] });
    expect((await call("decide", { action: "answer", id: "ESC-001", option: "split" })).isError).toBe(true);
    await ask("question.answer", { id: "ESC-001", option: "split", yes: true });
    expect((await call("claim", { action: "next" })).data.task.title).toBe("Read");
  });
});

it("a planning run is followed in the lines that a terminal would show", async () => {
  const { connect } = await makeMcpRig();
  const { call } = await connect();
  const told: string[] = [];
  await call("plan", { action: "start", source: SPEC }, { onprogress: ({ message = "" }) => told.push(message) });
  expect(told[0]).toBe("RUN-001 planning: Greeter");
  expect(told).toContainEqual(expect.stringMatching(/^✓ author \(tasks\): \d+ features?, /));
  expect(told).toContainEqual(expect.stringMatching(/^✓ conformance \(review\): approve/));
});

it("a run of workers is followed, and stops when the call is cancelled", async () => {
  const body = "```sh run\necho x > form.txt\nsleep 600\n```";
  const { connect, ask, root } = await withTask(["true"], { body, files: ["form.txt"] });
  const git = (...words: string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: root });
  git("init", "-q", "-b", "main");
  writeFileSync(`${root}/.gitignore`, ".planwright\n");
  git("add", "-A");
  git("commit", "-qm", "begin");
  await ask("level", { level: "on" });
  const { call } = await connect();
  const cancel = new AbortController();
  const told: string[] = [];
  const running = call(
    "run",
    { reference: "TASK-00001" },
    {
      signal: cancel.signal,
      timeout: 60_000,
      onprogress: ({ message = "" }) => {
        told.push(message);
        if (message === "TASK-00001: working") cancel.abort();
      },
    },
  );
  await expect(running).rejects.toThrow(/abort/i);
  expect(told).toContain("TASK-00001: working");
  await expect
    .poll(async () => (await call("show", { reference: "TASK-00001" })).data.status, { timeout: 30_000 })
    .not.toBe("in_progress");
  expect(await ask("verify", {})).toBeDefined();
}, 60_000);
