// The draft: features, stories and tasks with their checks and the lines they come from; below, the findings by round.

import { Code, Plain } from "../parts/plain.js";
import { Line, Sign } from "../parts/sign.js";
import { Empty } from "../parts/states.js";
import { hours, plural } from "../parts/words.js";
import { type Draft, type DraftTask, rangesOf, type SpecLine } from "./coverage.js";
import { Findings } from "./findings.js";
import type { Run } from "./types.js";

/** As many ranges of lines as a row has room for; the others show on hover. */
const RANGES = 2;

interface PaneProps {
  readonly run: Run;
  readonly draft: Draft | undefined;
  readonly lines: readonly SpecLine[];
  readonly lit: readonly string[];
  readonly pick: (id: string) => void;
}

function Task({
  task,
  lines,
  lit,
  pick,
}: { readonly task: DraftTask; readonly lit: boolean; readonly pick: () => void } & Pick<PaneProps, "lines">) {
  const from = rangesOf(lines.filter(({ tasks }) => tasks.includes(task.id)).map(({ number }) => number));
  const more = from.length > RANGES ? " …" : "";
  return (
    <li className={`task${lit ? " lit" : ""}`}>
      <button type="button" onClick={pick} aria-pressed={lit}>
        <span className="id">{task.id.replace(/^T-/, "")}</span>
        <span className="name">
          <b>
            <Plain text={task.title} />
          </b>
          {task.kind !== "work" && task.kind !== "" && <span className="tag">{task.kind}</span>}
          {task.steelThread && <span className="tag">steel thread</span>}
          {task.checks.map(({ run, terms }) => (
            <code key={[run, ...terms].join("\n")}>
              <Code text={[run, ...terms].join("; ")} />
            </code>
          ))}
        </span>
        <span className="num" title={from.length > 0 ? `Lines ${from.join(", ")}` : undefined}>
          {from.length > 0 && `L${from.slice(0, RANGES).join(", ")}${more}`}
        </span>
        <span className="num">{task.estimateHours === null ? "" : hours(task.estimateHours)}</span>
      </button>
    </li>
  );
}

function Group({
  id,
  title,
  draft,
  ...rest
}: { readonly id: string; readonly title: string; readonly draft: Draft } & Omit<PaneProps, "draft" | "run">) {
  const tasks = draft.tasks.filter(({ parent }) => parent === id);
  return (
    <>
      <li className="story">
        <Sign name="planned" size={13} />
        <b>
          <Plain text={title} />
        </b>
      </li>
      {tasks.map((task) => (
        <Task
          key={task.id}
          task={task}
          lines={rest.lines}
          lit={rest.lit.includes(task.id)}
          pick={() => rest.pick(task.id)}
        />
      ))}
    </>
  );
}

export function DraftPane({ run, draft, ...rest }: PaneProps) {
  if (!draft) {
    return (
      <section className="draft" aria-label="Draft">
        <header className="sec">
          <h2>Draft</h2>
        </header>
        <Empty>No draft yet: it comes with the stage tasks.</Empty>
      </section>
    );
  }
  const { features, stories, tasks } = draft;
  const counts = [
    plural(features.length, "feature"),
    plural(stories.length, "story", "stories"),
    plural(tasks.length, "task"),
  ];
  return (
    <section className="draft" aria-label="Draft" tabIndex={0}>
      <header className="sec">
        <h2>Draft</h2>
        <span className="count">{counts.join(", ")}</span>
        <span className="grow" />
        {run.work && (
          <span className="hint">
            {plural(run.work.waves, "wave")}, {hours(run.work.longestPathHours)} on the longest path
          </span>
        )}
      </header>
      <ul>
        {features.map((feature) => (
          <Group key={feature.id} id={feature.id} title={feature.title} draft={draft} {...rest} />
        ))}
        {stories.map((story) => (
          <Group key={story.id} id={story.id} title={story.title} draft={draft} {...rest} />
        ))}
        {features.map(({ id, title }) => (
          <li key={`land ${id}`} className="land">
            <Line name="land" size={14} /> Land: <Plain text={title} /> <span className="tag">land</span>
          </li>
        ))}
      </ul>
      <Findings run={run} />
    </section>
  );
}
