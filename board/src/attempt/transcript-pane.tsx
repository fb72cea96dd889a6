// What the worker does, line by line. It follows the end until you scroll; `End` follows again, `r` shows the raw text.

import { memo, useEffect, useRef, useState } from "react";
import { transcriptLine } from "../../../src/model/attempt/transcript-line.js";
import type { Output } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { Button } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Empty, Loading } from "../parts/states.js";
import { clockSeconds, plural } from "../parts/words.js";
import { useTranscript } from "./use-transcript.js";

const LogLine = memo(function LogLine({ line, raw }: { readonly line: string; readonly raw: boolean }) {
  const { verb, text, at, tone } = transcriptLine(line);
  if (!raw && text === "") return null;
  return (
    <li className={raw ? "raw" : `${verb} ${tone}`}>
      {!raw && <span className="t">{at === null ? "" : clockSeconds(at)}</span>}
      {!raw && <span className="verb">{verb === "says" ? "" : verb}</span>}
      <span className="said">
        <Plain text={raw ? line : text} />
      </span>
    </li>
  );
});

/** Whether the pane stands at its end, and the way there. */
function useFollow(count: number) {
  const pane = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  const toEnd = (): void => {
    setFollows(true);
    pane.current?.scrollTo({ top: pane.current.scrollHeight });
  };
  const toStart = (): void => {
    setFollows(false);
    pane.current?.scrollTo({ top: 0 });
  };
  useEffect(() => {
    if (follows) pane.current?.scrollTo({ top: pane.current.scrollHeight });
  }, [count, follows]);
  const onScroll = (): void => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = pane.current ?? {};
    setFollows(scrollTop + clientHeight >= scrollHeight - 8);
  };
  return { pane, follows, toEnd, toStart, onScroll };
}

function Lines({ lines, from, raw, isOver }: LinesProps) {
  if (lines.length === 0) {
    return (
      <Empty>
        {isOver ? "The worker wrote nothing, or its transcript was removed." : "The worker has written nothing yet."}
      </Empty>
    );
  }
  return (
    <ol>
      {lines.map((line, index) => (
        <LogLine key={from + index} line={line} raw={raw} />
      ))}
    </ol>
  );
}

interface LinesProps {
  readonly lines: readonly string[];
  readonly from: number;
  readonly raw: boolean;
  readonly isOver: boolean;
}

export function TranscriptPane({ attempt }: { readonly attempt: Output<"attempt.show"> }) {
  const { lines, from, loading, loadEarlier } = useTranscript(attempt);
  const [raw, setRaw] = useState(false);
  const { pane, follows, toEnd, toStart, onScroll } = useFollow(from + lines.length);
  const isOver = attempt.endedAt !== null;
  useKeys({ End: toEnd, Home: toStart, r: () => setRaw((known) => !known) });
  return (
    <section className="live-pane" aria-label="Transcript">
      <header className="sec">
        <h2>Transcript</h2>
        <span className="grow" />
        {from > 0 && (
          <Button kind="quiet" onClick={loadEarlier}>
            {plural(from, "earlier line")}
          </Button>
        )}
        <Button kind="quiet" k="r" pressed={raw} onClick={() => setRaw(!raw)}>
          Raw
        </Button>
      </header>
      <div
        className="log"
        ref={pane}
        tabIndex={0}
        role="region"
        aria-label="What the worker did"
        aria-live="off"
        onScroll={onScroll}
      >
        {loading ? <Loading rows={8} /> : <Lines lines={lines} from={from} raw={raw} isOver={isOver} />}
      </div>
      <footer className="follow">
        <i className={follows ? "on" : ""} />
        {follows ? "Follows the end" : "Scrolled away from the end"}
        <span className="grow" />
        <Button kind="quiet" k="Home" onClick={toStart}>
          From the start
        </Button>
        <Button kind="quiet" k="End" onClick={toEnd}>
          To the end
        </Button>
      </footer>
    </section>
  );
}
