// The page: rail, view, and what lies over them.

import { type ComponentType, Suspense, useEffect } from "react";
import { redo, undo } from "./api/act.js";
import { useRead } from "./api/reads.js";
import { isSigningIn, session, sessionFailure } from "./api/session.js";
import { useSignal } from "./api/signal.js";
import { enter } from "./api/start.js";
import { isForeign, token } from "./api/token.js";
import { ApprovalDialog } from "./cards/approval-dialog.js";
import { ArtifactDialog } from "./cards/artifact-dialog.js";
import { VIEWS, type View } from "./frame/address.js";
import { useKeys } from "./frame/keys.js";
import { Nav } from "./frame/nav.js";
import { noticeWaiting, spoken } from "./frame/notify.js";
import { openPalette, Palette } from "./frame/palette.js";
import { PastBar } from "./frame/past-bar.js";
import { go, usePlace } from "./frame/route.js";
import { ForeignBar, SignInBar, SignInPage } from "./frame/sign-in.js";
import { switchTheme } from "./frame/theme.js";
import { Toasts } from "./frame/toasts.js";
import { NowView } from "./now/now-view.js";
import { later } from "./parts/later.js";
import { Failed, Loading } from "./parts/states.js";
import { PlanView } from "./plan/plan-view.js";

const PlanningView = later(() => import("./planning/planning-view.js"));
const HistoryView = later(() => import("./history/history-view.js"));
const InsightsView = later(() => import("./insights/insights-view.js"));
const SettingsView = later(() => import("./settings/settings-view.js"));
const AttemptView = later(() => import("./attempt/attempt-view.js"));

const PAGES: Readonly<Record<View, ComponentType>> = {
  now: NowView,
  plan: PlanView,
  planning: PlanningView,
  history: HistoryView,
  insights: InsightsView,
  settings: SettingsView,
  attempt: AttemptView,
};

/** The number of things that wait for you, in the title of the tab. */
function useTitle(): void {
  const name = useSignal(session)?.workspace ?? "Planwright";
  const { data } = useRead("waiting", { limit: 50 }, { now: true });
  const waiting = data?.total ?? 0;
  useEffect(() => {
    if (data) noticeWaiting(data.entries);
  }, [data]);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${name} – Planwright`;
  }, [waiting, name]);
}

function GlobalKeys() {
  const { at, view: here } = usePlace();
  const views = Object.fromEntries(
    VIEWS.map((view, index) => [
      String(index + 1),
      () => go({ view, item: null, approve: null, ...(view !== here && { filter: "" }) }),
    ]),
  );
  useKeys({
    ...views,
    "ctrl+k": openPalette,
    t: switchTheme,
    ...(at === null ? { u: () => undo(), "shift+u": redo } : { Escape: () => go({ at: null }) }),
  });
  return null;
}

function Board() {
  const { view, approve, artifact, at } = usePlace();
  const Page = PAGES[view];
  const said = useSignal(spoken);
  const foreign = useSignal(isForeign);
  const isTrying = useSignal(isSigningIn);
  const isSignedIn = useSignal(token) !== undefined || isTrying;
  useTitle();
  useEffect(() => {
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [view]);
  return (
    <div className="board" data-view={view}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <GlobalKeys />
      <Nav />
      <div className="page">
        {foreign ? <ForeignBar /> : !isSignedIn && <SignInBar />}
        {at !== null && <PastBar at={at} />}
        <main id="main" tabIndex={-1}>
          <Suspense fallback={<Loading rows={8} />}>
            <Page />
          </Suspense>
        </main>
      </div>
      {approve !== null && <ApprovalDialog key={approve} reference={approve} />}
      {artifact !== null && <ArtifactDialog key={artifact} id={artifact} />}
      <Palette />
      <Toasts />
      <p className="sr" role="status" aria-live="polite">
        {said}
      </p>
    </div>
  );
}

export function App() {
  const known = useSignal(session);
  const failure = useSignal(sessionFailure);
  const held = useSignal(token);
  const isTrying = useSignal(isSigningIn);
  const foreign = useSignal(isForeign);
  if (known) return <Board />;
  if (foreign) return <ForeignBar />;
  if (held === undefined && !isTrying && !failure) return <SignInPage />;
  if (!failure) return <Loading />;
  return (
    <main className="sign-in">
      <Failed error={failure} again={() => void enter()} />
    </main>
  );
}
