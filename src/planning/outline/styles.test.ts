// Documents of many styles and languages: what becomes a task, what is left out and why, and what is asked.

import { describe, expect, it } from "vitest";
import { lintDraft } from "../lint/lint.js";
import { parseSpec } from "../spec/parse.js";
import { outlineCapabilities, outlineClarification, outlineFiles, outlineTasks } from "./outline.js";

function planOf(text: string) {
  const spec = parseSpec(text);
  const map = outlineCapabilities(spec);
  const files = outlineFiles(spec, map, { files: [] });
  const draft = outlineTasks(spec, map, files, {});
  const level = "normal";
  const { coverage } = lintDraft({ draft, map, files, spec, hasTool: () => true, asStated: true, level, mode: "full" });
  return { draft, coverage, questions: outlineClarification(spec).questions };
}

const titles = (text: string): string[] => planOf(text).draft.tasks.map(({ title }) => title);
const optionsOf = (text: string): string[][] =>
  planOf(text).questions.map(({ options }) => options.map(({ label }) => label));
const notUnderstood = (text: string): number | undefined => planOf(text).coverage?.notUnderstood;

describe("a decision record", () => {
  const text = `# ADR 7: Move sessions to Redis

## Context

Each server keeps its sessions in memory.

## Decision

We will store sessions in Redis. Sessions shall expire after 30 minutes.

- Add a store behind the interface
- Keep the store in memory for tests

## Considered options

- PostgreSQL: slower
- Signed cookies: cannot be revoked

## Consequences

- Deploys keep sessions

## Follow-ups

- [ ] Write a runbook
- [x] Ask for an instance
`;

  it("asks for what its decision needs, and for none of its options", () => {
    expect(titles(text)).toEqual([
      "Sessions shall expire after 30 minutes",
      "Add a store behind the interface",
      "Write a runbook",
    ]);
    expect(notUnderstood(text)).toBe(0);
  });
});

describe("a numbered RFC", () => {
  const text = `# RFC 42: Webhooks

- Status: Draft
- Author: M. Example

## 1. Introduction

This document says how webhooks are delivered. The key words MUST and SHOULD are to be interpreted as described in RFC 2119.

## 2. Delivery

### 2.1. Request

The sender MUST send a POST request.

### 2.2. Retries

The sender MUST retry after a failure.

## 3. IANA considerations

This document has no IANA actions.

## 4. Open issues

1. Maximum size: TBD (256 kB or 1 MB)
`;

  it("has a task for each part of the protocol, and none for how to read it", () => {
    expect(titles(text)).toEqual(["Request", "Retries"]);
    expect(optionsOf(text)).toEqual([["256 kB", "1 MB"]]);
    expect(notUnderstood(text)).toBe(0);
  });

  it("is cut into features of two to eight tasks, between its headings", () => {
    const parts = Array.from({ length: 18 }, (_, i) => `### Rule ${i + 1}\n\nRule ${i + 1} must be applied.\n`);
    const { features, tasks } = planOf(
      `# RFC\n\n## Background\n\nIt is old.\n\n## Specification\n\n${parts.join("\n")}`,
    ).draft;
    const sizes = features.map(({ id }) => tasks.filter(({ parent }) => parent === id).length);
    expect(sizes).toEqual([6, 6, 6]);
    expect(features.map(({ title }) => title)).toEqual(["Specification", "Rule 7 and 5 more", "Rule 13 and 5 more"]);
  });

  it("cuts a long list as well, and leaves one of twelve whole", () => {
    const list = (count: number): string =>
      `# Shop\n\n## Tasks\n\n${Array.from({ length: count }, (_, i) => `- Add page ${i + 1}\n`).join("")}`;
    const sizes = (count: number): number[] => {
      const { features, tasks } = planOf(list(count)).draft;
      return features.map(({ id }) => tasks.filter(({ parent }) => parent === id).length);
    };
    expect([sizes(12), sizes(13), sizes(40)]).toEqual([[12], [7, 6], [8, 8, 8, 8, 8]]);
  });
});

describe("tables", () => {
  it("of requirements keep their checks, and drop what any column drops", () => {
    const text = `# Garage

## Requirements

| ID | Requirement | Priority | Status | Verification |
|---|---|---|---|---|
| REQ-001 | Count cars that enter | Must | Open | \`pytest tests/count.py\` |
| REQ-002 | Open the barrier | Must | Done | Test |
| REQ-003 | Report to the cloud | Could | Deferred | Test |

## Traceability matrix

| ID | Test |
|---|---|
| REQ-001 | T-1 |
`;
    const { tasks } = planOf(text).draft;
    expect(tasks.map(({ title, checks }) => [title, checks.map(({ run }) => run)])).toEqual([
      ["Count cars that enter", ["pytest tests/count.py"]],
    ]);
  });

  it("of stakeholders' requirements are work", () => {
    const text = `# Cameras

## Stakeholder requirements

| Stakeholder | Requirement | Priority |
|---|---|---|
| Owner | View live video | High |
| Admin | Restore a backup | Low |
`;
    expect(planOf(text).draft.tasks.map(({ title, priority }) => [title, priority])).toEqual([
      ["Owner: View live video", 1],
      ["Admin: Restore a backup", 3],
    ]);
  });

  it("of hardware, versions and figures are none; a service is titled by what it does", () => {
    const text = `# Cameras

## Technical requirements

### Server

| Component | Minimum | Recommended |
|---|---|---|
| CPU | 4 cores | 8 cores |

### Dependencies

| Component | Version | Purpose |
|---|---|---|
| Redis | 7.x | Job queue |

### Storage

| Scenario | Cameras | Daily | Monthly |
|---|---|---|---|
| Low | 5 | ~3 GB | ~90 GB |
| High | 5 | ~15 GB | ~450 GB |

### Services

| Service | Port | Description |
|---|---|---|
| Listener | N/A | Background worker for events |
| Cleaner | 80 | Removes old files |
`;
    expect(titles(text)).toEqual(["Listener: Background worker for events", "Cleaner: Removes old files"]);
  });
});

describe("scenarios", () => {
  it("are a task each, below their feature", () => {
    const text = `Feature: Login

  Scenario: valid password
    Given a user
    When they enter the right password
    Then they see the dashboard

  Scenario: locked account
    Given a user with five failed attempts
    When they log in
    Then they see that the account is locked
`;
    const { features, tasks } = planOf(text).draft;
    expect([features.map(({ title }) => title), tasks.map(({ title }) => title)]).toEqual([
      ["Login"],
      ["Valid password", "Locked account"],
    ]);
    expect(tasks[0]?.body).toContain("Then they see the dashboard");
  });

  it("a story over several lines is one", () => {
    const text = "# Cart\n\n## Totals\n\nAs a shopper\nI want to see the total\nSo that I know what I will pay\n";
    expect(titles(text)).toEqual(["Totals"]);
    expect(notUnderstood(text)).toBe(0);
  });
});

describe("stories with criteria and notes", () => {
  it("are one task each, with their own checks and priority", () => {
    const text = `# Library

## Must have

### US-1: Borrow a book
As a member, I want to borrow a book.

**Acceptance Criteria:**
- \`npm test -- borrow\` passes

### US-2: Return a book
As a member, I want to return a book.

#### Acceptance criteria
1. The book is free again

#### Notes
Use the index that is there.

## Could have

- Reserve a book

## Won't have

- E-books
`;
    const { tasks } = planOf(text).draft;
    expect(tasks.map(({ title, checks, priority }) => [title, checks.length, priority])).toEqual([
      ["Borrow a book", 1, undefined],
      ["Return a book", 0, undefined],
      ["Reserve a book", 0, 3],
    ]);
  });
});

describe("marks", () => {
  it("show how far something is, and are no part of a title", () => {
    const text = "# Tasks\n\n## Backend\n\n- ✅ Set up CI\n- 🚧 Add a limit\n- ⬜ Rotate the password\n";
    expect(titles(text)).toEqual(["Add a limit", "Rotate the password"]);
  });

  it("of bold lines are headings, also with their text on the next line", () => {
    const text = `**Project: Time tracker**

**Goal**
Track hours per project.

**Features**
- start a timer
- export a month

**Not included**
- invoices

**Open questions**
- one timer or several at once?

**Tech:** Go, SQLite

**Timeline:** 2 weeks
`;
    expect(titles(text)).toEqual(["Start a timer", "Export a month"]);
    expect(optionsOf(text)).toEqual([["one timer", "several at once"]]);
    expect(notUnderstood(text)).toBe(0);
  });
});

describe("notes of a meeting", () => {
  it("keep what a person is to do, though it looks like an entry about the meeting", () => {
    const text = `Weekly sync, 12 March
Attendees: Ann, Bob

- Import must handle 2 GB
- Ann: write the parser by Friday
- next meeting: 19 March
`;
    expect(titles(text)).toEqual(["Import must handle 2 GB", "Ann: write the parser by Friday"]);
  });
});

describe("the prose of an interface", () => {
  it("is one task for each call, with its attributes and parameters", () => {
    const text = `# Notes API

## Create a note

Creates a note for the user.

- **Method**: POST
- **Path**: \`/notes\`
- **Response**: 201

## List notes

Returns the newest notes first.

| Parameter | Type |
|---|---|
| limit | integer |
| cursor | string |

## Delete a note

- **Method**: DELETE
- **Response**: 204
`;
    const { tasks } = planOf(text).draft;
    expect(tasks.map(({ title }) => title)).toEqual(["Create a note", "List notes", "Delete a note"]);
    expect(tasks[0]?.body).toContain("/notes");
    expect(tasks[1]?.body).toContain("cursor");
  });

  it("a constraint among the users holds for every task", () => {
    const text = `# Ports

## Target users

- **Primary**: developers
- **Constraint**: the tool must work without an agent

## Use cases

1. Claim a port
2. Release a port
`;
    const { tasks } = planOf(text).draft;
    expect(tasks.map(({ title }) => title)).toEqual(["Claim a port", "Release a port"]);
    expect(tasks[0]?.steelThread).toBe(true);
    for (const { body } of tasks) expect(body).toContain("must work without an agent");
  });
});

describe("small signs", () => {
  it.each([
    [
      "an open box among ticked milestones",
      "# Tool\n\n## Work\n\n- Add search\n\n## Milestones\n\n1. ✅ **M1:** read\n2. ⬜ **M2:** polish\n",
      ["Add search", "Polish"],
    ],
    [
      "questions that a product answers",
      "# Tool\n\n## Purpose\n\nQuestions it must answer at once:\n\n- Where was X mentioned\n\n## Work\n\n- Add search\n",
      ["Questions it must answer at once", "Add search"],
    ],
    ["names in code", "# Tool\n\n## Work\n\n- Read `~/<folder>/<id>.json`\n", ["Read ~/<folder>/<id>.json"]],
    [
      "a story of the system",
      "# Tool\n\n## Work\n\n- As the system, I want to read data in parts so that I can go on\n",
      ["Read data in parts"],
    ],
    [
      "a label with a version",
      "# Tool\n\n## Work\n\n- Add search\n\nNon-goals (v1): editing, syncing.\n",
      ["Add search"],
    ],
    [
      "text that goes on about itself",
      "# Stories\n\nThis page lists the goals. It holds what the system should do.\n\n## Work\n\n- Add search\n",
      ["Add search"],
    ],
  ])("%s", (_, text, expected) => {
    expect(titles(text)).toEqual(expected);
    expect(planOf(text).questions).toEqual([]);
  });

  it("a long list without a heading has parts with names", () => {
    const text = Array.from({ length: 15 }, (_, i) => `- Add page ${i + 1}\n`).join("");
    expect(planOf(text).draft.features.map(({ title }) => title)).toEqual(["Part 1 of 2", "Part 2 of 2"]);
  });
});

describe("other languages", () => {
  it.each([
    [
      "German",
      "# Lastenheft\n\n## Ausgangslage\n\nAlles steht in einer Tabelle.\n\n## Zielgruppe\n\n- Vorstand\n\n## Funktionale Anforderungen\n\n- LF10: Das System muss Mitglieder anlegen.\n\n## Abgrenzung\n\n- Keine App\n\n## Offene Fragen\n\n- Hosting: intern oder Cloud?\n\n## Glossar\n\n- **Mitglied**: Person mit Vertrag\n\n## Ausblick\n\n- DATEV\n\n## Nutzer und Umfeld\n\n- Einzelplatz\n",
      ["Das System muss Mitglieder anlegen"],
      [["intern", "Cloud"]],
    ],
    [
      "French",
      "# Cave\n\n## Contexte\n\nLa cave est sur papier.\n\n## Exigences fonctionnelles\n\n- Le système doit alerter\n\n## Hors périmètre\n\n- Vente\n\n## Glossaire\n\n- **Millésime** : année\n",
      ["Le système doit alerter"],
      [],
    ],
    [
      "Spanish",
      "# Reservas\n\n## Introducción\n\nReservas de canchas.\n\n## Requisitos\n\n1. RF-01 El usuario debe poder registrarse.\n\n## Fuera del alcance\n\n- Pagos\n",
      ["El usuario debe poder registrarse"],
      [],
    ],
    [
      "Chinese",
      "# 需求文档\n\n## 背景\n\n大家用表格。\n\n## 目标用户\n\n- 开发者\n\n## 功能需求\n\n### 创建\n- **功能**: 注册\n- **输入**: 名称\n\n### 列表\n- **功能**: 查询\n- **输出**: 名称\n\n## 配置参数\n\n- 地址\n- 端口\n\n## 未来展望\n\n- 分享\n",
      ["创建", "列表", "配置参数"],
      [],
    ],
  ])("%s headings say what is work and what is not", (_, text, expected, options) => {
    expect(titles(text)).toEqual(expected);
    expect(optionsOf(text)).toEqual(options);
    expect(notUnderstood(text)).toBe(0);
  });
});
