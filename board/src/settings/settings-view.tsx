// Settings: what holds besides the plan. The configuration is shown with its source, and edited in its file.

import "../styles/settings.css";
import type { ReactNode } from "react";
import { session } from "../api/session.js";
import { useSignal } from "../api/signal.js";
import { letterKeys, setLetterKeys } from "../frame/keys.js";
import { switchTheme, theme } from "../frame/theme.js";
import { Actor, PageHead } from "../parts/bits.js";
import { Button } from "../parts/button.js";
import { Agents } from "./agents.js";
import { Configuration } from "./configuration.js";
import { OtherBrowser } from "./other-browser.js";
import { Records } from "./records.js";
import { Subscriptions } from "./subscriptions.js";

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="setting" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function ThisBrowser() {
  const letters = useSignal(letterKeys);
  const current = useSignal(theme);
  return (
    <div className="acts">
      <Button k="t" onClick={switchTheme}>
        {current === "dark" ? "Use the light theme" : "Use the dark theme"}
      </Button>
      <label className="check-box">
        <input type="checkbox" checked={letters} onChange={({ target }) => setLetterKeys(target.checked)} />{" "}
        Single-letter keys
      </label>
    </div>
  );
}

export default function SettingsView() {
  const known = useSignal(session);
  return (
    <>
      <PageHead title="Settings">What holds besides the plan. The configuration is edited in planwright.json.</PageHead>
      <div className="settings">
        <Section title="Records">
          <Records />
        </Section>
        <Section title="Agents and roles">
          <Agents />
        </Section>
        <Section title="News">
          <Subscriptions />
        </Section>
        <Section title="Limits">
          <Configuration limits />
        </Section>
        <Section title="This browser">
          <ThisBrowser />
        </Section>
        <Section title="This workspace">
          <dl className="facts">
            <dt>Folder</dt>
            <dd>
              <code>{known?.root}</code>
            </dd>
            <dt>Store</dt>
            <dd>
              <code>{known && `${known.root}/.planwright`}</code>
            </dd>
            <dt>You are</dt>
            <dd>{known && <Actor name={known.actor} />}</dd>
            <dt>Version</dt>
            <dd>{known?.version}</dd>
          </dl>
          <OtherBrowser />
        </Section>
        <Section title="Configuration">
          <Configuration limits={false} />
        </Section>
      </div>
    </>
  );
}
