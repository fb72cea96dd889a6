// What is wrong with the form of a plan, code by code.

import { type Case, fine } from "./lint-input.js";
import { draft, file, task } from "./plan-draft.js";

export const FORM: readonly Case[] = [
  { code: "P-NO-TASKS", when: "there is no task", bad: [draft([], { features: [] })], good: [fine], says: /no task/ },
  {
    code: "P-ID",
    when: "two nodes share an id in any case",
    bad: [draft([task("T1"), task("t1", { files: [] })])],
    good: [fine],
    says: /t1 is used 2 times/,
  },
  {
    code: "P-PARENT",
    when: "a parent does not exist",
    bad: [draft([task("T1", { parent: "F9" })])],
    good: [draft([task("T1", { parent: "F9" })], { features: [] }), { existing: new Set(["F9"]) }],
    says: /T1 belongs to F9, which does not exist/,
  },
  {
    code: "P-PARENT",
    when: "a task is in a task",
    bad: [draft([task("T1"), task("T2", { parent: "T1" })])],
    good: [fine],
    says: /is a task and cannot contain it/,
  },
  {
    code: "P-PARENT",
    when: "a story is in an initiative",
    bad: [
      draft([task("T1")], {
        initiatives: [{ id: "I1", title: "Light", body: "" }],
        features: [{ id: "F1", title: "Lamp", body: "", parent: "I1" }],
        stories: [{ id: "S1", title: "Switch", body: "", feature: "I1" }],
      }),
    ],
    good: [
      draft([task("T1")], {
        initiatives: [{ id: "I1", title: "Light", body: "" }],
        features: [{ id: "F1", title: "Lamp", body: "", parent: "I1" }],
      }),
    ],
    says: /is an initiative and cannot contain it/,
  },
  {
    code: "P-EMPTY",
    when: "an initiative has no feature",
    bad: [draft([task("T1")], { initiatives: [{ id: "I1", title: "Light", body: "" }] })],
    good: [fine],
    says: /I1 "Light" has no feature/,
  },
  {
    code: "P-KINSHIP",
    when: "a task depends on its initiative",
    bad: [
      draft([task("T1", { dependsOn: ["I1"] })], {
        initiatives: [{ id: "I1", title: "Light", body: "" }],
        features: [{ id: "F1", title: "Lamp", body: "", parent: "I1" }],
      }),
    ],
    good: [fine],
    says: /depends on I1, which contains it/,
  },
  {
    code: "P-CYCLE",
    when: "two initiatives wait for each other",
    bad: [
      draft([task("T1", { dependsOn: ["I2"] }), task("T2", { parent: "F2", files: [], dependsOn: ["I1"] })], {
        initiatives: [
          { id: "I1", title: "Light", body: "" },
          { id: "I2", title: "Dark", body: "" },
        ],
        features: [
          { id: "F1", title: "Lamp", body: "", parent: "I1" },
          { id: "F2", title: "Shade", body: "", parent: "I2" },
        ],
      }),
    ],
    good: [fine],
    says: /cycle of waiting/,
  },
  {
    code: "P-OUTSIDE",
    when: "a node is not in the branch that is planned",
    bad: [fine, { outside: { root: "FEAT-1", ids: ["T1"] } }],
    good: [fine, { outside: { root: "FEAT-1", ids: [] } }],
    says: /T1 is not below FEAT-1/,
  },
  {
    code: "P-DEPENDENCY",
    when: "a dependency dangles",
    bad: [draft([task("T1", { dependsOn: ["T9"] })])],
    good: [draft([task("T1", { dependsOn: ["T9"] })]), { existing: new Set(["T9"]) }],
    says: /depends on T9, which does not exist/,
  },
  {
    code: "P-KINSHIP",
    when: "a task depends on its feature",
    bad: [draft([task("T1", { dependsOn: ["F1"] })])],
    good: [fine],
    says: /depends on F1, which contains it/,
  },
  {
    code: "P-KINSHIP",
    when: "a task depends on itself",
    bad: [draft([task("T1", { dependsOn: ["T1"] })])],
    good: [fine],
    says: /depends on itself/,
  },
  {
    code: "P-CYCLE",
    when: "two wait for each other",
    bad: [draft([task("A", { dependsOn: ["B"] }), task("B", { dependsOn: ["A"] })])],
    good: [draft([task("A"), task("B", { dependsOn: ["A"] })])],
    says: /A → B → A/,
  },
  {
    code: "P-CYCLE",
    when: "features wait for each other's landing",
    bad: [
      draft(
        [
          task("A1", { dependsOn: ["B1"] }),
          task("A2"),
          task("B1", { parent: "F2" }),
          task("B2", { parent: "F2", dependsOn: ["A2"] }),
        ],
        { features: ["F1", "F2"].map((id) => ({ id, title: id, body: "" })) },
      ),
    ],
    good: [
      draft([task("A1", { dependsOn: ["B1"] }), task("B1", { parent: "F2" })], {
        features: ["F1", "F2"].map((id) => ({ id, title: id, body: "" })),
      }),
    ],
    says: /F2 → B2 → F1 → A1 → F2|A1 → F2 → B2 → F1 → A1/,
  },
  {
    code: "P-EMPTY",
    when: "a feature has no task",
    bad: [
      draft([task("T1")], {
        features: [
          { id: "F1", title: "Lamp", body: "" },
          { id: "F2", title: "Shade", body: "" },
        ],
      }),
    ],
    good: [
      draft([task("T1")], {
        features: [
          { id: "F1", title: "Lamp", body: "" },
          { id: "F2", title: "Shade", body: "" },
        ],
      }),
      { existing: new Set(["F2"]) },
    ],
    says: /F2 "Shade" has no task/,
  },
  {
    code: "P-EMPTY",
    when: "a story has no task",
    bad: [draft([task("T1")], { stories: [{ id: "S1", feature: "F1", title: "Switch", body: "" }] })],
    good: [
      draft([task("T1", { parent: "S1" })], { stories: [{ id: "S1", feature: "F1", title: "Switch", body: "" }] }),
    ],
    says: /S1 "Switch"/,
  },
  {
    code: "P-REPEAT",
    when: "a file is named twice",
    bad: [draft([task("T1", { files: [file("a.ts"), file("a.ts")] })])],
    good: [fine],
    says: /names files twice: a\.ts/,
  },
  {
    code: "P-DECISION",
    when: "a decision names no task of the plan",
    bad: [
      draft([task("T1")], {
        decisions: [{ id: "D01", title: "x", choice: "y", because: "", alternatives: [], tasks: ["T9"] }],
      }),
    ],
    good: [
      draft([task("T1")], {
        decisions: [{ id: "D01", title: "x", choice: "y", because: "", alternatives: [], tasks: ["T1"] }],
      }),
    ],
    says: /D01 names T9/,
  },
];
