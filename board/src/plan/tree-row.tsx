// One line of the tree: the node, why it stands there, and its progress or its checks.

import { type CSSProperties, memo, useRef } from "react";
import type { AttemptRow, StatusTree } from "../api/types.js";
import { go } from "../frame/route.js";
import { Bar, useNow } from "../parts/bits.js";
import { Plain } from "../parts/plain.js";
import { Line, Sign } from "../parts/sign.js";
import { dropHandlers } from "./drag.js";
import type { DropPlace } from "./drop-place.js";
import { setOpen } from "./open-branches.js";
import { isBlank } from "./pages.js";
import { reasonWords } from "./reason-words.js";
import { runningWords } from "./running.js";
import { toggleSelected } from "./selection.js";

export interface RowProps {
  readonly node: StatusTree;
  readonly depth: number;
  readonly open: boolean | null;
  /** Its panel is open. */
  readonly shown: boolean;
  /** `x` selected it. */
  readonly picked: boolean;
  readonly current: boolean;
  readonly asks: boolean;
  readonly attempt: AttemptRow | undefined;
  readonly index: number;
  readonly mayMove: boolean;
  readonly drop: DropPlace["where"] | null;
}

function Running({ attempt }: { readonly attempt: AttemptRow }) {
  return <span className="stands">{runningWords(attempt, useNow())}</span>;
}

function Reason({ node, asks, attempt }: Pick<RowProps, "node" | "asks" | "attempt">) {
  if (attempt) return <Running attempt={attempt} />;
  const { short, asks: isForYou } = reasonWords(node);
  const words = short === "" && asks ? "waits for you" : short;
  if (words === "") return null;
  const forYou = isForYou || (asks && short === "");
  return (
    <span className={`stands${forYou ? " ask" : ""}`} title={words}>
      {forYou && <Sign name="ask" size={12} />}
      <span>
        <Plain text={words} />
      </span>
    </span>
  );
}

const MOST_SQUARES = 8;

/** A green square passed, a red diamond failed, a hollow one has not run. */
function CheckSquares({ checks }: { readonly checks: StatusTree["checks"] }) {
  const passed = checks.filter((each) => each === true).length;
  const failed = checks.filter((each) => each === false).length;
  const words = `${passed} of ${checks.length} checks passed${failed > 0 ? `, ${failed} failed` : ""}`;
  return (
    <span className="check-squares" role="img" aria-label={words} title={words}>
      {checks.slice(0, MOST_SQUARES).map((each, index) => (
        <i key={index} className={each === null ? "" : each ? "prove" : "stop"} />
      ))}
    </span>
  );
}

function Twist({ id, open }: { readonly id: string; readonly open: boolean }) {
  return (
    <button
      type="button"
      className="twist"
      tabIndex={-1}
      aria-label={open ? `Close ${id}` : `Open ${id}`}
      onClick={(event) => {
        event.stopPropagation();
        setOpen(id, !open);
      }}
    >
      <Line name={open ? "down" : "right"} size={12} />
    </button>
  );
}

function Name({ node, open }: Pick<RowProps, "node" | "open">) {
  const { id, title, kind, status, priority } = node;
  return (
    <div role="gridcell" className="name">
      {open === null ? <span className="leaf" /> : <Twist id={id} open={open} />}
      <Sign name={status} />
      <span className="id">{id}</span>
      <span className="title" title={title}>
        <Plain text={title} />
      </span>
      {kind !== "work" && kind !== null && <span className="tag">{kind}</span>}
      {priority !== null && (
        <span className="tag" title={`Priority ${priority}: 0 is the most urgent`}>
          P{priority}
        </span>
      )}
    </div>
  );
}

/** By itself a row would be called by all that is in it, beginning with the button that opens it. */
function spokenRow(node: StatusTree): string {
  const { id, title, status } = node;
  const { short } = reasonWords(node);
  return [`${id} ${title}`, status.replace("_", " "), ...(short === "" ? [] : [short])].join(", ");
}

/** Undefined until it changes; then 1, 0, 1 … with each change. */
function useChanges(value: string): number | undefined {
  const before = useRef({ value, times: 0 });
  if (before.current.value !== value) before.current = { value, times: before.current.times + 1 };
  return before.current.times === 0 ? undefined : before.current.times % 2;
}

/** A row that is not loaded yet keeps its place. */
function BlankRow({ depth, index }: Pick<RowProps, "depth" | "index">) {
  return (
    <div
      role="row"
      aria-level={depth + 1}
      aria-rowindex={index + 2}
      aria-busy="true"
      className="node blank"
      style={{ "--depth": depth, "--row": index } as CSSProperties}
    >
      <div role="gridcell" className="name">
        <span className="leaf" />
        <i className="grey-bar" />
      </div>
    </div>
  );
}

export const Row = memo(function Row(props: RowProps) {
  const { node, depth, open, shown, picked, current, asks, attempt, index, mayMove, drop } = props;
  const { id, tier, status, progress, checks } = node;
  const look = `node ${tier} ${status}${current ? " current" : ""}${picked ? " picked" : ""}${drop ? ` drop-${drop}` : ""}`;
  const changes = useChanges(status);
  if (isBlank(node)) return <BlankRow depth={depth} index={index} />;
  return (
    <div
      role="row"
      id={`row-${id}`}
      aria-label={spokenRow(node)}
      aria-level={depth + 1}
      aria-rowindex={index + 2}
      aria-expanded={open ?? undefined}
      aria-selected={shown || picked}
      className={look}
      data-changed={changes}
      style={{ "--depth": depth, "--row": index } as CSSProperties}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) toggleSelected(id);
        else go({ item: id, tab: "overview" });
      }}
      {...(mayMove && dropHandlers(node))}
    >
      <Name node={node} open={open} />
      <div role="gridcell" className="why-cell">
        <Reason node={node} asks={asks} attempt={attempt} />
      </div>
      <div role="gridcell" className="tail">
        {progress && progress.total > 0 && <Bar done={progress.finished} of={progress.total} />}
        {!progress && checks.length > 0 && <CheckSquares checks={checks} />}
      </div>
    </div>
  );
});
