// Limits and the rest of the configuration, each with its source. It is edited in its file.

import { useRead } from "../api/reads.js";
import type { Output } from "../api/types.js";
import { Plain } from "../parts/plain.js";
import { Shown } from "../parts/states.js";

type Setting = Output<"config.list">[number];

function shownValue(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "none";
  if (Array.isArray(value)) return value.map(shownValue).join(", ");
  if (typeof value !== "object") return typeof value === "string" ? value : JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${key}: ${shownValue(part)}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** What bounds work and money. */
const LIMIT =
  /(maxCostUsd|maxTokens|dayCostUsd|CostUsd|Tokens|[Rr]etries|[Mm]inutes|Hours|workers|leaseMinutes|checkTimeoutS|replans|fixes|revisions|overviews|network|sandbox)$/;

function Table({ settings }: { readonly settings: readonly Setting[] }) {
  return (
    <table className="configuration">
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
            <th scope="row" className="mono">
              {key}
            </th>
            <td>
              <Plain text={shownValue(value)} />
            </td>
            <td className="hint">{source}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Configuration({ limits }: { readonly limits: boolean }) {
  const read = useRead("config.list", {});
  return (
    <Shown read={read} rows={limits ? 4 : 8}>
      {(settings) => <Table settings={settings.filter(({ key }) => LIMIT.test(key) === limits)} />}
    </Shown>
  );
}
