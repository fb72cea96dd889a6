// The tabs of a node, with what is in them counted.

import { Suspense } from "react";
import { useRead } from "../api/reads.js";
import type { ShownNode } from "../api/types.js";
import { hasDiff } from "../diff/has-diff.js";
import { parseDiff } from "../diff/parse-diff.js";
import { TABS, type Tab } from "../frame/address.js";
import { linkTo, usePlace } from "../frame/route.js";
import { later } from "../parts/later.js";
import { Loading } from "../parts/states.js";
import { upperFirst } from "../parts/words.js";
import { AttemptsTab } from "./attempts-tab.js";
import { ChecksTab } from "./checks-tab.js";
import { HISTORY_SHOWN, HistoryTab } from "./history-tab.js";
import { Overview } from "./overview.js";

const DiffTab = later(() => import("../diff/diff-tab.js"));

/** Lines that the latest attempt added and removed. */
function useDiffCount(node: ShownNode): string {
  const latest = useRead("attempt.list", node.attempts > 0 ? { reference: node.id, all: true } : null).data?.[0];
  const diff = useRead("attempt.diff", latest && hasDiff(latest) ? { id: latest.id } : null).data?.diff;
  if (diff === undefined) return "";
  const files = parseDiff(diff);
  const sum = (of: "added" | "removed"): number => files.reduce((lines, file) => lines + file[of], 0);
  return `+${sum("added")} −${sum("removed")}`;
}

function useCounts(node: ShownNode): Partial<Record<Tab, string>> {
  const log = useRead("log", { reference: node.id, limit: HISTORY_SHOWN }).data;
  const checks = node.report?.checks ?? [];
  return {
    checks: node.checks.length === 0 ? "" : `${checks.filter(({ passed }) => passed).length}/${node.checks.length}`,
    attempts: node.attempts > 0 ? String(node.attempts) : "",
    diff: useDiffCount(node),
    history: log ? `${log.operations.length}${log.more ? "+" : ""}` : "",
  };
}

function Links({ node }: { readonly node: ShownNode }) {
  const { tab, item } = usePlace();
  const counts = useCounts(node);
  const isTask = node.tier === "task";
  return (
    <nav className="tabs" aria-label="About this node">
      {TABS.filter((each) => isTask || each === "overview" || each === "history").map((each) => (
        <a key={each} aria-current={each === tab ? "page" : undefined} {...linkTo({ item, tab: each })}>
          {upperFirst(each)} {counts[each] !== undefined && <span className="count">{counts[each]}</span>}
        </a>
      ))}
    </nav>
  );
}

function Body({ node }: { readonly node: ShownNode }) {
  const { tab } = usePlace();
  if (tab === "checks") return <ChecksTab node={node} />;
  if (tab === "attempts") return <AttemptsTab task={node.id} />;
  if (tab === "history") return <HistoryTab id={node.id} />;
  if (tab === "diff") {
    return (
      <Suspense fallback={<Loading rows={3} />}>
        <DiffTab task={node.id} files={node.files} />
      </Suspense>
    );
  }
  return <Overview node={node} />;
}

export function PanelTabs({ node }: { readonly node: ShownNode }) {
  return (
    <>
      <Links node={node} />
      <Body node={node} />
    </>
  );
}
