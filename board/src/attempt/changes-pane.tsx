// What an attempt changed, how its checks ended, and the trace of its task.

import { useRead } from "../api/reads.js";
import type { Output, ShownNode } from "../api/types.js";
import { DiffFiles, outsideOf } from "../diff/diff-files.js";
import { hasDiff } from "../diff/has-diff.js";
import { parseDiff } from "../diff/parse-diff.js";
import { Trace } from "../panel/trace.js";
import { Plain } from "../parts/plain.js";
import { Output as OutputText } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { Shown } from "../parts/states.js";
import { plural } from "../parts/words.js";

type Attempt = Output<"attempt.show">;

function Heading({ attempt, node }: { readonly attempt: Attempt; readonly node: ShownNode | undefined }) {
  const diff = useRead("attempt.diff", hasDiff(attempt) ? { id: attempt.id } : null).data;
  const files = diff ? parseDiff(diff.diff) : [];
  const sum = (of: "added" | "removed"): number => files.reduce((lines, file) => lines + file[of], 0);
  const [outside, ...others] = node ? outsideOf(files, node.files) : [];
  return (
    <header className="sec">
      <h2>{attempt.endedAt === null ? "Changes so far" : "Changes"}</h2>
      {files.length > 0 && (
        <span className="count">
          {plural(files.length, "file")}, +{sum("added")} −{sum("removed")}
        </span>
      )}
      <span className="grow" />
      {outside && (
        <span className="hint outside">
          <code>
            <Plain text={outside.path} />
          </code>{" "}
          {others.length > 0 ? `and ${others.length} more are outside its footprint` : "is outside its footprint"}
        </span>
      )}
    </header>
  );
}

function Checks({ attempt, node }: { readonly attempt: Attempt; readonly node: ShownNode | undefined }) {
  const ran = attempt.mergedChecks.length > 0 ? attempt.mergedChecks : attempt.checks;
  const where =
    attempt.mergedChecks.length > 0
      ? "ran on the merged tree"
      : "run after the worker hands in, then again on the merged tree";
  return (
    <>
      <h3>
        Checks <span className="hint">{where}</span>
      </h3>
      <ul className="check-list">
        {(ran.length > 0 ? ran : (node?.checks ?? [])).map((check) => (
          <li key={check.run}>
            <p className="check-line">
              <Sign name={"passed" in check ? (check.passed ? "done" : "rejected") : "pending"} />
              <code>
                <Plain text={check.run} />
              </code>
              <span className="grow" />
              <span className="num">{"passed" in check ? check.outcome : "not run yet"}</span>
            </p>
            {"output" in check && check.output !== "" && !check.passed && <OutputText text={check.output} />}
          </li>
        ))}
      </ul>
    </>
  );
}

export function ChangesPane({ attempt, node }: { readonly attempt: Attempt; readonly node: ShownNode | undefined }) {
  const diff = useRead("attempt.diff", hasDiff(attempt) ? { id: attempt.id } : null);
  return (
    <section className="live-pane side" aria-label="Changes and checks" tabIndex={0}>
      <Heading attempt={attempt} node={node} />
      <div className="inset">
        {!hasDiff(attempt) ? (
          <p className="hint">Nothing was changed yet.</p>
        ) : diff.error ? (
          <p className="hint">
            <Plain text={diff.error.message} />
          </p>
        ) : (
          <Shown read={diff} rows={3}>
            {({ diff: text }) => <DiffFiles diff={text} footprint={node?.files ?? []} />}
          </Shown>
        )}
        <Checks attempt={attempt} node={node} />
        {node && <Trace node={node} />}
      </div>
    </section>
  );
}
