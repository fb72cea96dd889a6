// How a record comes into force, and how another one replaces it.

import { type Actor, isPerson } from "../actor.js";
import { step } from "../next-step.js";
import { ok, type Result, refused, usage } from "../result.js";
import { type KeyedRecord, needsApproval, type PlanRecord } from "./record.js";

/** Null when it is in force already. */
export function approveRecord(
  { key, fields }: KeyedRecord,
  by: Actor,
  at: number,
): Result<Pick<PlanRecord, "state" | "approvedBy" | "approvedAt"> | null> {
  if (fields.state === "active") return ok(null);
  if (fields.state === "superseded") return superseded(key, fields);
  return ok({ state: "active", approvedBy: by, approvedAt: at });
}

/** What is in force, a person wrote or approved, and so only a person replaces it. */
export function maySupersede({ key, fields }: KeyedRecord, actor: Actor): Result<void> {
  if (fields.state === "superseded") return superseded(key, fields);
  if (isPerson(actor) || fields.state === "proposed") return ok(undefined);
  return refused("needs-person", `${key} is in force, so only a person can replace it.`, {
    next: [step("promote", {}, "note")],
  });
}

/** A record in force is replaced only by one in force, so that there is no gap between them. */
export function mayReplace(old: KeyedRecord, by: KeyedRecord): Result<void> {
  if (old.key === by.key) return usage("usage", `${old.key} cannot replace itself.`);
  if (by.fields.state === "superseded") return superseded(by.key, by.fields);
  if (old.fields.state !== "active" || by.fields.state === "active") return ok(undefined);
  return refused("not-active", `${by.key} is only proposed. Approve it before it replaces ${old.key}.`, {
    next: [step("record.approve", { ids: [by.key] })],
  });
}

/** The same record in other words. When a person rewords a rule that is in force, the new words are in force at once. */
export function reword(old: PlanRecord, text: string, by: Actor, at: number): PlanRecord {
  const holds = isPerson(by) && (!needsApproval(old.kind) || old.state === "active");
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
  refused("superseded", `${key} is no longer in force: ${supersededBy ?? "another record"} replaced it.`, {
    next: [step("show", { reference: supersededBy ?? key })],
  });
