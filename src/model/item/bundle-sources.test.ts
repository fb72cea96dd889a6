import { describe, expect, it } from "vitest";
import { behavioursNamed, expandBehaviours, purposesIn } from "./bundle.js";

const MAP = {
  domains: [
    {
      id: "D1",
      name: "Import",
      capabilities: [
        {
          id: "C1",
          name: "Reading",
          behaviours: [
            { id: "B1", name: "Read a file", type: "input", quote: "reads files", requirements: ["R1", 2] },
            { id: "B2", name: "Refuse a folder", type: "process", quote: "refuses folders" },
          ],
        },
      ],
    },
  ],
};

describe("behaviours", () => {
  it.each<[string, string[]]>([
    ["Do it.\nBehaviours: B1, B2\nMore.", ["B1", "B2"]],
    ["Behaviors: B1", ["B1"]],
    ["- **Behaviours:** `B1`; B2 B1", ["B1", "B2"]],
    ["The behaviours of B1 are many", []],
    ["Behaviours: ,", []],
    ["", []],
  ])("are named in %j", (body, ids) => {
    expect(behavioursNamed(body)).toEqual(ids);
  });

  it("are given in full, in the order in which they are named", () => {
    expect(expandBehaviours(MAP, ["B2", "B1", "B9"])).toEqual([
      {
        id: "B2",
        name: "Refuse a folder",
        type: "process",
        quote: "refuses folders",
        requirements: [],
        capability: "Reading",
        domain: "Import",
      },
      {
        id: "B1",
        name: "Read a file",
        type: "input",
        quote: "reads files",
        requirements: ["R1"],
        capability: "Reading",
        domain: "Import",
      },
    ]);
  });

  it.each([
    null,
    7,
    "text",
    [],
    {},
    { domains: 7 },
    { domains: [7, null, { capabilities: [{}, { behaviours: [{ id: 7 }] }] }] },
  ])("are none in a map like %j", (map) => {
    expect(expandBehaviours(map, ["B1"])).toEqual([]);
    expect(purposesIn(map, ["B1"]).size).toBe(0);
  });
});

describe("what files are for", () => {
  const file = (path: string, purpose: string) => ({ path, purpose, action: "modify" });

  it("is what their own behaviour says, before another's and what cuts across", () => {
    const map = {
      behaviours: [
        { behaviour: "B1", files: [file("a.ts", "for B1")] },
        { behaviour: "B2", files: [file("a.ts", "for B2"), file("b.ts", "b")] },
      ],
      crossCutting: [file("a.ts", "everywhere"), file("c.ts", "c")],
    };
    expect([...purposesIn(map, ["B2"])].map(([path, { purpose }]) => `${path} ${purpose}`)).toEqual([
      "a.ts for B2",
      "b.ts b",
      "c.ts c",
    ]);
    expect(purposesIn(map, []).get("a.ts")).toEqual({ action: "modify", purpose: "for B1" });
  });
});
