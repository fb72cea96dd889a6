// The chain from the spec to the commit, and how strong its proof is.

import type { ReactNode } from "react";
import { useRead } from "../api/reads.js";
import type { ShownNode } from "../api/types.js";
import { Actor } from "../parts/bits.js";
import { Id, Plain } from "../parts/prose.js";
import { Sign, type SignName } from "../parts/sign.js";
import { date, plural } from "../parts/words.js";

function Link({
  sign,
  label,
  children,
  more,
}: {
  readonly sign: SignName;
  readonly label: string;
  readonly children: ReactNode;
  readonly more?: ReactNode;
}) {
  return (
    <li>
      <Sign name={sign} />
      <span className="label">{label}</span>
      <div>
        {children}
        {more && <small>{more}</small>}
      </div>
    </li>
  );
}

/** The line of the spec itself, from the copy that the run kept. */
function SpecLine({ origin }: { readonly origin: NonNullable<ShownNode["origin"]> }) {
  const artifact = useRead("show", origin.spec === null ? null : { reference: origin.spec.artifact }).data;
  const line = origin.spec?.lines[0];
  const text = artifact && "text" in artifact && typeof artifact.text === "string" ? artifact.text : "";
  const quote = line === undefined ? "" : (text.split("\n")[line - 1] ?? "").replace(/^[-*#\s]+/, "");
  const where =
    origin.spec === null
      ? null
      : `${origin.spec.file ?? origin.spec.artifact}${line === undefined ? "" : `, line ${line}`}`;
  return (
    <Link
      sign="done"
      label="Spec"
      more={
        <>
          {where} <Id id={origin.run} />
        </>
      }
    >
      {quote === "" ? (
        "Planned from a spec"
      ) : (
        <q>
          <Plain text={quote} />
        </q>
      )}
    </Link>
  );
}

function strengthOf(check: NonNullable<ShownNode["report"]>["checks"][number]): string {
  if (!check.passed) return "";
  if (check.before === undefined) return "";
  const how = check.before.passed ? "green → green, a weak proof" : "red → green";
  return check.before.on === "tests" ? `${how}, with only the new tests` : how;
}

function Checks({ node }: { readonly node: ShownNode }) {
  const results = node.report?.checks ?? [];
  if (node.checks.length === 0) {
    return (
      <Link sign="pending" label="Check">
        None: a person decides
      </Link>
    );
  }
  return node.checks.map(({ run }) => {
    const result = results.find((each) => each.run === run);
    const sign = result === undefined ? "pending" : result.passed ? "done" : "rejected";
    const proof = result ? strengthOf(result) : "";
    return (
      <Link
        key={run}
        sign={sign}
        label="Check"
        more={
          result ? (
            <>
              {result.outcome}
              {proof !== "" && `; ${proof}`}
            </>
          ) : (
            "Not run yet"
          )
        }
      >
        <code>
          <Plain text={run} />
        </code>
      </Link>
    );
  });
}

function Commit({ node }: { readonly node: ShownNode }) {
  const attempts = useRead("attempt.list", { reference: node.id, all: true }).data;
  const kept = attempts?.find((attempt) => attempt.kept !== null);
  const commit = node.report?.commit ?? null;
  if (commit !== null && node.outcome !== null) {
    const changed = (node.report?.created.length ?? 0) + (node.report?.modified.length ?? 0);
    return (
      <Link sign="done" label="Commit" more={changed > 0 ? plural(changed, "file") : undefined}>
        <span className="id">{commit.slice(0, 10)}</span> on the feature’s branch
      </Link>
    );
  }
  return (
    <Link
      sign="pending"
      label="Commit"
      more={
        kept && (
          <>
            The work is kept: <Id id={kept.id} />
          </>
        )
      }
    >
      None on the feature’s branch
    </Link>
  );
}

export function Trace({ node }: { readonly node: ShownNode }) {
  const { approval, origin } = node;
  return (
    <>
      <h3>Trace</h3>
      <ol className="trace">
        {origin ? (
          <SpecLine origin={origin} />
        ) : (
          <Link sign="pending" label="Spec">
            Added by hand, by <Actor name={node.createdBy} />
          </Link>
        )}
        <Link sign={approval === null ? "pending" : approval.stale ? "ask" : "done"} label="Task">
          {approval === null ? (
            "Not approved"
          ) : (
            <>
              {approval.stale ? "Changed since it was approved by " : "Approved by "}
              <Actor name={approval.by} /> {date(Date.parse(approval.at))}
            </>
          )}
        </Link>
        {node.kind === "work" && <Checks node={node} />}
        {node.kind === "work" && <Commit node={node} />}
      </ol>
    </>
  );
}
