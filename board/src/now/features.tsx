// Every feature with its progress and what stops it.

import type { StatusTree, WaitingEntry } from "../api/types.js";
import { linkTo } from "../frame/route.js";
import { Bar } from "../parts/bits.js";
import { Plain } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { Empty } from "../parts/states.js";
import { reasonWords } from "../plan/reason-words.js";

/** Features of the plan, wherever they are; those that hold nothing are left out. */
export function featuresOf(tree: readonly StatusTree[]): StatusTree[] {
  return tree.flatMap((node) => (node.tier === "feature" ? [node] : featuresOf(node.children)));
}

const isShown = ({ progress, status }: StatusTree): boolean => (progress?.total ?? 0) > 0 && status !== "archived";

export function Features({
  tree,
  waiting,
}: {
  readonly tree: readonly StatusTree[];
  readonly waiting: readonly WaitingEntry[];
}) {
  const shown = featuresOf(tree).filter(isShown);
  if (shown.length === 0) return <Empty>No plan yet. Start from a spec: planwright plan SPEC.md</Empty>;
  return (
    <ul className="plain">
      {shown.map((feature) => {
        const asks = waiting.some(({ about, id, kind }) => kind === "landing" && (about ?? id) === feature.id);
        return (
          <li key={feature.id}>
            <Sign name={asks ? "ask" : feature.status} />
            <a className="name" {...linkTo({ view: "plan", layout: "tree", item: feature.id })}>
              <Plain text={feature.title} />
            </a>
            <span className="hint">{asks ? "ready to land" : reasonWords(feature).short}</span>
            <Bar done={feature.progress?.finished ?? 0} of={feature.progress?.total ?? 0} />
          </li>
        );
      })}
    </ul>
  );
}
