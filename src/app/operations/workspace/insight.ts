// Operations that look at the plan over time: what it cost, how fast it goes, when it is done, and what happened when.

import { COST_GROUPS, costs as readCosts } from "../../../actions/insight/costs.js";
import { forecast as readForecast } from "../../../actions/insight/forecast.js";
import { compareMoment, density as readDensity } from "../../../actions/insight/moments.js";
import { throughput as readThroughput } from "../../../actions/insight/throughput.js";
import { timeline as readTimeline } from "../../../actions/insight/timeline.js";
import { operation } from "../../operation.js";
import { choice, input, node, optional, wholeNumber } from "../../schema.js";

const costs = operation({
  name: "costs",
  summary: "Show what agents used, by day and role, feature or model",
  description: "Tokens come first: work without a price has no cost here, and is counted as unpriced.",
  who: "both",
  effect: "reads",
  input: () => input({ by: optional(choice(COST_GROUPS, "how to group each day (role)")) }),
  examples: [{ input: { by: "model" }, does: "tokens and cost of each model, day by day" }],
  run: readCosts,
});

const throughput = operation({
  name: "throughput",
  summary: "Show tasks done by day, and hours spent waiting for you",
  description:
    "Also how many tasks were accepted at their first attempt. Waiting is the time that questions were open, and that finished work waited to be accepted.",
  who: "both",
  effect: "reads",
  input: () => input({ days: optional(wholeNumber("the last N days (14)", 1, 366)) }),
  examples: [{ input: { days: 7 }, does: "the last week, day by day" }],
  run: readThroughput,
});

const forecast = operation({
  name: "forecast",
  summary: "Estimate when each feature is done, from measured work",
  description:
    "Hours of work until a feature is done, if nothing waits for a person: with a chance of 50 % and of 80 %. Below 10 finished tasks there is no forecast.",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "estimates every open feature, and says from how many tasks" }],
  run: (session) => readForecast(session),
});

const timeline = operation({
  name: "timeline",
  summary: "Show when each task was worked on, and when it waited",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      reference: optional(node("only below this node")),
      limit: optional(wholeNumber("at most N tasks (500)", 1, 100_000)),
    }),
  examples: [{ input: { reference: "FEAT-001" }, does: "the tasks of one feature over time" }],
  run: readTimeline,
});

const density = operation({
  name: "density",
  summary: "Show how much happened when, and who did it",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      slotMinutes: optional(wholeNumber("the length of a slot in minutes (60)", 1, 527_040)),
      days: optional(wholeNumber("only the last N days", 1, 3_660)),
    }),
  examples: [{ input: { days: 7 }, does: "operations of each hour of the last week" }],
  run: readDensity,
});

const moment = operation({
  name: "moment",
  summary: "Compare the plan at a past operation with now",
  who: "both",
  effect: "reads",
  input: () => input({ operation: wholeNumber("the number of an operation", 1, Number.MAX_SAFE_INTEGER, "OP") }),
  examples: [{ input: { operation: 120 }, does: "tasks by status then and now" }],
  run: (session, asked) => compareMoment(session, asked.operation),
});

export const insightOperations = { costs, throughput, forecast, timeline, density, moment };
