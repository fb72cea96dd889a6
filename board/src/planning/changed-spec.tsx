// A spec that changed since the run began, or between its rounds: the old and the new lines.

import { useRead } from "../api/reads.js";
import { Plain } from "../parts/plain.js";
import { plural } from "../parts/words.js";
import { changedLines } from "./changed-lines.js";
import type { Run } from "./types.js";

function useText(reference: string | undefined): string | undefined {
  const { data } = useRead("show", reference === undefined ? null : { reference });
  return data && "text" in data && typeof data.text === "string" ? data.text : undefined;
}

export function ChangedSpec({ run }: { readonly run: Run }) {
  const specs = useRead("artifact.list", { run: run.id, kind: "spec" }).data ?? [];
  const [now, before] = specs.toSorted((a, b) => b.round - a.round || (a.id < b.id ? 1 : -1));
  const after = useText(before && now?.id);
  const old = useText(before?.id);
  const stale = now?.stale ?? null;
  const changes = old === undefined || after === undefined ? [] : changedLines(old, after);
  if (stale === null && changes.length === 0) return null;
  return (
    <div className="changed-spec">
      {stale !== null && <p className="hint ask">The spec is not up to date: {stale}</p>}
      {changes.length > 0 && (
        <details open>
          <summary>{plural(changes.length, "line")} changed since the round before</summary>
          <pre className="diff framed">
            {changes.map(({ sign, text }, index) => (
              <i key={index} className={sign === "+" ? "add" : "del"}>
                {sign} <Plain text={text} />
              </i>
            ))}
          </pre>
        </details>
      )}
    </div>
  );
}
