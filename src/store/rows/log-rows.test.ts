import { expect, it } from "vitest";
import { sha256 } from "../sha256.js";
import { LinkHash, NO_OPERATION } from "./log-rows.js";

it.each([
  ["question", "escalation"],
  ["lesson", "memory"],
  ["record", "record"],
])("a link over a %s is the one that older programs made over what they called %s", (entity, called) => {
  const hash = new LinkHash(NO_OPERATION, { op: 1 });
  hash.add(entity, "X-001", undefined, '{"a":1}');
  const operation = JSON.stringify([1, null, null, null, null, null, null, null]);
  expect(hash.end()).toBe(sha256(` - ${operation}\n${called} 5 X-001 - {"a":1}\n`));
});
