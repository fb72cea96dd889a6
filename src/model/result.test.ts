import { expect, it } from "vitest";
import { absent, ambiguous, breaks, exitCodeOf, fail, ok, refused, usage } from "./result.js";

it("a result is a value or a failure", () => {
  expect(ok(3)).toEqual({ ok: true, value: 3 });
  const failure = { kind: "bug", reason: "x", message: "y" } as const;
  expect(fail(failure)).toEqual({ ok: false, error: failure });
});

it.each([
  [ambiguous, "ambiguous", 1],
  [absent, "absent", 2],
  [refused, "refused", 3],
  [breaks, "invariant", 4],
  [usage, "usage", 5],
] as const)("each family of failures has its exit code: %#", (make, kind, code) => {
  const result = make("a-word", "A sentence.", { details: { n: 1 }, next: [{ operation: "status", input: {} }] });
  expect(result).toEqual({
    ok: false,
    error: {
      kind,
      reason: "a-word",
      message: "A sentence.",
      details: { n: 1 },
      next: [{ operation: "status", input: {} }],
    },
  });
  expect(make("a-word", "A sentence.")).toEqual({
    ok: false,
    error: { kind, reason: "a-word", message: "A sentence." },
  });
  expect(exitCodeOf(kind)).toBe(code);
});

it("problems that were looked for and bugs have theirs", () => {
  expect([exitCodeOf("problems"), exitCodeOf("bug")]).toEqual([1, 70]);
});
