// The order of test files: what takes long comes first, so that nothing long is left when all else is done.

import { basename } from "node:path";
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from "vitest/node";

/** By path, or by name alone. What is not named comes last, in the order that Vitest gives it. */
export const longestFirst = (slowest: readonly string[]): TestSequencerConstructor =>
  class LongestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      return sorted.toSorted((a, b) => rank(slowest, a) - rank(slowest, b));
    }
  };

function rank(slowest: readonly string[], { moduleId }: TestSpecification): number {
  const name = basename(moduleId).replace(/(?:\.e2e|\.agents)?\.test\.ts$/, "");
  const at = slowest.findIndex((each) => each === name || moduleId.endsWith(`/${each}`));
  return at < 0 ? slowest.length : at;
}
