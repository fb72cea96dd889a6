// Settings: what holds besides the plan. The configuration is shown with its source, and edited in its file.

import "../styles/settings.css";
import type { ReactNode } from "react";
import { perform } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { session } from "../api/session.js";
import { useSignal } from "../api/signal.js";
import { letterKeys, setLetterKeys } from "../frame/keys.js";
import { switchTheme, theme } from "../frame/theme.js";
import { Actor, PageHead } from "../parts/bits.js";
import { Button } from "../parts/button.js";
import { Plain } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { StepButton, useMayAct } from "../parts/step-button.js";
import { ShareLink } from "./share-link.js";

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="setting" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const SIGNS = { active: "done", proposed: "ask", superseded: "dropped" } as const;

function Records() {
  const read = useRead("record.list", {});
  return (
    <Shown read={read} rows={3}>
      {(records) =>
        records.length === 0 ? (
          <Empty>No decision, constraint, requirement or assumption is written down.</Empty>
        ) : (
          <ul className="plain">
            {records.map(({ id, kind, state, title, createdBy }) => (
              <li key={id} className="wrap">
                <Sign name={state in SIGNS ? SIGNS[state as keyof typeof SIGNS] : "planned"} />
                <span className="id">{id}</span>
                <span className="name">
                  <Plain text={title} />
                </span>
                <span className="hint">
                  {kind}, {state}
                </span>
                <Actor name={createdBy} />
                {state === "proposed" && (
                  <StepButton
                    step={{
                      operation: "record.approve",
                      input: { ids: [id] },
                      command: `planwright record approve ${id}`,
                    }}
                    label="Put in force"
                  />
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
}

/** Looking for agents starts their programs, so it is asked for in your name. */
function Agents() {
  const isKnown = useSignal(session)?.confirmed === true;
  const mayAct = useMayAct();
  if (isKnown) return <AgentTable />;
  return mayAct ? (
    <div className="acts">
      <Button onClick={() => void perform("agents.list", {})} command="planwright agents">
        Look for agents
      </Button>
      <span className="hint">It starts each agent once to ask for its version.</span>
    </div>
  ) : (
    <Empty>
      Listed in a terminal: <code>planwright agents</code>
    </Empty>
  );
}

function AgentTable() {
  const read = useRead("agents.list", {}, { now: true });
  return (
    <Shown read={read} rows={4}>
      {({ agents, roles }) => (
        <>
          <table>
            <thead>
              <tr>
                <th scope="col">Agent</th>
                <th scope="col">Installed</th>
                <th scope="col">Serves</th>
              </tr>
            </thead>
            <tbody>
              {agents.map(({ name, title, installed, version, serves, install }) => (
                <tr key={name}>
                  <th scope="row">
                    <Plain text={title} />
                  </th>
                  <td>{installed ? (version ?? "yes") : <code>{install}</code>}</td>
                  <td>{serves.length === 0 ? "–" : serves.join(", ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="hint roles">
            {Object.entries(roles).map(([role, agent]) => (
              <span key={role}>
                {role}: {agent}
              </span>
            ))}
          </p>
        </>
      )}
    </Shown>
  );
}

function Subscriptions() {
  const read = useRead("news.subscriptions", {});
  return (
    <Shown read={read} rows={2}>
      {(subscriptions) =>
        subscriptions.length === 0 ? (
          <Empty>
            No subscriptions. Subscribe with <code>planwright news subscribe</code>
          </Empty>
        ) : (
          <pre className="out">{JSON.stringify(subscriptions, null, 1)}</pre>
        )
      }
    </Shown>
  );
}

const shownValue = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function Configuration() {
  const read = useRead("config.list", {});
  return (
    <Shown read={read} rows={8}>
      {(settings) => (
        <table>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {settings.map(({ key, value, source }) => (
              <tr key={key} className={source === "default" ? "" : "own"}>
                <th scope="row">
                  <code>{key}</code>
                </th>
                <td>
                  <Plain text={shownValue(value)} />
                </td>
                <td>{source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Shown>
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
        <Section title="Subscriptions">
          <Subscriptions />
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
            <dt>You are</dt>
            <dd>{known && <Actor name={known.actor} />}</dd>
            <dt>Version</dt>
            <dd>{known?.version}</dd>
          </dl>
          <ShareLink />
        </Section>
        <Section title="Configuration">
          <Configuration />
        </Section>
      </div>
    </>
  );
}
