import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { forecast as readForecast } from "./forecast-action.js";

export const input = fields({});

export const verb = planVerb({
  name: "forecast",
  command: { words: "forecast", group: "look" },
  summary: "Estimate when each feature is done, from measured work",
  description:
    "Hours of work until a feature is done, if nothing waits for a person: with a chance of 50 % and of 80 %. Below 10 finished tasks there is no forecast.",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "estimates every open feature, and says from how many tasks" }],
  run: (session) => readForecast(session),
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
