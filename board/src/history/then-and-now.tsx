// Counts by status, then and now.

import { useEffect, useState } from "react";
import { ask } from "../api/client.js";
import { useRead } from "../api/reads.js";
import type { Output } from "../api/types.js";
import { Sign, type SignName } from "../parts/sign.js";
import { upperFirst } from "../parts/words.js";

type Counts = Output<"status">["counts"];

const ROWS: readonly (readonly [keyof Counts, SignName, string])[] = [
  ["finished", "done", "done"],
  ["inProgress", "in_progress", "in progress"],
  ["ready", "ready", "ready"],
  ["waitingForPerson", "ask", "waits for you"],
  ["blocked", "blocked", "blocked"],
  ["rejected", "rejected", "rejected"],
  ["frozen", "frozen", "frozen"],
  ["planned", "planned", "planned"],
];

function useCountsAt(op: number): Counts | undefined {
  const [counts, setCounts] = useState<Counts>();
  useEffect(() => {
    let isOver = false;
    void ask("status", { depth: 0 }, op).then(({ answer }) => {
      if (!isOver && answer.ok) setCounts(answer.data.counts);
    });
    return () => {
      isOver = true;
    };
  }, [op]);
  return counts;
}

const signed = (change: number): string => (change > 0 ? `+${change}` : change < 0 ? `−${-change}` : "");

export function ThenAndNow({ op }: { readonly op: number }) {
  const then = useCountsAt(op);
  const now = useRead("status", {}, { now: true }).data?.counts;
  if (!then || !now) return null;
  return (
    <>
      <h3>The plan then, and now</h3>
      <table className="then">
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col" className="r">
              then
            </th>
            <th scope="col" className="r">
              now
            </th>
            <th scope="col" className="r">
              change
            </th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([key, sign, words]) => (
            <tr key={key}>
              <th scope="row">
                <Sign name={sign} size={12} /> {upperFirst(words)}
              </th>
              <td className="r">{then[key]}</td>
              <td className="r">{now[key]}</td>
              <td className="r">{signed(now[key] - then[key])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
