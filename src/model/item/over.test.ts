import { describe, expect, it } from "vitest";
import type { Entity, ItemTypes } from "./item.js";
import { endOf } from "./item.js";

describe("the end of an item", () => {
  it.each<[Entity, object, string | null]>([
    ["run", { status: "running" }, null],
    ["run", { status: "waiting" }, null],
    ["run", { status: "ready" }, null],
    ["run", { status: "halted" }, null],
    ["run", { status: "finished" }, "finished"],
    ["run", { status: "aborted" }, "aborted"],
    ["attempt", { state: "checking" }, null],
    ["attempt", { state: "failed" }, "failed"],
    ["conflict", { state: "open" }, null],
    ["conflict", { state: "settled" }, "settled"],
    ["record", { state: "active", scope: null }, null],
    ["record", { state: "superseded", scope: null }, "superseded"],
    ["lesson", { state: "kept", scope: null }, null],
    ["lesson", { state: "forgotten", scope: null }, "forgotten"],
    ["question", { state: "open" }, null],
    ["question", { state: "answered" }, "answered"],
    ["comment", { state: "kept" }, null],
  ])("%s %o", (entity, fields, expected) => {
    expect(endOf(entity, fields as ItemTypes[Entity])).toBe(expected);
  });
});
