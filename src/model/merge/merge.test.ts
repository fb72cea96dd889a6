import { describe, expect, it } from "vitest";
import { apart, born, Clone, edit, gone, TOP } from "../../../test/clones.js";
import { mergePlans } from "./merge.js";
import { presentNodes } from "./merged-node.js";
import { readyOperations, type SharedChange } from "./shared-operation.js";

const outcome = (kind: string) => ({
  outcome: { kind, by: "human:ada", at: 1, op: 0, reason: null },
  acceptance: { state: "accepted" },
});
const edges = (...on: readonly string[]) => ({ dependsOn: on.map((each) => ({ on: each, origin: "stated" })) });
const check = (run: string, expect = "exit 0") => ({ run, expect });

describe("two clones that changed one field without knowing of each other", () => {
  it.each<
    [what: string, field: string, before: unknown, one: unknown, other: unknown, merged: unknown, isAsked: boolean]
  >([
    ["a title: the later stands, a person is asked", "title", "a", "b", "c", "c", true],
    ["the same title: nobody is asked", "title", "a", "b", "b", "b", false],
    ["different lines of a text", "body", "1\n2\n3", "0\n2\n3", "1\n2\n4", "0\n2\n4", false],
    ["the same line of a text", "body", "1\n2\n3", "1\nx\n3", "1\ny\n3", "1\ny\n3", true],
    ["files: both stay", "files", ["a"], ["a", "b"], ["a", "c"], ["a", "c", "b"], false],
    ["files: one goes, one comes", "files", ["a"], [], ["a", "c"], ["c"], false],
    ["the same file comes twice", "files", ["a"], ["a", "b"], ["a", "b"], ["a", "b"], false],
    ["two checks", "checks", [], [check("t")], [check("u")], [check("u"), check("t")], false],
    ["one check in two ways", "checks", [], [check("t", "1")], [check("t", "2")], [check("t", "2")], true],
    ["frozen and thawed: frozen", "freeze", { reason: "a" }, null, { reason: "b" }, { reason: "b" }, false],
    ["both thawed", "freeze", { reason: "a" }, null, null, null, false],
    ["approved and withdrawn: withdrawn", "approval", null, null, { hash: "x" }, null, false],
    ["approved twice: the later", "approval", null, { hash: "y" }, { hash: "x" }, { hash: "x" }, false],
    ["attempts are counted together", "attempts", 1, 2, 4, 5, false],
    ["no attempts are less than none", "attempts", 1, 0, 0, 0, false],
  ])("%s", (_, field, before, one, other, merged, isAsked) => {
    const ada = apart(
      [born("t", { [field]: before })],
      edit("t", { [field]: one }, { [field]: before }),
      edit("t", { [field]: other }, { [field]: before }),
    );
    expect(ada.at("t", field as "title")).toEqual(merged);
    expect(ada.plan.differences.length > 0).toBe(isAsked);
  });

  it("keeps every value for the person who is asked, under a name that is the same everywhere", () => {
    const ada = apart([born("t")], edit("t", { title: "b" }), edit("t", { title: "c" }));
    const [difference] = ada.plan.differences;
    expect(difference).toMatchObject({ node: "t", field: "title", id: "differ t title ada:2 kim:1" });
    expect(difference?.values.map(({ value, by }) => [value, by])).toEqual([
      ["b", "human:ada"],
      ["c", "human:kim"],
    ]);
  });

  it("asks nobody any more once somebody who knew both has decided", () => {
    const ada = apart([born("t")], edit("t", { title: "b" }), edit("t", { title: "c" }));
    ada.does(edit("t", { title: "b" }));
    expect([ada.at("t", "title"), ada.plan.differences]).toEqual(["b", []]);
  });

  it("is one node that both made, such as the mission", () => {
    const ada = new Clone("ada").does(TOP, born("t", { body: "one" }));
    const kim = new Clone("kim").does(TOP, born("t", { body: "two" }));
    expect(ada.hears(kim).at("t", "body")).toBe("two");
    expect(ada.plan.differences.map(({ field }) => field)).toEqual(["body"]);
  });

  it("merges three texts, of which two were merged before", () => {
    const ada = apart(
      [born("t", { body: "1\n2\n3\n4\n5" })],
      edit("t", { body: "0\n2\n3\n4\n5" }),
      edit("t", { body: "1\n2\nx\n4\n5" }),
    );
    const lee = new Clone("lee");
    lee.known = ada.known.slice(0, 1);
    lee.does(edit("t", { body: "1\n2\n3\n4" }));
    expect(ada.hears(lee).at("t", "body")).toBe("0\n2\nx\n4");
    expect(ada.plan.differences).toEqual([]);
  });
});

describe("finished in one clone", () => {
  it.each<[one: SharedChange, other: SharedChange, kind: string | undefined, isAsked: boolean]>([
    [edit("t", outcome("done")), edit("t", { outcome: null, acceptance: null }), "done", false],
    [edit("t", outcome("done")), edit("t", outcome("dropped")), "done", true],
    [edit("t", outcome("waived")), edit("t", outcome("dropped")), "waived", true],
    [edit("t", outcome("dropped")), edit("t", outcome("dropped")), "dropped", false],
    [edit("t", outcome("done")), edit("t", { acceptance: { state: "rejected" } }), "done", false],
    [edit("t", { acceptance: { state: "pending" } }), edit("t", { acceptance: null }), undefined, false],
  ])("%#: what proves more counts, with its own acceptance", (one, other, kind, isAsked) => {
    const ada = apart([born("t")], one, other);
    const [is, acceptance] = [ada.at("t", "outcome"), ada.at("t", "acceptance")];
    expect((is as { kind: string } | null)?.kind).toBe(kind);
    expect((acceptance as { state: string } | null)?.state).toBe(kind && "accepted");
    expect(ada.plan.differences.length > 0).toBe(isAsked);
  });

  it("keeps a change that came meanwhile beside it, and says so", () => {
    const ada = apart([born("t")], edit("t", outcome("done")), edit("t", { title: "c", freeze: { reason: "wait" } }));
    expect([ada.at("t", "title"), ada.at("t", "freeze")]).toEqual(["t", null]);
    expect(ada.plan.late).toMatchObject([{ node: "t", field: "title", value: "c", by: "human:kim" }]);
    ada.does(edit("t", { title: "d" }));
    expect(ada.at("t", "title")).toBe("d");
  });

  it("is open again once somebody who knew it opened it", () => {
    const ada = new Clone("ada").does(TOP, born("t")).does(edit("t", outcome("done")));
    const kim = new Clone("kim").hears(ada).does(edit("t", { outcome: null }));
    expect([kim.at("t", "outcome"), kim.at("t", "acceptance")]).toEqual([null, { state: "accepted" }]);
  });
});

describe("taken away in one clone", () => {
  const there = (clone: Clone) =>
    presentNodes(new Map(clone.plan.nodes))
      .map(({ uuid }) => uuid)
      .filter((uuid) => uuid !== "top");

  it("is gone, with the dependencies on it", () => {
    const ada = apart([born("t"), born("u")], gone("t"), edit("u", edges("t")));
    expect(there(ada)).toEqual(["u"]);
    expect(ada.at("u", "dependsOn")).toEqual([]);
  });

  it("stays if another clone changed it, or put something into it", () => {
    const story = born("s", { tier: "story", kind: null });
    expect(there(apart([born("t")], gone("t"), edit("t", { title: "b" })))).toEqual(["t"]);
    expect(there(apart([story], gone("s"), born("t", { parent: "s" })))).toEqual(["s", "t"]);
  });

  it("comes back as it is made again, not as it was", () => {
    const ada = new Clone("ada")
      .does(TOP, born("t"))
      .does(edit("t", { body: "x", claim: {} }))
      .does(gone("t"));
    expect(there(ada)).toEqual([]);
    ada.does(born("t"));
    expect([there(ada), ada.at("t", "body"), ada.at("t", "claim")]).toEqual([["t"], "", undefined]);
  });

  it("is nothing to show while nobody says who made it", () => {
    expect(there(new Clone("ada").does(edit("t", { title: "b" })))).toEqual([]);
  });
});

describe("a node in what it cannot be in", () => {
  it.each<[what: string, parent: string | null, is: string | undefined]>([
    ["something of its own tier", "u", "top"],
    ["nothing", null, "top"],
    ["something that nobody made", "x", "top"],
  ])("stays where it was: %s", (_, parent, is) => {
    expect(apart([born("t"), born("u")], edit("t", { parent }), edit("u", { title: "b" })).at("t", "parent")).toBe(is);
  });

  it("is left out, with what is in it, if it never was anywhere else", () => {
    const story = born("s", { tier: "story", kind: null, parent: "x" });
    const mission = born("m", { tier: "mission", kind: null });
    const nowhere = { entity: "node", id: "n", was: null, is: { id: "n", tier: "task" } } as const;
    const ada = new Clone("ada").does(TOP, story, born("t", { parent: "s" }), mission, nowhere);
    expect(presentNodes(new Map(ada.plan.nodes)).map(({ uuid }) => uuid)).toEqual(["top"]);
  });
});

describe("an id that two clones gave away", () => {
  it("stays with the older node; the younger one gets the next that is free", () => {
    const ada = apart(
      [born("a", { id: "TASK-00001" })],
      born("b", { id: "TASK-00002" }),
      born("c", { id: "task-00002" }),
    );
    expect(["a", "b", "c"].map((each) => ada.at(each, "id"))).toEqual(["TASK-00001", "TASK-00002", "TASK-00003"]);
    expect(ada.plan.renamed).toEqual([{ uuid: "c", was: "task-00002", id: "TASK-00003" }]);
    ada.does(born("d", { id: "TASK-00004" }));
    expect(ada.at("c", "id")).toBe("TASK-00003");
    ada.hears(new Clone("lee", 50).does(born("e", { id: "TASK-00003" })));
    expect(["c", "e"].map((each) => ada.at(each, "id"))).toEqual(["TASK-00005", "TASK-00003"]);
  });

  it("takes its land task along, and numbers chosen ids", () => {
    const feature = (uuid: string, id: string): SharedChange => born(uuid, { id, tier: "feature", kind: null });
    const land = (uuid: string, parent: string, id: string): SharedChange => born(uuid, { id, parent, kind: "land" });
    const ada = new Clone("ada").does(TOP, feature("f", "PAY"), land("fl", "f", "PAY-LAND"));
    const kim = new Clone("kim").does(feature("g", "pay"), land("gl", "g", "pay-LAND"));
    ada.hears(kim);
    expect(["f", "fl", "g", "gl"].map((each) => ada.at(each, "id"))).toEqual([
      "PAY",
      "PAY-LAND",
      "pay-2",
      "pay-2-LAND",
    ]);
  });
});

describe("dependencies of two clones that lead in a circle", () => {
  const tasks = ["t", "u", "v"].map((id) => born(id, { parent: "s" }));
  const plan = [
    born("f", { tier: "feature", kind: null }),
    born("s", { tier: "story", kind: null, parent: "f" }),
    ...tasks,
    born("g", { tier: "feature", kind: null }),
    born("w", { parent: "g" }),
  ];

  it.each<[what: string, one: SharedChange, other: SharedChange, aside: string]>([
    ["two tasks", edit("t", edges("u")), edit("u", edges("t")), "u t"],
    ["two features", edit("w", edges("t")), edit("v", edges("w")), "v w"],
    ["a story and a task outside", edit("s", edges("w")), edit("w", edges("t")), "w t"],
    ["a story and what moves into it", edit("s", edges("w")), edit("w", { parent: "s" }), "s w"],
    ["what moves into what it waits for", edit("w", edges("s")), edit("w", { parent: "s" }), "w s"],
  ])("%s: the latest is set aside, and is said", (_, one, other, aside) => {
    const ada = apart(plan, one, other);
    expect(ada.plan.aside.map(({ from, on }) => `${from} ${on}`)).toEqual([aside]);
    expect(ada.at(aside.slice(0, 1), "dependsOn")).toEqual([]);
  });

  it("sets aside what one operation adds in the same order everywhere", () => {
    const ada = apart(plan, edit("t", edges("top", "t")), edit("u", { title: "b" }));
    expect(ada.plan.aside.map(({ from, on }) => `${from} ${on}`)).toEqual(["t t", "t top"]);
  });

  it("sets aside no more than it has to", () => {
    const ada = apart(plan, edit("t", edges("u", "v")), edit("u", edges("t", "v")));
    expect(ada.at("t", "dependsOn")).toEqual(edges("u", "v").dependsOn);
    expect(ada.at("u", "dependsOn")).toEqual(edges("v").dependsOn);
  });

  it("names every one of several", () => {
    const ada = apart(plan, edit("t", edges("u", "w")), edit("u", edges("t")));
    const lee = new Clone("lee", 50);
    lee.known = ada.known.slice(0, 1);
    ada.hears(lee.does(edit("w", edges("v"))).does(edit("v", edges("t"))));
    expect(ada.plan.aside.map(({ from, on }) => `${from} ${on}`)).toEqual(["u t", "w v"]);
  });
});

describe("a feature that landed in one clone and got work in another", () => {
  const feature = [
    born("f", { id: "FEAT-001", tier: "feature", kind: null, title: "Pay" }),
    born("l", { parent: "f", kind: "land" }),
    born("t", { parent: "f" }),
  ];
  const lands = (clone: Clone) =>
    presentNodes(new Map(clone.plan.nodes)).filter(({ fields }) => fields["kind"] === "land" && !fields["outcome"]);

  it("has to land once more", () => {
    const ada = new Clone("ada").does(TOP, ...feature).does(edit("t", outcome("done")));
    const kim = new Clone("kim").hears(ada).does(born("u", { parent: "f" }));
    ada.does(edit("l", outcome("done")));
    expect(lands(ada)).toEqual([]);
    const [land] = lands(ada.hears(kim));
    expect(land?.fields).toMatchObject({ id: "FEAT-001-LAND-2", title: "Land: Pay", parent: "f" });
    expect(lands(kim.hears(ada)).map(({ uuid }) => uuid)).toEqual([land?.uuid]);
    // Who writes to it has made it as well.
    kim.does(born(String(land?.uuid), { ...land?.fields }), edit("u", outcome("done")));
    expect(lands(ada.hears(kim)).map(({ uuid }) => uuid)).toEqual([land?.uuid]);
    const lee = new Clone("lee").hears(kim).does(edit(String(land?.uuid), outcome("done")));
    lee.does(gone(String(land?.uuid)), born("v", { parent: "f" }));
    expect(lands(lee)[0]?.fields).toMatchObject({ id: "FEAT-001-LAND-3" });
    ada.does(edit(String(land?.uuid), outcome("done")));
    expect(lands(ada)).toEqual([]);
  });

  it("also with work that was finished without the landing knowing it", () => {
    const ada = new Clone("ada").does(TOP, ...feature, born("u", { parent: "f" })).does(edit("t", outcome("done")));
    const kim = new Clone("kim").hears(ada).does(edit("u", outcome("done")));
    ada.does(edit("u", outcome("waived")), edit("l", outcome("done")));
    expect(lands(ada.hears(kim))).toHaveLength(1);
  });

  it("keeps the land task that somebody took away without knowing of work in the feature", () => {
    const ada = new Clone("ada").does(TOP, ...feature);
    const kim = new Clone("kim").hears(ada).does(born("u", { parent: "f" }));
    ada.does(gone("l"), gone("t"));
    expect(lands(ada)).toEqual([]);
    expect(lands(ada.hears(kim)).map(({ uuid }) => uuid)).toEqual(["l"]);
  });

  it("does not if the feature is over, or never had a land task", () => {
    const ada = new Clone("ada").does(TOP, ...feature).does(edit("t", outcome("done")));
    const kim = new Clone("kim")
      .hears(ada)
      .does(born("u", { parent: "f" }))
      .does(edit("f", outcome("dropped")));
    ada.does(edit("l", outcome("done")));
    expect(lands(ada.hears(kim))).toEqual([]);
    expect(lands(new Clone("lee").does(TOP, ...feature.filter(({ id }) => id !== "l")))).toEqual([]);
    expect(lands(new Clone("lee").does(TOP, born("t")))).toEqual([]);
  });
});

describe("what stands beside nodes", () => {
  const item = (entity: SharedChange["entity"], id: string, is: SharedChange["is"], was: SharedChange["was"] = null) =>
    ({ entity, id, was, is }) as const;

  it.each<[entity: SharedChange["entity"], one: object, other: object, merged: object]>([
    ["labels", { labels: ["a", "b"] }, { labels: ["a", "c"] }, { labels: ["a", "c", "b"] }],
    ["question", { state: "answered", answer: 1 }, { state: "withdrawn" }, { state: "answered", answer: 1 }],
    ["record", { state: "superseded" }, { state: "active", title: "b" }, { state: "superseded", title: "b" }],
    ["lesson", { state: "kept" }, { state: "proposed" }, { state: "kept" }],
    ["comment", { text: "one" }, { text: "two" }, { text: "two" }],
  ])("of both counts: %s", (entity, one, other, merged) => {
    const start = entity === "labels" ? { labels: ["a"] } : { state: "open" };
    const ada = apart(
      [item(entity, "ada/X", start)],
      item(entity, "ada/X", { ...one }, start),
      item(entity, "ada/X", { ...other }, start),
    );
    expect(ada.plan.items).toMatchObject([{ entity, id: "ada/X", isBorn: true, isThere: true, fields: merged }]);
  });
});

describe("what never leaves its clone", () => {
  it("is not taken from another one, even if it is there", () => {
    const person = { entity: "person", id: "kim", was: null, is: { key: "pwk" } } as const;
    const ada = new Clone("ada").does(TOP, person, born("t", { claim: { by: "agent:x" }, epoch: 3 }));
    expect(ada.plan.items).toEqual([]);
    expect([ada.at("t", "claim"), ada.at("t", "epoch")]).toEqual([undefined, undefined]);
  });
});

describe("operations that come", () => {
  it("wait for what their maker knew, and hold up what comes after them", () => {
    const ada = new Clone("ada").does(TOP, born("t"));
    const kim = new Clone("kim")
      .does(born("u"))
      .hears(ada)
      .does(edit("t", { title: "b" }))
      .does(born("v"));
    const own = kim.known.filter(({ clone }) => clone === "kim");
    const { ready, missing } = readyOperations(own);
    expect([ready.map(({ seq }) => seq), missing]).toEqual([[1], { ada: 1 }]);
    expect(readyOperations([...own, ...own, ...ada.known]).ready).toHaveLength(4);
  });

  it("are the later ones for whoever knew the earlier ones, whatever the clocks say", () => {
    const ada = new Clone("ada", 1_000_000).does(born("t"));
    const kim = new Clone("kim").hears(ada).does(edit("t", { title: "b" }));
    expect(mergePlans(kim.known).nodes.get("t")?.fields["title"]).toBe("b");
    expect(kim.known.at(-1)?.time).toBeGreaterThan(1_000_000);
  });
});
