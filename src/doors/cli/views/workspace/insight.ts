// Views of the plan over time.

import { harmless } from "../../../../app/text/harmless.js";
import { statusWord } from "../../text/icons.js";
import type { ViewOf } from "../../view.js";

const dollars = (cost: number | null): string => (cost === null ? "unknown" : `$${cost.toFixed(2)}`);

const costs: ViewOf<"costs"> = {
  text: ({ lines, total }, style) =>
    lines.length === 0
      ? style.dim("No agent has been used yet.")
      : [
          ...lines.map(
            ({ day, of, tokens, costUsd }) =>
              `${style.dim(day)}  ${harmless(of).padEnd(24)}  ${String(tokens).padStart(10)} tokens  ${dollars(costUsd)}`,
          ),
          `${style.bold("Total")}  ${total.tokens} tokens  ${dollars(total.costUsd)}`,
        ].join("\n"),
  note: ({ total }) => (total.unpriced === 0 ? "" : `${total.unpriced} of ${total.calls} calls have no known price.`),
};

const throughput: ViewOf<"throughput"> = {
  text: ({ days, acceptedAtFirst, firstAttempts, waitedHours }, style) =>
    [
      ...days.map(
        (each) =>
          `${style.dim(each.day)}  ${String(each.done).padStart(4)} done  ${each.waitedHours} h waiting for you`,
      ),
      `Accepted at the first attempt: ${acceptedAtFirst} of ${firstAttempts}. Hours waiting for you: ${waitedHours}.`,
    ].join("\n"),
};

const forecast: ViewOf<"forecast"> = {
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
};

const timeline: ViewOf<"timeline"> = {
  text: ({ rows, more }, style) =>
    [
      ...rows.flatMap(({ id, title, status, spans }) => [
        `${style.bold(id)}  ${harmless(title)}  ${style.dim(statusWord(status))}`,
        ...spans.map(
          ({ kind, from, to, of }) => `  ${kind.padEnd(12)} ${from} – ${to ?? "now"}${of === null ? "" : `  ${of}`}`,
        ),
      ]),
      ...(more > 0 ? [style.dim(`… ${more} more`)] : []),
    ].join("\n") || style.dim("There is no task yet."),
};

const density: ViewOf<"density"> = {
  text: ({ slots, marks }, style) =>
    [
      ...slots.map(
        ({ from, human, agent, daemon, last }) =>
          `${style.dim(from)}  people ${human}  agents ${agent}  daemon ${daemon}  ${style.dim(`up to operation ${last}`)}`,
      ),
      ...marks.map(({ op, at, verb }) => `${style.bold(String(op))}  ${at}  ${harmless(verb)}`),
    ].join("\n") || style.dim("Nothing has happened yet."),
};

const moment: ViewOf<"moment"> = {
  text: ({ op, at, sentence, later, before, now }, style) =>
    [
      `${style.bold(`Operation ${op}`)}, ${at}: ${harmless(sentence)}`,
      `${later} came later.`,
      ...(Object.keys(now) as (keyof typeof now)[])
        .filter((status) => before[status] + now[status] > 0)
        .map(
          (status) =>
            `  ${statusWord(status).padEnd(12)} ${String(before[status]).padStart(6)} then ${String(now[status]).padStart(6)} now`,
        ),
    ].join("\n"),
};

export const insightViews = { costs, throughput, forecast, timeline, density, moment };
