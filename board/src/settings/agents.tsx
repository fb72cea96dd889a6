// Agents and roles as one table: who serves what, what confines it, and how its last test went.

import { useState } from "react";
import { hasActed, perform } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import type { Output } from "../api/types.js";
import { AskingButton, Button } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { Sign } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { clock, lasted } from "../parts/words.js";

/** Looking for agents starts their programs, so it is asked for in your name. */
export function Agents() {
  const isKnown = useSignal(hasActed);
  const mayAct = useMayAct();
  if (isKnown) return <AgentTable />;
  if (!mayAct) return <Empty>Only the person who started this board can look for agents.</Empty>;
  return (
    <div className="acts">
      <Button onClick={() => void perform("agents.list", {})}>Look for agents</Button>
      <span className="hint">It starts each agent once to ask for its version.</span>
    </div>
  );
}

type Agent = Output<"agents.list">["agents"][number];
type Tested = Output<"agents.test">;

interface Test {
  readonly at: number;
  readonly words: string;
  readonly works: boolean;
}

const placeOf = (name: string): string => `planwright.agent-test.${name}`;

function lastTest(name: string): Test | undefined {
  try {
    return JSON.parse(localStorage.getItem(placeOf(name)) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** One tiny question, which the agent may charge for: so it asks. */
function TestCell({ name }: { readonly name: string }) {
  const [test, setTest] = useState(() => lastTest(name));
  const [busy, setBusy] = useState(false);
  const mayAct = useMayAct();
  const start = async (): Promise<void> => {
    setBusy(true);
    const answer = await perform("agents.test", { name });
    setBusy(false);
    const done = answer.ok ? (answer.data as Tested) : undefined;
    const words = done ? (done.message ?? lasted(done.durationMs)) : answer.ok ? "" : answer.error.message;
    const result = { at: Date.now(), words, works: done?.works === true };
    localStorage.setItem(placeOf(name), JSON.stringify(result));
    setTest(result);
  };
  return (
    <span className="test">
      {test && (
        <span className="hint">
          <Sign name={test.works ? "done" : "rejected"} size={12} /> {clock(test.at)} <Plain text={test.words} />
        </span>
      )}
      {mayAct && (
        <AskingButton kind="quiet" disabled={busy} question={`Ask ${name} one question`} onClick={() => void start()}>
          {busy ? "Testing …" : "Test …"}
        </AskingButton>
      )}
    </span>
  );
}

function AgentRow({ agent }: { readonly agent: Agent }) {
  const { name, title, installed, version, serves, install, confinement } = agent;
  return (
    <tr>
      <th scope="row">
        <Plain text={title} />
      </th>
      <td>{installed ? (version ?? "yes") : <code>{install}</code>}</td>
      <td>{serves.length === 0 ? "–" : serves.join(", ")}</td>
      <td className="hint">
        <Plain text={confinement.write} />
      </td>
      <td>{installed && <TestCell name={name} />}</td>
    </tr>
  );
}

function AgentTable() {
  const read = useRead("agents.list", {}, { now: true });
  return (
    <Shown read={read} rows={4}>
      {({ agents, roles }) => (
        <>
          <div className="wide-table" tabIndex={0} role="region" aria-label="Agents">
            <table>
              <thead>
                <tr>
                  <th scope="col">Agent</th>
                  <th scope="col">Installed</th>
                  <th scope="col">Serves</th>
                  <th scope="col">What it may do as a worker</th>
                  <th scope="col">Last test</th>
                </tr>
              </thead>
              <tbody>
                {agents.map((agent) => (
                  <AgentRow key={agent.name} agent={agent} />
                ))}
              </tbody>
            </table>
          </div>
          <dl className="facts roles">
            {Object.entries(roles).map(([role, agent]) => (
              <div key={role}>
                <dt>{role}</dt>
                <dd>{agent}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Shown>
  );
}
