import { isPerson } from "../../model/actor.js";
import type { Context } from "../../plan/base/context.js";
import { isOfSame, subagentOfClaim } from "../../plan/claim/session-notes.js";

const MAX_CLAIMS_READ = 200;

/** The task that a conversation of an agent works on already: it does one at a time. A hook holds each of its subagents to one. */
export async function openClaim({ store, actor, root, conversation, now }: Context): Promise<string | undefined> {
  if (conversation === undefined || isPerson(actor)) return undefined;
  const claimed = await store.read((reader) => reader.claimed({ limit: MAX_CLAIMS_READ }));
  const isOwn = ({ id, epoch, claim }: (typeof claimed)[number]): boolean =>
    claim?.by === actor &&
    claim.until > now() &&
    isOfSame(root, conversation, { id, epoch }) &&
    subagentOfClaim(root, { id, epoch }) === null;
  return claimed.find(isOwn)?.id;
}
