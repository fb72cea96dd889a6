// How often the router understands what people say, on words that it was tuned on and on words that it was not.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makePlan, must, type TestPlan } from "../../../test/plan.js";
import { freeze } from "../branch/freeze.js";
import { factsOf } from "../kit/facts.js";
import { loadVerb } from "../list.js";
import { type Routed, route } from "./route.js";

interface Utterance {
  readonly text: string;
  readonly meant: string;
}

/** A heading says what the lines below it mean. */
function readUtterances(name: string): Utterance[] {
  const file = join(import.meta.dirname, "../../../test/fixtures/utterances", name);
  let meant = "";
  const utterances: Utterance[] = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.startsWith("# ")) meant = line.slice(2);
    else if (line !== "") utterances.push({ text: line, meant });
  }
  return utterances;
}

let plan: TestPlan;

beforeAll(async () => {
  plan = await makePlan([
    { id: "FEAT-001", tier: "feature", title: "Auth flow", parent: "MISSION" },
    { id: "FEAT-002", tier: "feature", title: "Billing", parent: "MISSION" },
    { id: "FEAT-003", tier: "feature", title: "Search index", parent: "MISSION" },
    { id: "FEAT-004", tier: "feature", title: "Reports", parent: "MISSION" },
    { id: "STORY-0001", tier: "story", title: "Login", parent: "FEAT-001" },
    { id: "STORY-0002", tier: "story", title: "Password reset", parent: "FEAT-001" },
    { id: "STORY-0003", tier: "story", title: "Invoices", parent: "FEAT-002" },
    { id: "TASK-00001", title: "Add the login form", parent: "STORY-0001" },
    { id: "TASK-00002", title: "Validate email addresses", parent: "STORY-0001" },
    { id: "TASK-00003", title: "Send the invoice by email", parent: "STORY-0003" },
    { id: "TASK-00004", title: "Rate limit the API", parent: "STORY-0001" },
    { id: "TASK-00005", title: "Export to CSV", parent: "FEAT-004" },
  ]);
  must(await freeze(plan, { references: ["FEAT-004"], reason: "later" }));
});

interface Heard extends Utterance {
  readonly heard: string;
  readonly isRight: boolean;
  /** Something would change that nobody asked for. */
  readonly isHarmful: boolean;
}

async function hear({ text, meant }: Utterance): Promise<Heard> {
  const routed = await route({ ...plan, load: loadVerb }, text);
  const heard = routed.ok ? await spell(routed.value) : "nothing";
  const isRight = meant.split(" or ").includes(heard);
  return { text, meant, heard, isRight, isHarmful: !isRight && routed.ok && changes(routed.value) };
}

const changes = ({ operation, input }: Routed): boolean =>
  factsOf(operation).effect !== "reads" && input["peek"] !== true;

const TAKES_WORDS = new Set(["promote", "search"]);

async function spell({ operation, input }: Routed): Promise<string> {
  if (TAKES_WORDS.has(operation)) return operation;
  const named = [input["reference"] ?? [], input["references"] ?? [], input["in"] ?? []].flat().map(String);
  const found = await plan.store.read(async (reader) => {
    const matches = [];
    for (const name of named) matches.push(await reader.match(name));
    return matches;
  });
  const ids = found.map(({ nodes }) => nodes.map(({ id }) => id).join("|"));
  return [input["peek"] === true ? "peek" : operation, ...ids].join(" ");
}

async function hearAll(name: string) {
  const all: Heard[] = [];
  for (const utterance of readUtterances(name)) all.push(await hear(utterance));
  const lines = (wrong: readonly Heard[]) => wrong.map(({ text, meant, heard }) => `${text}: ${heard}, not ${meant}`);
  return {
    count: all.length,
    wrong: lines(all.filter(({ isRight }) => !isRight)),
    harmful: lines(all.filter(({ isHarmful }) => isHarmful)),
  };
}

describe("of what people say to a plan", () => {
  it("95 of 100 utterances that the router was never tuned on are understood, and none changes what nobody meant", async () => {
    const { count, wrong, harmful } = await hearAll("held-out.txt");
    expect(harmful).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(200);
    expect(1 - wrong.length / count).toBeGreaterThanOrEqual(0.95);
  });

  it("all utterances that it was tuned on are understood", async () => {
    const { count, wrong } = await hearAll("tuned.txt");
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(800);
  });
});
