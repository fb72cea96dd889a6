// Views of claims.

import { harmless } from "../../../../app/text/harmless.js";
import { step } from "../../../../app/vocabulary.js";
import { minute } from "../../text/times.js";
import type { ViewOf } from "../../view.js";

const claims: ViewOf<"claim.list"> = {
  text: (found, style) => {
    if (found.length === 0) return style.dim("No claims.");
    const width = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));
    const [ids, names] = [width(found.map(({ id }) => id)), width(found.map(({ by }) => by))];
    return found
      .map(({ id, title, by, leaseUntil, expired }) => {
        const until = expired ? style.yellow(`expired ${minute(leaseUntil)}`) : `until ${minute(leaseUntil)}`;
        return `${style.bold(id.padEnd(ids))}  ${by.padEnd(names)}  ${until}  ${style.dim(harmless(title))}`;
      })
      .join("\n");
  },
};

const renew: ViewOf<"claim.renew"> = {
  text: ({ id, leaseUntil }, style) => `${style.bold(id)} is yours until ${minute(leaseUntil)}`,
};

const release: ViewOf<"claim.release"> = {
  text: ({ id }, style) => `${style.bold(id)} is back in the queue`,
  next: () => [step("next")],
};

export const claimViews = {
  "claim.list": claims,
  "claim.renew": renew,
  "claim.release": release,
};
