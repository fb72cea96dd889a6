import { describe, expect, it } from "vitest";
import { answerLookUp } from "./submit.js";

const SHORT = "one\ntwo";
const LONG = Array.from({ length: 2_000 }, (_, n) => `line ${n} of it`).join("\n");
const texts: Readonly<Record<string, string>> = { short: SHORT, long: LONG, "": "never" };
const look = (input: unknown) => {
  const { content, isError } = answerLookUp((name) => (Object.hasOwn(texts, name) ? texts[name] : undefined), input);
  return { text: content.map(({ text }) => text).join(""), isError };
};

describe("a text that is looked up", () => {
  it("is whole if it is short, whatever stands around its name", () => {
    expect(look({ name: " short\n" })).toEqual({ text: SHORT, isError: false });
    expect(look({ name: "short", from: -3, find: "" })).toEqual({ text: SHORT, isError: false });
  });

  it("comes in pages that together are the whole", () => {
    let whole = "";
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { text, isError } = look({ name: "long", from });
      expect(isError).toBe(false);
      const [head = "", ...rest] = text.split("\n\n");
      expect(head).toContain(`of ${LONG.length}.`);
      whole += rest.join("\n\n");
      const next = /Go on with from: (\d+)\./.exec(head)?.[1];
      from = next === undefined ? undefined : Number(next);
    }
    expect(whole).toBe(LONG);
  });

  it("begins at the line that has the words", () => {
    expect(look({ name: "long", find: "1234 of" }).text).toMatch(
      /^Characters \d+ to \d+ of \d+\.[^\n]*\n\nline 1234 of it\n/,
    );
    expect(look({ name: "short", find: "wo" }).text).toBe("Characters 4 to 7 of 7.\n\ntwo");
    expect(look({ name: "short", find: "wo", from: 5 }).text).toBe("Characters 5 to 7 of 7.\n\nwo");
  });

  it.each([
    [{ name: "other" }, 'Nothing is called "other".'],
    [{ name: "constructor" }, 'Nothing is called "constructor".'],
    [{ name: 7 }, 'Nothing is called "".'],
    [undefined, 'Nothing is called "".'],
    [{ name: "short", find: "three" }, '"three" does not stand there'],
    [{ name: "short", from: 100 }, "It ends at character 7."],
  ])("is missed with a word: %j", (input, words) => {
    expect(look(input)).toEqual({ text: expect.stringContaining(words), isError: true });
  });
});
