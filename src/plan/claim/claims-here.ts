import type { Node, Nr } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import { claimNotes } from "./claim-notes.js";

/** More than one checkout has. */
const CLAIMS_READ = 200;

/** Other tasks that are worked on in the same checkout. */
export async function claimsHere(reader: Reader, { nr: own }: { readonly nr: Nr }, path: string, now: number) {
  const found: Node[] = [];
  for (const node of await reader.claimed({ limit: CLAIMS_READ })) {
    if (node.nr === own || (node.claim?.until ?? 0) <= now) continue;
    if ((await claimNotes(reader, node.nr))?.checkout?.path === path) found.push(node);
  }
  return found;
}
