import { FEWEST_SAMPLES, forecastOf, orderOf } from "../../model/order/order.js";
import { isOpen, Waiting } from "../../model/order/waiting.js";
import { perOperation } from "../../plan/overview/standings.js";
import type { Outline, Reader } from "../../store/store.js";
import { type Context, harmless, type Nr, ok, planVerb } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "forecast", group: "look" },
  summary: "Estimate when each feature is done, from measured work",
  description:
    "Hours of work until a feature is done, if nothing waits for a person: with a chance of 50 % and of 80 %. Below 10 finished tasks there is no forecast.",
  effect: "reads",
  examples: [{ input: {}, does: "estimates every open feature, and says from how many tasks" }],
  run: forecast,
  text: ({ samples, fewestSamples, features }, style) => {
    if (features.length === 0) return style.dim("Nothing is left to do.");
    if (samples < fewestSamples)
      return `There is no forecast yet: ${samples} finished tasks, and it needs ${fewestSamples}.`;
    const lines = features.map(
      ({ id, title, tasks, likelyHours, safeHours }) =>
        `${style.bold(id)}  ${harmless(title)}  ${tasks} open: ${likelyHours} h (50 %), ${safeHours} h (80 %)`,
    );
    return [...lines, style.dim(`From ${samples} finished tasks.`)].join("\n");
  },
});

const HOUR_MS = 3_600_000;

/** The latest tell most. */
const MAX_SAMPLES = 200;

export function forecast(context: Context) {
  const { store } = context;
  return store.read(async (reader) => ok(await perOperation(store, reader, "forecast", () => forecastAll(reader))));
}

async function forecastAll(reader: Reader) {
  const plan = new Waiting(await reader.outline());
  const samples = await reader.durations(MAX_SAMPLES);
  const features = [...plan.nodes.values()]
    .filter((node) => node.tier === "feature" && isOpen(node) && !node.shelved && node.tasksLive > 0)
    .map((feature) => ofFeature(feature, plan, samples));
  return { samples: samples.length, fewestSamples: FEWEST_SAMPLES, features };
}

/** With everything that it waits for, in other features too: hours until it is done, with a chance of 50 % and of 80 %. Null with too few samples. */
function ofFeature(feature: Outline, plan: Waiting<Outline>, samples: readonly number[]) {
  const needed = new Set<Nr>([feature.nr]);
  for (const nr of needed) for (const other of plan.openFor(nr)) needed.add(other);
  const isTask = (nr: Nr): boolean => plan.nodes.get(nr)?.kind === "work";
  const found = forecastOf(
    orderOf(needed, (nr) => plan.openFor(nr)),
    isTask,
    samples,
  );
  return {
    id: feature.id,
    title: feature.title,
    tasks: [...needed].filter(isTask).length,
    likelyHours: found && hours(found.likelyMs),
    safeHours: found && hours(found.safeMs),
  };
}

const hours = (ms: number): number => Math.round((ms / HOUR_MS) * 100) / 100;
