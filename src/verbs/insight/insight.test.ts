// The plan over time: costs, throughput, forecast, timeline, the log by slots, and a moment compared with now.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { leaveAttempt } from "../../../test/attempts.js";
import { makePlan, must, mustFail, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import { attemptTranscript } from "../attempt/transcript.js";
import { freeze } from "../branch/freeze.js";
import { log } from "../history/log.js";
import { previewUndo, undo } from "../history/take-back.js";
import { costs } from "./costs.js";
import { density } from "./density.js";
import { forecast } from "./forecast.js";
import { compareMoment } from "./moment.js";
import { throughput } from "./throughput.js";
import { timeline } from "./timeline.js";

const many = (count: number) => Array.from({ length: count }, (_, i) => `T-${i + 1}`);

describe("costs", () => {
  it("are counted by day, and unknown where nobody told a price", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    expect(must(await costs(plan))).toEqual({
      by: "role",
      lines: [],
      total: { calls: 0, tokens: 0, costUsd: null, unpriced: 0 },
    });
    await leaveAttempt(plan, "T-1", {
      worker: { kind: "agent", name: "claude", model: "opus" },
      usage: { inputTokens: 100, outputTokens: 20, costUsd: null },
    });
    expect(must(await costs(plan, { by: "model" }))).toMatchObject({
      lines: [{ of: "opus", calls: 1, tokens: 120, costUsd: null, unpriced: 1 }],
    });
    expect(must(await costs(plan, { by: "feature" })).lines[0]?.of).toBe("FEAT-A");
  });
});

describe("throughput", () => {
  it("counts what was done today", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2")]);
    await finish(plan, "T-1");
    const view = must(await throughput(plan, { days: 3 }));
    expect(view.days.map(({ done }) => done)).toEqual([0, 0, 1]);
    expect(view).toMatchObject({ waitedHours: 0, longestWaits: [] });
  });
});

describe("the forecast", () => {
  it("says how many samples it has, and needs ten", async () => {
    const plan = await makeApprovedPlan(many(12).map((id) => passing(id)));
    expect(must(await forecast(plan))).toMatchObject({
      samples: 0,
      fewestSamples: 10,
      features: [{ id: "FEAT-A", tasks: 12, likelyHours: null, safeHours: null }],
    });
  });
});

describe("the timeline", () => {
  it("shows work and waiting, of each task", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2", { dependsOn: ["T-1"] })]);
    await finish(plan, "T-1");
    const { rows, more } = must(await timeline(plan, { reference: "STORY-A" }));
    expect(more).toBe(0);
    expect(rows.map(({ id, status, feature }) => [id, status, feature])).toEqual([
      ["T-1", "done", "FEAT-A"],
      ["T-2", "ready", "FEAT-A"],
    ]);
    expect(rows[0]?.spans.map(({ kind }) => kind)).toContain("work");
    expect(rows[1]?.spans.map(({ kind }) => kind)).not.toContain("work");
  });

  it("waits for an approval until there is one", async () => {
    const { rows } = must(await timeline(await makePlan([task("T-1")])));
    expect(rows[0]?.spans).toMatchObject([{ kind: "approval", to: null, of: null }]);
  });
});

describe("the log", () => {
  it("is counted by slots of time and by who did it, with marks", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const { slots, marks } = must(await density(plan, { slotMinutes: 1_440 }));
    expect(slots.reduce((sum, { human }) => sum + human, 0)).toBe(await plan.store.read((r) => r.lastOperation()));
    expect(marks.map(({ verb }) => verb)).toEqual(["approve"]);
  });

  it("comes page by page", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const { operations } = must(await log(plan, { before: 2 }));
    expect(operations.map(({ op }) => op)).toEqual([1]);
  });
});

describe("a moment", () => {
  it("is compared with now", async () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-moment-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const plan = await makePlan([task("T-1"), task("T-2")], join(folder, "plan.db"));
    const before = await plan.store.read((reader) => reader.lastOperation());
    must(await freeze(plan, { references: ["T-1"], reason: "wait" }));
    const view = must(await compareMoment(plan, before));
    expect([view.later, view.before.frozen, view.now.frozen]).toEqual([1, 0, 1]);
    expect(mustFail(await compareMoment(plan, 99))).toMatchObject({ reason: "no-operation" });
    await plan.store.close();
  });
});

describe("the preview of an undo", () => {
  it("says what it would change, and changes nothing", async () => {
    const plan = await makePlan([task("T-1")]);
    must(await freeze(plan, { references: ["T-1"], reason: "wait" }));
    const preview = must(await previewUndo(plan));
    expect(preview).toMatchObject({ verb: "freeze", targets: ["T-1"], rows: 1, stillLanded: null });
    expect(must(await log(plan, {})).operations[0]?.op).toBe(preview.of);
    must(await undo(plan));
    expect(mustFail(await previewUndo(plan, String(preview.of)))).toMatchObject({ kind: "refused" });
  });
});

describe("a transcript", () => {
  it("is read in parts, from the front or from its end", async () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-transcript-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "t.jsonl");
    writeFileSync(file, `${Array.from({ length: 10 }, (_, i) => `line ${i}`).join("\n")}\n`);
    const plan = await makeApprovedPlan([passing("T-1")]);
    const key = await leaveAttempt(plan, "T-1", { transcript: file });
    expect(must(await attemptTranscript(plan, { id: key, limit: 2 }))).toEqual({
      id: key,
      from: 8,
      lines: ["line 8", "line 9"],
      total: 10,
    });
    expect(must(await attemptTranscript(plan, { id: key, from: 0, limit: 1 })).lines).toEqual(["line 0"]);
    rmSync(file);
    expect(mustFail(await attemptTranscript(plan, { id: key }))).toMatchObject({ reason: "no-transcript" });
  });
});
