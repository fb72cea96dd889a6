// Who is told what, and what this browser tells you itself.

import { act } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import { notifyState, setNotify } from "../frame/notify.js";
import { Actor } from "../parts/bits.js";
import { Button } from "../parts/button.js";
import { Id } from "../parts/prose.js";
import { Empty, Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";

const NEWS = ["needs-person", "rejected", "landed"] as const;

function BrowserNews() {
  const state = useSignal(notifyState);
  return (
    <label className="check-box">
      <input
        type="checkbox"
        checked={state === "on"}
        disabled={state === "denied"}
        onChange={({ target }) => void setNotify(target.checked)}
      />{" "}
      Notifications of this browser, for what waits for you and what landed
      {state === "denied" && <span className="hint"> The browser does not allow them here.</span>}
    </label>
  );
}

export function Subscriptions() {
  const read = useRead("news.subscriptions", {});
  const settings = useRead("config.list", {}).data ?? [];
  const channels = settings.filter(({ key, value }) => CHANNELS.has(key) && isSet(value)).map(({ key }) => key);
  const mayAct = useMayAct();
  const subscribe = (): void => void act("news.subscribe", { news: NEWS }, "You are subscribed.");
  return (
    <>
      <BrowserNews />
      <Shown read={read} rows={2}>
        {(subscriptions) =>
          subscriptions.length === 0 ? (
            <Empty button={mayAct && <Button onClick={subscribe}>Subscribe to {NEWS.join(", ")}</Button>}>
              No subscriptions.
            </Empty>
          ) : (
            <ul className="plain">
              {subscriptions.map(({ id, actor, target, news, state }) => (
                <li key={id}>
                  <Actor name={actor} />
                  <span className="name">
                    {target === null ? "the whole workspace" : <Id id={target} />}: {news.join(", ")}
                  </span>
                  <span className="hint">{state}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <p className="hint">
        {channels.length > 0
          ? `Channels: ${channels.map((key) => key.replace("notifications.", "")).join(", ")}. They are in the configuration below.`
          : "No channel is configured besides: neither bell, desktop, webhook nor command."}
      </p>
    </>
  );
}

const CHANNELS: ReadonlySet<string> = new Set(
  ["bell", "desktop", "webhook", "command"].map((name) => `notifications.${name}`),
);

const isSet = (value: unknown): boolean => value !== null && value !== false && value !== "";
