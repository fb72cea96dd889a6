import { describe, expect, it } from "vitest";
import { addressOf, placeOfId, readPlace, START } from "./address.js";

describe("the address of the page", () => {
  it.each([
    "/now",
    "/plan/tree",
    "/plan/graph/TASK-00017?q=status%3Ablocked&tab=checks",
    "/planning/RUN-001?approve=RUN-001",
    "/planning/RUN-001?artifact=ART-00011",
    "/history/81?at=60",
    "/attempt/ATT-00011",
    "/plan/tree/JIRA%2F12%20x",
  ])("%s is read and written the same way", (address) => {
    const [path = "", query = ""] = address.split("?");
    expect(addressOf(readPlace(path, query))).toBe(address);
  });

  it.each([
    ["/", "", START],
    ["/nonsense/%E0%A4%A", "at=later", START],
    ["/plan/%E0%A4%A", "", { ...START, view: "plan" }],
  ])("%s?%s is never an error", (path, query, place) =>
    expect({ ...readPlace(path, query), item: null }).toEqual(place),
  );

  it.each([
    ["ATT-00001", "attempt"],
    ["RUN-001", "planning"],
    ["ESC-001", "now"],
    ["TASK-00001", "plan"],
    ["JIRA-1", "plan"],
  ])("%s leads to %s", (id, view) => expect(placeOfId(id, START)).toMatchObject({ view, item: id }));

  it("an artifact opens over what is there", () =>
    expect(placeOfId("ART-00011", START)).toEqual({ artifact: "ART-00011" }));
});
