// Headings of the templates that people start from (design documents, RFCs, PRDs, decision records, issues) and the
// ordinary ones of each language. Words that neither this list nor a document needs have no place in the tables.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { roleOfTitle } from "./heading-roles.js";

const LIST = resolve(import.meta.dirname, "../../../test/fixtures/headings.txt");
const roles = readFileSync(LIST, "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split(": ", 1).concat(line.slice(line.indexOf(": ") + 2)) as [role: string, titles: string]);

it.each(roles)("%s: %s", (role, titles) => {
  expect(titles.split(" | ").map((title) => `${title}: ${roleOfTitle(title)}`)).toEqual(
    titles.split(" | ").map((title) => `${title}: ${role}`),
  );
});
