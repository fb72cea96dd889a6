import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRecord } from "../../../test/record.js";
import { brokenConstraints, contradictions, type JudgedTask, overriding, says } from "./contradictions.js";
import type { KeyedRecord, PlanRecord } from "./record.js";

const record = (key: string, over: Partial<PlanRecord>): KeyedRecord => ({
  key,
  fields: makeRecord({ kind: "constraint", ...over }),
});

const task = (over: Partial<JudgedTask> = {}): JudgedTask => ({
  id: "T-1",
  nr: 7,
  title: "A task",
  body: "",
  files: [],
  checks: [],
  feature: 2,
  ...over,
});

const noLegacy = record("CON-001", { forbids: { files: ["src/legacy/**", "*.sql"], words: [] } });
const noInstall = record("CON-002", { forbids: { files: [], words: ["npm install", "sudo"] } });
const latency = record("REQ-001", {
  kind: "requirement",
  measure: { metric: "p95_ms", op: "<=", target: 200, run: "npm run latency" },
});

const kinds = (tasks: JudgedTask[], records: KeyedRecord[]): string[] =>
  contradictions(tasks, records).map(({ record, task, kind, what }) => `${record} ${task ?? "-"} ${kind} ${what}`);

describe("contradictions with records", () => {
  it.each<[string, JudgedTask[], KeyedRecord[], string[]]>([
    ["nothing at all", [], [], []],
    ["a file outside", [task({ files: ["src/new/a.ts"] })], [noLegacy], []],
    [
      "a forbidden file",
      [task({ files: ["src/legacy/a.ts", "b.ts"] })],
      [noLegacy],
      ["CON-001 T-1 forbidden-file src/legacy/a.ts"],
    ],
    [
      "a forbidden kind of file, anywhere",
      [task({ files: ["db/x.sql"] })],
      [noLegacy],
      ["CON-001 T-1 forbidden-file db/x.sql"],
    ],
    ["words in the title", [task({ title: "Use SUDO here" })], [noInstall], ["CON-002 T-1 forbidden-words sudo"]],
    [
      "words in the body, spaced otherwise",
      [task({ body: "run npm\n  install" })],
      [noInstall],
      ["CON-002 T-1 forbidden-words npm install"],
    ],
    ["words in a check", [task({ checks: [{ run: "sudo true" }] })], [noInstall], ["CON-002 T-1 forbidden-words sudo"]],
    [
      "words in what is expected",
      [task({ checks: [{ run: "id", expect: "sudo" }] })],
      [noInstall],
      ["CON-002 T-1 forbidden-words sudo"],
    ],
    ["a part of a word", [task({ body: "pseudo code, npm installer" })], [noInstall], []],
    [
      "a proposed constraint",
      [task({ body: "sudo" })],
      [record("CON-003", { state: "proposed", forbids: { files: [], words: ["sudo"] } })],
      [],
    ],
    [
      "another feature's constraint",
      [task({ body: "sudo" })],
      [record("CON-003", { scope: 9, forbids: { files: [], words: ["sudo"] } })],
      [],
    ],
    [
      "its own feature's constraint",
      [task({ body: "sudo" })],
      [record("CON-003", { scope: 2, forbids: { files: [], words: ["sudo"] } })],
      ["CON-003 T-1 forbidden-words sudo"],
    ],
    ["a requirement that nobody takes up", [task()], [latency], ["REQ-001 - requirement-missed p95_ms"]],
    ["one whose metric is named", [task({ body: "keep p95_ms low" })], [latency], []],
    ["one whose key is named in a check", [task({ checks: [{ run: "./measure req-001" }] })], [latency], []],
    ["one whose command is a check", [task({ checks: [{ run: "npm run latency" }] })], [latency], []],
    ["one whose command is part of a check", [task({ checks: [{ run: "cd app && npm run latency" }] })], [latency], []],
    ["one that is linked", [task()], [record("REQ-002", { kind: "requirement", tasks: [7] })], []],
    [
      "one of another feature",
      [task({ body: "REQ-003" })],
      [record("REQ-003", { kind: "requirement", scope: 9 })],
      ["REQ-003 - requirement-missed A record"],
    ],
    [
      "one without a measure, and a task that is only drafted",
      [task({ nr: null })],
      [record("REQ-004", { kind: "requirement" })],
      ["REQ-004 - requirement-missed A record"],
    ],
  ])("%s", (_, tasks, records, expected) => {
    expect(kinds(tasks, records)).toEqual(expected);
  });

  it("are told in a sentence each", () => {
    const found = contradictions([task({ files: ["src/legacy/a.ts"], body: "sudo" })], [noLegacy, noInstall, latency]);
    expect(found.map(({ message }) => message)).toEqual([
      'T-1 touches src/legacy/a.ts, which CON-001 "A record" forbids (src/legacy/**).',
      'T-1 says "sudo", which CON-002 "A record" forbids.',
      'No task takes up REQ-001 "A record" (p95_ms <= 200): name REQ-001 in a task or its checks.',
    ]);
  });
});

describe("what a text says", () => {
  it.each([
    ["Uses C++ here", "c++", true],
    ["uses .env files", ".env", true],
    ["数据库迁移", "迁移", true],
    ["größer", "groß", false],
    ["anything", "  ", false],
    ["a-b", "a-b", true],
  ])("%s: %s is %s", (text, words, expected) => {
    expect(says(text, words)).toBe(expected);
  });

  it("finds any words that stand alone in it, whatever characters they have", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (words, rest) => {
        fc.pre(words.trim() !== "");
        expect(says(`${rest} ${words} ${rest}`, words)).toBe(true);
      }),
    );
  });
});

describe("an override", () => {
  const made = { by: "human:ada", at: 1, reason: "the last time" } as const;
  const bans = record("CON-001", { forbids: { files: ["src/legacy/**"], words: ["sudo"] } });
  const approved = task({ files: ["src/legacy/a.ts", "src/legacy/b/**"], body: "sudo", hash: "one" });
  const found = brokenConstraints([approved], [bans]);
  const overridden = (before: KeyedRecord, hash: string): KeyedRecord => ({
    ...before,
    fields: {
      ...before.fields,
      ...overriding(before, found, (id) => ({ T: { task: 7, hash } })[id.slice(0, 1)], made),
    },
  });

  it("holds for the files and words that it was given for, in exactly that content, and for nothing else", () => {
    const after = [overridden(bans, "one")];
    const kindsOf = (over: Partial<JudgedTask>): string[] => kinds([{ ...approved, ...over }], after);
    expect(kindsOf({})).toEqual([]);
    expect(kindsOf({ files: ["src/legacy/b/deep.ts"] })).toEqual([]);
    expect(kindsOf({ files: ["src/legacy/c.ts"] })).toEqual(["CON-001 T-1 forbidden-file src/legacy/c.ts"]);
    expect(kindsOf({ hash: "two" })).toHaveLength(3);
    expect(kindsOf({ nr: 8 })).toHaveLength(3);
    expect(kindsOf({ nr: null })).toHaveLength(3);
  });

  it("replaces what was given for an earlier content, and leaves out what is not approved here", () => {
    const second = overridden(overridden(bans, "one"), "two");
    expect(second.fields.overrides?.map(({ task, hash }) => [task, hash])).toEqual([[7, "two"]]);
    expect(overriding(bans, found, () => undefined, made)).toEqual({ overrides: [] });
    expect(overriding(noLegacy, [], () => undefined, made)).toEqual({ overrides: [] });
  });

  it("gives nothing to a requirement that no task takes up", () => {
    const missed = {
      record: latency.key,
      task: null,
      kind: "requirement-missed",
      what: "p95_ms",
      message: "",
    } as const;
    expect(overriding(latency, [missed], () => ({ task: 7, hash: "one" }), made)).toEqual({ overrides: [] });
  });
});
