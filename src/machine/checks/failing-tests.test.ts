import { describe, expect, it } from "vitest";
import { failingTests } from "./diagnostics.js";

describe("failing tests", () => {
  it.each([
    ["TAP", "ok 1 - adds\nnot ok 2 - subtracts\n# pass 1\n# fail 1\n", ["subtracts"]],
    [
      "pytest",
      "FAILED tests/test_a.py::test_b - assert 1 == 2\n==== 1 failed, 3 passed in 0.1s ====\n",
      ["tests/test_a.py::test_b"],
    ],
    ["Go", "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/sub (0.00s)\nFAIL\n", ["TestA", "TestA/sub"]],
    ["Cargo", "test a::b ... FAILED\ntest c ... ok\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n", ["a::b"]],
    [
      "Vitest",
      " FAIL  src/a.test.ts > sums > adds\n\n      Tests  1 failed | 2 passed (3)\n",
      ["src/a.test.ts > sums > adds"],
    ],
    ["Jest", "  ● sums › adds\n\nTests:       1 failed, 2 passed, 3 total\n", ["sums › adds"]],
    ["JUnit", '<testcase classname="A" name="b"><failure>x</failure></testcase><testcase name="c"/>', ["A.b"]],
    ["colours", "\u001B[31mnot ok 1 - red\u001B[0m\n", ["red"]],
    ["no report", "Segmentation fault\n", []],
    ["more failures than names", "not ok 1 - a\n# fail 2\n", []],
  ])("are read from %s", (_, output, expected) => {
    expect(failingTests(output)).toEqual(expected);
  });
});
