import { expect, it } from "vitest";
import { checkTerms } from "./check-terms.js";

it.each([
  [{}, []],
  [{ expect: null, timeoutS: null, cwd: "" }, []],
  [{ expect: "exit 1" }, ["must exit with 1"]],
  [{ expect: "exit 1 " }, ["must exit with 0 and print: <exit 1 >"]],
  [
    { expect: "2 passed", timeoutS: 5, cwd: "web" },
    ["must exit with 0 and print: <2 passed>", "must end within 5 s", "runs in <web>"],
  ],
])("a check with %j", (check, words) => {
  expect(checkTerms(check, (text) => `<${text}>`)).toEqual(words);
  expect(checkTerms(check).join()).toBe(words.join().replaceAll(/[<>]/g, ""));
});
