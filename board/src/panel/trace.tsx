// The chain from the spec to the commit, and how strong its proof is.

import type { ReactNode } from "react";
import { useRead } from "../api/reads.js";
import type { Output, ShownNode } from "../api/types.js";
import { Actor } from "../parts/bits.js";
import { Plain } from "../parts/plain.js";
import { Id } from "../parts/prose.js";
import { Sign, type SignName } from "../parts/sign.js";
import { Shown } from "../parts/states.js";
import { date } from "../parts/words.js";

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

type Traced = Output<"trace">;

function SpecLine({ spec, createdBy }: { readonly spec: Traced["spec"]; readonly createdBy: string }) {
  if (spec === null) {
    return (
      <Link sign="pending" label="Spec">
        Added by hand, by <Actor name={createdBy} />
      </Link>
    );
  }
  const [first] = spec.lines;
  const where = `${spec.file ?? spec.artifact}${first === undefined ? "" : `, line ${first.line}`}`;
  return (
    <Link
      sign="done"
      label="Spec"
      more={
        <>
          <Plain text={where} /> <Id id={spec.run} />
        </>
      }
    >
      {first === undefined ? (
        "Planned from a spec"
      ) : (
        <q>
          <Plain text={first.text.replace(/^[-*#\s]+/, "")} />
        </q>
      )}
    </Link>
  );
}

function Approval({ approval }: { readonly approval: Traced["approval"] }) {
  if (approval === null) {
    return (
      <Link sign="pending" label="Task">
        Not approved
      </Link>
    );
  }
  return (
    <Link sign={approval.stale ? "ask" : "done"} label="Task">
      {approval.stale ? "Changed since it was approved by " : "Approved by "}
      <Actor name={approval.by} /> {date(Date.parse(approval.at))}, content{" "}
      <span className="id">{approval.hash.slice(0, 8)}</span>
    </Link>
  );
}

function Checks({ checks }: { readonly checks: Traced["checks"] }) {
  if (checks.length === 0) {
    return (
      <Link sign="pending" label="Check">
        None: a person decides
      </Link>
    );
  }
  return checks.map(({ run, passed, outcome, shows }) => (
    <Link
      key={run}
      sign={passed === null ? "pending" : passed ? "done" : "rejected"}
      label="Check"
      more={
        passed === null ? "Not run yet" : [outcome, shows].filter((words) => words !== null && words !== "").join("; ")
      }
    >
      <code>
        <Plain text={run} />
      </code>
    </Link>
  ));
}

function Commit({ commit, kept, attempt, proof }: Pick<Traced, "commit" | "kept" | "attempt" | "proof">) {
  if (commit === null) {
    return (
      <Link
        sign="pending"
        label="Commit"
        more={
          kept !== null &&
          attempt && (
            <>
              The work is kept, of <Id id={attempt.id} />
            </>
          )
        }
      >
        None on the feature’s branch
      </Link>
    );
  }
  return (
    <Link sign="done" label="Commit" more={proof && `${proof.strength} proof: ${proof.words}`}>
      <span className="id">{commit.commit.slice(0, 10)}</span> {commit.landed ? "on main" : "on the feature’s branch"}
    </Link>
  );
}

export function Trace({ node }: { readonly node: ShownNode }) {
  const read = useRead("trace", { reference: node.id });
  return (
    <>
      <h3>Trace</h3>
      <Shown read={read} rows={4}>
        {({ spec, approval, checks, ...rest }) => (
          <ol className="trace">
            <SpecLine spec={spec} createdBy={node.createdBy} />
            <Approval approval={approval} />
            {node.kind === "work" && <Checks checks={checks} />}
            {node.kind === "work" && <Commit {...rest} />}
          </ol>
        )}
      </Shown>
    </>
  );
}
