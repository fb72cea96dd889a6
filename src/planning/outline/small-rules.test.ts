// Rules that only some documents need: each with the smallest of them.

import { expect, it } from "vitest";
import { parseSpec } from "../spec/parse.js";
import { outlineCapabilities, outlineFiles, outlineTasks } from "./outline.js";

function tasksOf(text: string) {
  const spec = parseSpec(text);
  const map = outlineCapabilities(spec);
  return outlineTasks(spec, map, outlineFiles(spec, map, { files: [] }), {}).tasks;
}

const EIGHT = ["Print", "Send", "Load", "Save", "Open", "Close", "Sort", "Filter"].map((verb) => `  - ${verb} a list`);

it.each<[rule: string, spec: string, titles: string[]]>([
  [
    "entries below requirements are requirements, whatever they are called",
    "# T\n\n## Requirements\n\n- Input: a file\n- Output: a report\n- Errors: a message",
    ["Input: a file", "Output: a report", "Errors: a message"],
  ],
  [
    "a choice is one thing",
    "# T\n\n## Export\n\nThe shop exports either of these:\n\n- Write a file\n- Send a mail\n- Print a page",
    ["Export"],
  ],
  [
    "names of fields stay short, whatever stands in brackets",
    "# T\n\n## Profile data\n\n- Display name (required by law in this country)\n- Set photo (optional)\n- Last visit",
    ["Profile data"],
  ],
  [
    "fields with boxes are tasks",
    "# T\n\n## User data\n\n- [ ] Display name\n- [ ] Photo\n- [ ] Last visit",
    ["Display name", "Photo", "Last visit"],
  ],
  [
    "an item can be a heading",
    "# T\n\n## Work\n\n- [Actions]\n  - Write the proposal\n  - Ask the other team\n- **Tasks**\n  - Print a page\n  - Send a mail",
    ["Write the proposal", "Ask the other team", "Print a page", "Send a mail"],
  ],
  [
    "what must be supported is one thing, however much it is",
    `# T\n\n## Features\n\n- The system must support these:\n${EIGHT.join("\n")}`,
    [
      "Support these: Print a list, Send a list, Load a list, Save a list, Open a list, Close a list, Sort a list and 1 more",
    ],
  ],
  [
    "a heading that names the kind of the document is above prose",
    "# Requirements\n\nThe shop sells books.\n\n## Orders\n\n- Print a report\n- Send a mail",
    ["Print a report", "Send a mail"],
  ],
  [
    "a solution in prose is work where no other heading lists any",
    "# T\n\n## Solution\n\nThe shop is a web page with a list of books.\n\n## Search\n\nIt finds books by title and must be fast.",
    ["The shop is a web page with a list of books", "Search"],
  ],
])("%s", (_, spec, titles) => {
  expect(tasksOf(spec).map(({ title }) => title)).toEqual(titles);
});

it("a long item is no heading for what is below it", () => {
  const long = "In this release we have everything that is later needed for the future of this shop and its people";
  const [task] = tasksOf(`# T\n\n## Features\n\n- ${long}\n  - Print a report\n  - Send a mail`);
  expect(task?.quotes).toEqual([long, "Print a report", "Send a mail"]);
});

it("a task is named with or without the word that says what it is", () => {
  const [login, mail] = tasksOf("# T\n\n## Features\n\n- Login\n- Send a mail (depends on the login task)");
  expect(mail?.dependsOn).toEqual([login?.id]);
});

it("a command with an open quotation mark is no check", () => {
  const spec =
    "# T\n\n## Features\n\n- Print a report. Check: `npm test 'abc`\n- Send a mail. Check: `grep \"it's\" a.txt`";
  expect(tasksOf(spec).map(({ checks }) => checks)).toEqual([[], [{ run: 'grep "it\'s" a.txt' }]]);
});
