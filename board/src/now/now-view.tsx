// Now: what waits for you, what runs, what is stuck and what frees it.

import { useRead } from "../api/reads.js";
import { linkTo } from "../frame/route.js";
import { Heading, PageHead } from "../parts/bits.js";
import { Shown } from "../parts/states.js";
import { plural } from "../parts/words.js";
import { Features } from "./features.js";
import { Lately } from "./lately.js";
import { PauseButton } from "./pause-button.js";
import { isRunning, Running } from "./running.js";
import { Spend } from "./spend.js";
import { Stuck } from "./stuck.js";
import { WaitingCards } from "./waiting-cards.js";

function summary(waiting: number, running: number, stuck: number): string {
  const waits =
    waiting === 0
      ? "Nothing waits for you."
      : `${plural(waiting, "thing")} ${waiting === 1 ? "waits" : "wait"} for you.`;
  const runs = running === 0 ? "Nothing runs." : `${plural(running, "attempt")} ${running === 1 ? "runs" : "run"}.`;
  const held = stuck === 0 ? "Nothing is stuck." : `${plural(stuck, "task")} ${stuck === 1 ? "is" : "are"} stuck.`;
  return `${waits} ${runs} ${held}`;
}

/** The right column: what runs, the features, and what happened lately. */
function Side({ status, attempts, waiting }: Reads) {
  const running = attempts.data?.filter(isRunning) ?? [];
  return (
    <div>
      <section aria-label="Running">
        <Heading title="Running" count={running.length} />
        <Shown read={attempts} rows={2}>
          {() => <Running attempts={running} level={status.data?.level ?? null} />}
        </Shown>
      </section>
      <section aria-label="Features">
        <Heading title="Features" />
        <Shown read={status} rows={4}>
          {({ tree }) => <Features tree={tree} waiting={waiting.data?.entries ?? []} />}
        </Shown>
      </section>
      <section aria-label="Lately">
        <Heading title="Lately">
          <a className="hint link" {...linkTo({ view: "history", item: null })}>
            All of it
          </a>
        </Heading>
        <Lately />
      </section>
    </div>
  );
}

interface Reads {
  readonly waiting: ReturnType<typeof useRead<"waiting">>;
  readonly status: ReturnType<typeof useRead<"status">>;
  readonly attempts: ReturnType<typeof useRead<"attempt.list">>;
}

export function NowView() {
  const waiting = useRead("waiting", { limit: 50 });
  const status = useRead("status", {});
  const attempts = useRead("attempt.list", {});
  const stuck = useRead("stuck", {});
  const running = attempts.data?.filter(isRunning).length ?? 0;
  return (
    <>
      <PageHead
        title="Now"
        tools={
          <>
            <Spend />
            <PauseButton />
          </>
        }
      >
        {waiting.data && stuck.data ? summary(waiting.data.total, running, stuck.data.tasks) : " "}
      </PageHead>
      <div className="cols">
        <div>
          <section aria-label="Waits for you">
            <Heading title="Waits for you" count={waiting.data?.total}>
              {(waiting.data?.total ?? 0) > 1 && <span className="hint">most held up first</span>}
            </Heading>
            <Shown read={waiting}>{({ entries }) => <WaitingCards entries={entries} />}</Shown>
          </section>
          <Stuck data={stuck.data} />
        </div>
        <Side waiting={waiting} status={status} attempts={attempts} />
      </div>
    </>
  );
}
