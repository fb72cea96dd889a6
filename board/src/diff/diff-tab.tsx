// What the latest attempt at a task changed.

import { useRead } from "../api/reads.js";
import { Id } from "../parts/prose.js";
import { Empty, Shown } from "../parts/states.js";
import { DiffFiles } from "./diff-files.js";
import { hasDiff } from "./has-diff.js";

function AttemptDiff({ id, footprint }: { readonly id: string; readonly footprint: readonly string[] }) {
  const read = useRead("attempt.diff", { id });
  return (
    <Shown read={read} rows={4}>
      {({ diff }) => <DiffFiles diff={diff} footprint={footprint} />}
    </Shown>
  );
}

export default function DiffTab({ task, files }: { readonly task: string; readonly files: readonly string[] }) {
  const read = useRead("attempt.list", { reference: task, all: true });
  return (
    <Shown read={read} rows={3}>
      {([latest]) =>
        latest ? (
          <>
            <p className="hint">
              By <Id id={latest.id} />, {latest.state}
            </p>
            {hasDiff(latest) ? (
              <AttemptDiff id={latest.id} footprint={files} />
            ) : (
              <Empty>Nothing was changed yet.</Empty>
            )}
          </>
        ) : (
          <Empty>Nothing was changed yet.</Empty>
        )
      }
    </Shown>
  );
}
