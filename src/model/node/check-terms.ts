// What a check asks for besides running its command, in words: the same wherever somebody decides by it.

import type { Check } from "./node.js";

type Terms = { readonly [K in "expect" | "timeoutS" | "cwd"]?: Check[K] | null };

/** Nothing for a command that has to exit with 0 in the working directory. `named` makes texts of the plan readable. */
export function checkTerms({ expect, timeoutS, cwd }: Terms, named = (text: string): string => text): string[] {
  const code = /^exit (\d+)$/.exec(expect ?? "")?.[1];
  return [
    ...(expect == null
      ? []
      : [code === undefined ? `must exit with 0 and print: ${named(expect)}` : `must exit with ${code}`]),
    ...(timeoutS == null ? [] : [`must end within ${timeoutS} s`]),
    ...(cwd == null || cwd === "" ? [] : [`runs in ${named(cwd)}`]),
  ];
}
