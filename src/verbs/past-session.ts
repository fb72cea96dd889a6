// A session on the plan as it was: the same reads, on the store of that moment and by its clock. What is no part of the plan, such as
// files, settings and running programs, is seen as it is now.

import { absent, ok, type Result, type Session, usage, type Verb } from "./kit/verb.js";

export function mayLookBack({ name, effect, on }: Verb, at: number): Result<void> {
  if (!Number.isSafeInteger(at) || at < 0)
    return usage("bad-moment", "A moment is the number of an operation, such as 12; the log lists them.");
  if (effect === "reads" && on === "plan") return ok(undefined);
  return usage("bad-moment", `Only what reads the plan can look back, and ${name} does more.`);
}

export async function pastSession(session: Session, at: number): Promise<Result<Session>> {
  const { store } = session;
  const { latest, operation } = await store.read(async (reader) => ({
    latest: await reader.lastOperation(),
    operation: await reader.operation(at),
  }));
  if (at > latest) return absent("no-operation", `There is no operation ${at} yet; the latest is ${latest}.`);
  const past = await store.past(at);
  return ok({ ...session, store: past, now: () => operation?.at ?? 0 });
}
