// What stands in place of a plan before there is one: what waits for your approval, or how to begin.

import { useRead } from "../api/reads.js";
import { Id } from "./prose.js";
import { Empty } from "./states.js";
import { StepButton } from "./step-button.js";

export function NoPlan() {
  const { data } = useRead("waiting", { limit: 50 });
  const run = data?.entries.find(({ kind }) => kind === "plan");
  const approve = run?.next.find(({ operation }) => operation === "approve");
  if (!run?.id || !approve) return <Empty>No plan yet. Start one in a terminal, from a spec or an idea.</Empty>;
  return (
    <Empty button={<StepButton step={approve} beside={run.id} />}>
      <Id id={run.id} /> waits for your approval.
    </Empty>
  );
}
