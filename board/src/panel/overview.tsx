// The first tab: the trace, the last output if it is red, text, neighbours, footprint and cost.

import type { ReactNode } from "react";
import { useRead } from "../api/reads.js";
import type { Output as OutputOf, ShownNode } from "../api/types.js";
import { Actor, Age, Bar, useNow } from "../parts/bits.js";
import { LevelLadder } from "../parts/level-ladder.js";
import { Plain } from "../parts/plain.js";
import { Id, Output, Prose } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { dollars, hours, lasted, plural, tokens, when } from "../parts/words.js";
import { Trace } from "./trace.js";

type Traced = OutputOf<"trace">;

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function LastOutput({ node }: { readonly node: ShownNode }) {
  const attempt = useRead("trace", { reference: node.id }).data?.attempt;
  const now = useNow();
  const failed = node.report?.checks.find(({ passed }) => !passed);
  if (!failed || failed.output === "") return null;
  return (
    <>
      <h3>
        Last output{" "}
        <span className="hint">
          {attempt && <Id id={attempt.id} />} {node.report && when(Date.parse(node.report.at), now)}
          {`, ${lasted(failed.durationMs)}`}
        </span>
      </h3>
      <Output text={failed.output} />
    </>
  );
}

function Cost({ task }: { readonly task: string }) {
  const attempts = useRead("attempt.list", { reference: task, all: true }).data;
  if (!attempts || attempts.length === 0) return null;
  const known = attempts.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
  const used = attempts.reduce((sum, attempt) => sum + attempt.tokens, 0);
  const cost = known.length === 0 ? "unknown cost" : dollars(known.reduce((sum, each) => sum + each, 0));
  return (
    <Fact name="Cost">
      {plural(attempts.length, "attempt")}
      {used > 0 && `, ${tokens(used)} tokens, ${cost}`}
    </Fact>
  );
}

const FENCE = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1[`~]*[ \t]*$/gm;

/** Text with its blocks of code; everything stays text. */
function Body({ text }: { readonly text: string }) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(FENCE)) {
    parts.push(<Paragraphs key={from} text={text.slice(from, match.index)} />);
    parts.push(<Output key={match.index} text={match[2] ?? ""} />);
    from = match.index + match[0].length;
  }
  parts.push(<Paragraphs key={`end${from}`} text={text.slice(from)} />);
  return <div className="prose">{parts}</div>;
}

function Paragraphs({ text }: { readonly text: string }) {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== "")
    .map((part, index) => (
      <p key={index}>
        <Prose text={part.trim()} />
      </p>
    ));
}

function Nodes({ nodes, more = 0 }: { readonly nodes: Traced["dependsOn"]; readonly more?: number }) {
  return (
    <>
      {nodes.map(({ id, status, title }) => (
        <span key={id} className="beside" title={title}>
          <Sign name={status} size={12} /> <Id id={id} />
        </span>
      ))}
      {more > 0 && <span className="hint">and {more} more</span>}
    </>
  );
}

/** What stands before and behind it. */
function Neighbours({ node }: { readonly node: ShownNode }) {
  const traced = useRead("trace", { reference: node.id }).data;
  if (!traced) return null;
  const { holdsUp, dependsOn } = traced;
  return (
    <>
      {holdsUp.length > 0 && (
        <Fact name="Holds up">
          <Nodes nodes={holdsUp} />
        </Fact>
      )}
      {dependsOn.length > 0 && (
        <Fact name="Depends on">
          <Nodes nodes={dependsOn} more={node.dependsOnTotal - dependsOn.length} />
        </Fact>
      )}
    </>
  );
}

function Facts({ node }: { readonly node: ShownNode }) {
  const { files, symbols, claim, labels, estimateHours, records } = node;
  return (
    <dl>
      <Neighbours node={node} />
      {(files.length > 0 || symbols.length > 0) && (
        <Fact name="Footprint">
          {[...files, ...symbols].map((file) => (
            <code key={file}>
              <Plain text={file} />
            </code>
          ))}
        </Fact>
      )}
      {node.tier === "task" && <Cost task={node.id} />}
      {claim && (
        <Fact name="Claimed by">
          <Actor name={claim.by} /> <Age since={claim.at} />
        </Fact>
      )}
      {estimateHours !== null && <Fact name="Estimate">{hours(estimateHours)}</Fact>}
      {node.priority !== null && <Fact name="Priority">{node.priority}</Fact>}
      {labels.length > 0 && (
        <Fact name="Labels">
          {labels.map((label) => (
            <span key={label} className="tag">
              <Plain text={label} />
            </span>
          ))}
        </Fact>
      )}
      {records.length > 0 && (
        <Fact name="Records">
          {records.map(({ id, title }) => (
            <span key={id}>
              <span className="id">{id}</span> <Plain text={title} />
            </span>
          ))}
        </Fact>
      )}
    </dl>
  );
}

export function Overview({ node }: { readonly node: ShownNode }) {
  const isTask = node.tier === "task";
  return (
    <>
      {isTask && <Trace node={node} />}
      {!isTask && node.progress && (
        <>
          <h3>Progress</h3>
          <p className="progress-line">
            <Bar done={node.progress.finished} of={node.progress.total} />
          </p>
        </>
      )}
      {node.tier === "feature" && (
        <div className="own-level">
          <LevelLadder of={node.id} />
        </div>
      )}
      <LastOutput node={node} />
      {node.body.trim() !== "" && (
        <>
          <h3>Text</h3>
          <Body text={node.body} />
        </>
      )}
      <Facts node={node} />
      {node.discoveries.length > 0 && (
        <>
          <h3>Discoveries</h3>
          <ul className="rows">
            {node.discoveries.map(({ note, by, at }) => (
              <li key={`${at} ${note}`}>
                <Actor name={by} /> <Prose text={note} />
              </li>
            ))}
          </ul>
        </>
      )}
      {node.comments.length > 0 && (
        <>
          <h3>Comments</h3>
          <ul className="rows">
            {node.comments.map(({ id, text, by, at }) => (
              <li key={id}>
                <Actor name={by} /> <Age since={at} /> <Prose text={text} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
