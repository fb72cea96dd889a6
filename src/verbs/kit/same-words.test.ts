import { describe, expect, it } from "vitest";
import { loadVerb } from "../list.js";
import { tellApart } from "./same-words.js";
import { findSpelling, type TypedCommand } from "./spell.js";

const NODES = ["RUN-7", "ATT-7", "CON-7"];

const read = (line: string): Promise<TypedCommand[]> => {
  const nodesAmong = async (ids: readonly string[]) =>
    NODES.filter((id) => ids.some((each) => each.toUpperCase() === id));
  return tellApart(findSpelling(line.split(" ")) as TypedCommand, { load: loadVerb, nodesAmong });
};

describe("verbs with the same words", () => {
  it.each([
    ["show TASK-1", "show"],
    ["show ATT-1", "attempt.show"],
    ["show att-00001", "attempt.show"],
    ["show ATT-1 --transcript --limit 5", "attempt.transcript"],
    ["diff 12", "diff"],
    ["diff RUN-001", "plan.diff"],
    ["restore --to rescue ATT-1", "attempt.restore"],
    ["restore --to ATT-1 FEAT-1", "restore"],
    ["restore FEAT-1", "restore"],
    ["edit TASK-1 --body RUN-001", "edit"],
    ["edit --active --title RUN-001", "edit"],
    ["edit RUN-001 --document x.md", "plan.edit"],
    ["edit --title=RUN-001 --active", "edit"],
    ["approve --yes CON-001", "record.approve"],
    ["approve -- CON-001", "record.approve"],
    ["approve --active --yes --despite CON-001", "approve"],
    ["approve RUN-001", "approve"],
    ["approve RUN-001 TASK-1", "approve"],
    ["approve --dispite x CON-001", "approve"],
    ["edit RUN-7 --title t", "edit"],
    ["edit run-7 --from -", "edit"],
    ["restore ATT-7", "restore"],
    ["approve CON-7 FEAT-1 --yes", "approve"],
  ])("are told apart by the key that is given, and a node that exists wins: %s", async (line, operation) => {
    expect(await read(line)).toMatchObject([{ spelling: { operation }, rest: findSpelling(line.split(" "))?.rest }]);
  });

  it.each([
    ["approve F2 FEAT-001 CON-001", ["approve F2 FEAT-001", "record.approve CON-001"]],
    ["approve CON-001 F2", ["record.approve CON-001", "approve F2"]],
    ["approve CON-001 CON-7", ["record.approve CON-001", "approve CON-7"]],
    [
      "approve --yes FEAT-001 CON-001 MEM-1",
      ["approve --yes FEAT-001", "record.approve --yes CON-001", "lesson.approve MEM-1"],
    ],
    ["approve --despite x --active CON-001", ["approve --despite x --active", "record.approve CON-001"]],
    ["restore ATT-00001 --to b1 FEAT-001", ["attempt.restore ATT-00001 --to b1", "restore FEAT-001"]],
  ])("get all their arguments, and the flags that they have: %s", async (line, commands) => {
    const told = (await read(line)).map(({ spelling, rest }) => [spelling.operation, ...rest].join(" "));
    expect(told).toEqual(commands);
  });
});
