// What the outline planner asks: which words of a spec are one question, and which options it states.

import { describe, expect, it } from "vitest";
import { parseSpec } from "../spec/parse.js";
import { outlineClarification } from "./outline.js";

const WORK = "# Shop\n\n## Features\n\n- Print a report\n- Send a mail\n\n";

const asked = (questions: string) =>
  outlineClarification(parseSpec(`${WORK}${questions}`)).questions.map(({ question, options, default: chosen }) => ({
    question,
    options: options.map(({ label }) => label),
    chosen,
  }));

describe("a question", () => {
  it("in a table is the cell that asks", () => {
    const table =
      "## Open questions\n\n| Question | Owner |\n|--|--|\n| Who may approve? | Bob |\n| Ann | JSON or TOML? |\n| Prices | Ann |";
    expect(asked(table).map(({ question }) => question)).toEqual(["Who may approve?", "JSON or TOML?", "Prices: Ann"]);
  });

  it("may be a heading, with its options below", () => {
    const headings =
      "## Open questions\n\n### Which database do we use?\n\nWe have to decide soon.\n\n- PostgreSQL\n- SQLite\n  - only for one user\n\n### Who pays?\n\nNobody knows.";
    expect(asked(headings)).toEqual([
      { question: "Which database do we use?", options: ["PostgreSQL", "SQLite"], chosen: "PostgreSQL" },
      { question: "Who pays?", options: ["Decide during the work", "Leave it out"], chosen: "Decide during the work" },
    ]);
  });

  it.each<[question: string, options: string[]]>([
    ["Which currency, EUR or USD?", ["EUR", "USD"]],
    ["When do we send it: at once or at night?", ["at once", "at night"]],
  ])("%s names its options after the comma", (question, options) => {
    expect(asked(`## Open questions\n\n- ${question}`)[0]?.options).toEqual(options);
  });

  it("has the options below it, however many words they have", () => {
    const long = "Keep every version of each document for as long as the customer has an account with us";
    const options = [long, "Keep only the last one"];
    const list = options.map((option) => `  - ${option}`).join("\n");
    expect(asked(`## Open questions\n\n- What is kept?\n${list}`)[0]).toEqual({
      question: "What is kept?",
      options,
      chosen: long,
    });
  });

  it("has no options where a list of names or of short questions has many words", () => {
    const open = ["Decide during the work", "Leave it out"];
    const [names, inARow] = asked(
      "## Open questions\n\n- Fields not clear: what a customer sees first, what is sent to us later?\n- How far back? Only the very last action? Or everything of the session?",
    );
    expect(names?.options).toEqual(open);
    expect(inARow?.options).toEqual(open);
  });
});

describe("the intent", () => {
  const intentOf = (overview: string): string =>
    outlineClarification(parseSpec(`# Shop\n\n${overview}\n\n## Features\n\n- Print a report`)).intent;

  it("is the first long statement of an overview that has only short labels and items", () => {
    const overview = "## Overview\n\n- Prices\n- The shop sells used books to schools and prints the bills for them";
    expect(intentOf(overview)).toBe("Shop: The shop sells used books to schools and prints the bills for them");
  });

  it("is no row of a table and nothing about the document", () => {
    const overview =
      "## Overview\n\n| Name | Value |\n|--|--|\n| Team | Books |\n\nThis document describes the shop.\n\nThe shop sells used books.";
    expect(intentOf(overview)).toBe("Shop: The shop sells used books.");
  });
});
