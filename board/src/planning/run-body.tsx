// The spec with its coverage beside the draft. Picking a line lights up its tasks, and the reverse.

import { useMemo, useState } from "react";
import { useRead } from "../api/reads.js";
import { useKeys } from "../frame/keys.js";
import { Loading } from "../parts/states.js";
import { parseDraft, specLines } from "./coverage.js";
import { DraftPane } from "./draft-pane.js";
import { SpecPane } from "./spec-pane.js";
import type { Run } from "./types.js";

function useArtifact(key: string | undefined): string | undefined {
  const { data } = useRead("show", key === undefined ? null : { reference: key });
  return data && "text" in data && typeof data.text === "string" ? data.text : undefined;
}

export function RunBody({ run }: { readonly run: Run }) {
  const spec = useArtifact(run.artifacts["spec"]);
  const drafted = useArtifact(run.artifacts["draft"]);
  const [lit, setLit] = useState<{ readonly lines: readonly number[]; readonly tasks: readonly string[] }>(NOTHING);
  const draft = useMemo(() => (drafted === undefined ? undefined : parseDraft(drafted)), [drafted]);
  const lines = useMemo(
    () => specLines(spec ?? "", draft, run.coverage?.unclear.map(({ line }) => line) ?? []),
    [spec, draft, run.coverage],
  );
  const open = lines.filter(({ state }) => state === "uncovered").map(({ number }) => number);
  const jump = (by: number): void => {
    const at = open.indexOf(lit.lines[0] ?? 0);
    const next = open[(at + by + open.length) % open.length];
    if (next !== undefined) setLit({ lines: [next], tasks: [] });
  };
  useKeys(open.length > 0 ? { n: () => jump(1), p: () => jump(-1) } : {});
  if (spec === undefined) return <Loading />;
  return (
    <div className="pair">
      <SpecPane
        run={run}
        lines={lines}
        lit={lit.lines}
        pick={(line) => setLit({ lines: [line.number], tasks: line.tasks })}
      />
      <DraftPane
        run={run}
        draft={draft}
        lines={lines}
        lit={lit.tasks}
        pick={(id) =>
          setLit({ tasks: [id], lines: lines.filter(({ tasks }) => tasks.includes(id)).map(({ number }) => number) })
        }
      />
    </div>
  );
}

const NOTHING = { lines: [], tasks: [] };
