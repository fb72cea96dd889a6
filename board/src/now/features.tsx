// Every feature with its progress, when it is likely done, and what stops it.

import { useRead } from "../api/reads.js";
import type { StatusTree, WaitingEntry } from "../api/types.js";
import { linkTo } from "../frame/route.js";
import { Bar } from "../parts/bits.js";
import { NoPlan } from "../parts/no-plan.js";
import { Plain } from "../parts/plain.js";
import { Sign } from "../parts/sign.js";
import { hours, plural } from "../parts/words.js";

/** Features of the plan, wherever they are; those that hold nothing are left out. */
export function featuresOf(tree: readonly StatusTree[]): StatusTree[] {
  return tree.flatMap((node) => (node.tier === "feature" ? [node] : featuresOf(node.children)));
}

const isShown = ({ progress, status }: StatusTree): boolean => (progress?.total ?? 0) > 0 && status !== "archived";

const tasksOf = (node: StatusTree): StatusTree[] =>
  node.tier === "task" ? [node] : node.children.flatMap((child) => tasksOf(child));

/** What stops it first, in two words. */
export function stopWords(feature: StatusTree): string {
  const tasks = tasksOf(feature);
  const count = (status: StatusTree["status"]): number => tasks.filter((task) => task.status === status).length;
  if (feature.status === "frozen") return "frozen";
  if (count("rejected") > 0) return plural(count("rejected"), "task rejected", "tasks rejected");
  if (count("frozen") > 0) return "frozen in part";
  return tasks.some(({ reason }) => reason === "unapproved") ? "not approved" : "";
}

/** Measured: at least this many hours of work are left, with a chance of one half. */
const useForecasts = (): ReadonlyMap<string, number | null> => {
  const features = useRead("forecast", {}).data?.features ?? [];
  return new Map(features.map(({ id, likelyHours }) => [id, likelyHours]));
};

interface FeaturesProps {
  readonly tree: readonly StatusTree[];
  readonly waiting: readonly WaitingEntry[];
}

export function Features({ tree, waiting }: FeaturesProps) {
  const forecasts = useForecasts();
  const shown = featuresOf(tree).filter(isShown);
  if (shown.length === 0) return <NoPlan />;
  return (
    <ul className="plain features">
      {shown.map((feature) => {
        const asks = waiting.some(({ about, id, kind }) => kind === "landing" && (about ?? id) === feature.id);
        const left = forecasts.get(feature.id);
        const words = stopWords(feature) || (typeof left === "number" && left > 0 ? `${hours(left)} left` : "");
        return (
          <li key={feature.id}>
            <Sign name={asks ? "ask" : feature.status} />
            <a className="name" {...linkTo({ view: "plan", layout: "tree", item: feature.id })}>
              <Plain text={feature.title} />
            </a>
            <span className="hint">{asks ? "ready to land" : words}</span>
            <Bar done={feature.progress?.finished ?? 0} of={feature.progress?.total ?? 0} />
          </li>
        );
      })}
    </ul>
  );
}
