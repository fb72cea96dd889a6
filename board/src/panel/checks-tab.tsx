// Every check: the command, what is expected, how it ended last, and its output.

import { checkTerms } from "../../../src/model/node/check-terms.js";
import type { ShownNode } from "../api/types.js";
import { Code } from "../parts/plain.js";
import { Output } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { Empty } from "../parts/states.js";
import { lasted } from "../parts/words.js";

const wordsOf = ({ passed, before }: NonNullable<ShownNode["report"]>["checks"][number]): string => {
  if (before === undefined) return passed ? "not compared with the state before" : "";
  return before.passed ? "it passed before the change as well: a weak proof" : "it failed before the change";
};

export function ChecksTab({ node }: { readonly node: ShownNode }) {
  if (node.checks.length === 0) return <Empty>No checks: a person decides whether it is done.</Empty>;
  const results = node.report?.checks ?? [];
  return (
    <ul className="check-list">
      {node.checks.map((check) => {
        const result = results.find(({ run }) => run === check.run);
        return (
          <li key={[check.run, ...checkTerms(check)].join("\n")}>
            <p className="check-line">
              <Sign name={result === undefined ? "pending" : result.passed ? "done" : "rejected"} />
              <code>
                <Code text={check.run} />
              </code>
              <span className="grow" />
              <span className="num">{result ? lasted(result.durationMs) : "not run"}</span>
            </p>
            {checkTerms(check).length > 0 && (
              <p className="hint">
                <Code text={checkTerms(check).join("; ")} />
              </p>
            )}
            {result && (
              <p className="hint">
                {result.outcome}
                {wordsOf(result) !== "" && `; ${wordsOf(result)}`}
                {result.flaky && "; it failed and passed on the same tree"}
              </p>
            )}
            {result && result.output !== "" && <Output text={result.output} />}
          </li>
        );
      })}
    </ul>
  );
}
