// How a record comes to hold, and how another takes its place.

import { type Actor, isPerson } from "../actor.js";
import { ok, type Result, refused, usage } from "../result.js";
import { type KeyedRecord, needsApproval, type PlanRecord } from "./record.js";

/** Null when it holds already. */
export function approveRecord(
  { key, fields }: KeyedRecord,
  by: Actor,
  at: number,
): Result<Pick<PlanRecord, "state" | "approvedBy" | "approvedAt"> | null> {
  if (fields.state === "active") return ok(null);
  if (fields.state === "superseded") return superseded(key, fields);
  return ok({ state: "active", approvedBy: by, approvedAt: at });
}

/** What a person approved, a person replaces. */
export function maySupersede({ key, fields }: KeyedRecord, actor: Actor): Result<void> {
  if (fields.state === "superseded") return superseded(key, fields);
  if (isPerson(actor) || fields.approvedBy === null) return ok(undefined);
  return refused("needs-person", `${key} was approved by ${fields.approvedBy}, and ${actor} is not a person.`, {
    hint: "Ask a person to decide; `planwright promote NOTE` leaves a note for them.",
  });
}

/** What holds is replaced only by what holds, so that nothing is without rule in between. */
export function mayReplace(old: KeyedRecord, by: KeyedRecord): Result<void> {
  if (old.key === by.key) return usage("usage", `${old.key} cannot take its own place.`);
  if (by.fields.state === "superseded") return superseded(by.key, by.fields);
  if (old.fields.state !== "active" || by.fields.state === "active") return ok(undefined);
  return refused(
    "not-active",
    `${by.key} is only proposed, and ${old.key} holds until a person has approved the other.`,
    {
      hint: `\`planwright records approve ${by.key}\``,
    },
  );
}

/** The same record in other words: of a rule that holds, a person's new words hold at once. */
export function reword(old: PlanRecord, text: string, by: Actor, at: number): PlanRecord {
  const holds = !needsApproval(old.kind) || (old.state === "active" && isPerson(by));
  const approved = holds && needsApproval(old.kind);
  return {
    ...old,
    title: text,
    state: holds ? "active" : "proposed",
    createdAt: at,
    createdBy: by,
    approvedBy: approved ? by : null,
    approvedAt: approved ? at : null,
  };
}

const superseded = (key: string, { supersededBy }: PlanRecord): Result<never> =>
  refused("superseded", `${key} no longer holds: ${supersededBy ?? "another record"} took its place.`, {
    hint: `\`planwright show ${supersededBy ?? key}\` says what holds now.`,
  });
