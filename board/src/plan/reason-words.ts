// The server's reason for a status, in a few words for a narrow column. The sentence itself comes from `why`.

import type { StatusTree } from "../api/types.js";
import { date, named } from "../parts/words.js";

export interface ReasonWords {
  readonly short: string;
  /** A person has to do something. */
  readonly asks: boolean;
}

type Reasoned = Pick<
  StatusTree,
  "tier" | "status" | "reason" | "because" | "engineHolds" | "checks" | "landed" | "readyToLand" | "progress"
>;

const words = (short: string, asks = false): ReasonWords => ({ short, asks });

function restWords({ landed, readyToLand }: Reasoned): ReasonWords {
  if (landed)
    return words(`landed ${date(Date.parse(landed.at))}${landed.commit ? ` as ${landed.commit.slice(0, 10)}` : ""}`);
  return readyToLand ? words("ready to land", true) : words("");
}

export function reasonWords(node: Reasoned): ReasonWords {
  const { tier, status, reason, because, engineHolds, checks } = node;
  const ids = named(because, because.join().length > 20 ? 1 : 2);
  switch (reason) {
    case "terminal":
    case "container":
      return restWords(node);
    case "in-flight":
      return words(because.length > 0 ? `${because[0]} works on it` : "being worked on");
    case "rejected":
      return words(checks.includes(false) ? "a check failed" : "its work was rejected", true);
    case "inbox":
      return words(tier === "feature" ? "nothing here ever runs" : "in the inbox");
    case "unapproved":
      return words("not approved", true);
    case "approval-unknown":
      return words("approved with an unknown secret", true);
    case "approval-stale":
      return words("its approval is stale", true);
    case "frozen":
      return words(because.length > 0 ? because.join(", ") : "frozen");
    case "dep-rejected":
      return words(`waits for ${ids}, rejected`);
    case "dep-dropped":
      return words(`waits for ${ids}, dropped`);
    case "deps-pending":
      return words(`waits for ${ids}`);
    case "human":
      return words("waits for you", true);
    case "conflict":
      return words(`goes after ${ids}: same file`);
    case "budget":
      return words("no attempts left", true);
    case "claimable":
      return words(engineHolds.length > 0 ? `ready; ${holdWords(engineHolds[0]?.reason)}` : "");
    default:
      return words(status);
  }
}

function holdWords(reason: string | undefined): string {
  if (reason === "level") return "the level is off";
  if (reason === "no-worker") return "no worker can do it";
  return reason === undefined ? "" : reason.replaceAll("-", " ");
}
