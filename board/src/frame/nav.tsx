// The rail: workspace, palette, views, the level, and the connection.

import { useRead } from "../api/reads.js";
import { session } from "../api/session.js";
import { useSignal } from "../api/signal.js";
import { Key } from "../parts/button.js";
import { Line } from "../parts/sign.js";
import { upperFirst } from "../parts/words.js";
import { VIEWS } from "./address.js";
import { Foot } from "./foot.js";
import { openPalette } from "./palette.js";
import { linkTo, usePlace } from "./route.js";

const RUNS_SHOWN: ReadonlySet<string> = new Set(["waiting", "ready", "running", "halted"]);

export function Mark() {
  return (
    <svg className="mark-sign" width="20" height="20" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2.500 13.500v-11L8 7l5.500-4.500v11" />
      <path className="amber" d="M2 14h12" />
    </svg>
  );
}

export function Nav() {
  const { view } = usePlace();
  const known = useSignal(session);
  const waiting = useRead("waiting", { limit: 50 }).data?.total ?? 0;
  const runs = useRead("plan.list", {}).data?.runs.filter(({ status }) => RUNS_SHOWN.has(status)).length ?? 0;
  const current = view === "attempt" ? "now" : view;
  return (
    <nav className="rail" aria-label="Views">
      <div className="brand">
        <Mark />
        <b>{known?.workspace}</b>
        {known?.branch && <span className="hint">{known.branch}</span>}
      </div>
      <button type="button" className="find" onClick={openPalette}>
        <Line name="search" size={14} />
        <span>Find or do</span>
        <Key>Ctrl K</Key>
      </button>
      <ul>
        {VIEWS.map((each) => (
          <li key={each}>
            <a
              aria-current={each === current ? "page" : undefined}
              {...linkTo({ view: each, item: null, approve: null, ...(each !== current && { filter: "" }) })}
            >
              <Line name={each} />
              <span>{upperFirst(each)}</span>
              {each === "now" && waiting > 0 && (
                <em className="asks" aria-label={`${waiting} wait for you`}>
                  {waiting}
                </em>
              )}
              {each === "planning" && runs > 0 && <em aria-label={`${runs} open runs`}>{runs}</em>}
            </a>
          </li>
        ))}
      </ul>
      <Foot />
    </nav>
  );
}
