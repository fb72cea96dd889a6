import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isExpired, type KeyedQuestion, type Option, openTwin, pickOption, soundOptions } from "./question.js";

const option = (id: string, label = id): Option => ({ id, label, detail: "" });

const asked = (key: string, owner: string, question: string, state: "open" | "answered" = "open"): KeyedQuestion => ({
  key,
  fields: { owner, question, state },
});

describe("the same question", () => {
  const known = [
    asked("ESC-001", "RUN-001", "Which database?", "answered"),
    asked("ESC-002", "RUN-001", "Which  database? "),
    asked("ESC-003", "RUN-002", "Which queue?"),
  ];

  it.each([
    ["RUN-001", "Which database?", "ESC-002"],
    ["RUN-001", " Which\ndatabase?", "ESC-002"],
    ["RUN-001", "Which queue?", undefined],
    ["RUN-002", "Which queue?", "ESC-003"],
    ["RUN-003", "Which queue?", undefined],
  ])("of %s, %s, is %s", (owner, question, key) => {
    expect(openTwin(known, { owner, question })?.key).toBe(key);
  });
});

describe("options", () => {
  it.each<[Option[], string | null, string[], string | null]>([
    [[option("a"), option("b")], "a", ["a", "b"], "a"],
    [[option("a"), option("b")], "c", ["a", "b"], null],
    [[option("a"), option("A"), option(" ")], null, ["a"], null],
    [[], "a", [], null],
  ])("are each there once, and what is recommended is one of them (%#)", (options, recommended, ids, expected) => {
    const sound = soundOptions(options, recommended);
    expect([sound.options.map(({ id }) => id), sound.recommended]).toEqual([ids, expected]);
  });

  const all = [
    option("sqlite", "SQLite, one file"),
    option("pg", "PostgreSQL"),
    option("2", "Post it"),
    option("x", "Post"),
  ];

  it.each<[string, string[]]>([
    ["sqlite", ["sqlite"]],
    ["SQLITE", ["sqlite"]],
    ["1", ["sqlite"]],
    ["2", ["2"]],
    ["9", []],
    ["postg", ["pg"]],
    ["post", ["x"]],
    ["po", ["pg", "2", "x"]],
    ["", []],
    ["mysql", []],
  ])("%s picks %s", (typed, ids) => {
    expect(pickOption(all, typed).map(({ id }) => id)).toEqual(ids);
  });

  it("each can be chosen by its id, whatever the others are called", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9]{1,4}$/), { minLength: 1 }), fc.nat(), (ids, at) => {
        const { options } = soundOptions(
          ids.map((id) => option(id)),
          null,
        );
        const wanted = options[at % options.length] as Option;
        expect(pickOption(options, wanted.id)).toEqual([wanted]);
      }),
    );
  });

  it("expire at their moment", () => {
    expect([isExpired({ expiresAt: 5 }, 4), isExpired({ expiresAt: 5 }, 5), isExpired({ expiresAt: null }, 9)]).toEqual(
      [false, true, false],
    );
  });
});
