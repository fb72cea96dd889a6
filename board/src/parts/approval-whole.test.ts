import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { ApprovalPreview } from "../api/types.js";
import { WholeApproval } from "./approval-whole.js";

const COMMAND = { run: "npm test", cwd: "", expect: null, timeoutS: null, kind: "check", from: ["T-1"], danger: null };
const NODE = { id: "T-1", tier: "task", kind: "work", title: "Do it", body: "", parent: "FEAT-A", dependsOn: [] };
const MORE = { files: [], symbols: [], checks: [], profile: null, budgets: {}, lastApproval: null };
const EMPTY = { hash: "f".repeat(64), nodes: [], commands: [], files: [], anyFile: [], environment: [], records: [] };

/** The words of the page, with marks in brackets. */
function wordsOf(preview: object): string {
  const whole = { ...EMPTY, dropped: [], lostClaims: [], ...preview } as unknown as ApprovalPreview;
  return renderToStaticMarkup(createElement(WholeApproval, { preview: whole }))
    .replaceAll(/<span class="hidden-char"[^>]*>([^<]*)<\/span>/g, "[$1]")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll(/\s+/g, " ");
}

const commandsIn = (...commands: object[]): string =>
  wordsOf({ commands: commands.map((each) => ({ ...COMMAND, network: [], credentials: [], isNew: false, ...each })) });

describe("what the board asks you to approve", () => {
  it("shows how a check has to end, within what time and where, and tells such checks apart", () => {
    const words = commandsIn({ expect: "exit 1" }, { timeoutS: 5, cwd: "web", expect: "0 failed", from: ["T-2"] });
    expect(words).toContain("npm test must exit with 1; for T-1");
    expect(words).toContain("npm test must exit with 0 and print: 0 failed; must end within 5 s; runs in web; for T-2");
  });

  it("marks what is invisible, changes direction or looks like something else, in commands and in what they ask for", () => {
    const words = commandsIn({ run: "npm\u202e test g\u043e \u{e0041}", cwd: "w\u0435b" });
    expect(words).toContain("npm[U+202E] test g[Cyrillic \u043e] [U+E0041]");
    expect(words).toContain("runs in w[Cyrillic \u0435]b");
  });

  it("shows every field of a node, and every word of a record", () => {
    const node = { ...NODE, ...MORE, body: "All\u200bwords", files: ["a.ts"], dependsOn: ["T-0"], profile: "docs" };
    const nodes = [{ ...node, budgets: { attempts: 9 }, checks: [{ run: "true", expect: "exit 3" }] }];
    const record = {
      id: "CON-001",
      kind: "constraint",
      title: "No eval",
      body: "Because of\u202e keys",
      because: "why",
    };
    const rest = {
      alternatives: [],
      forbids: { files: ["*.pem"], words: [] },
      measure: { run: "curl x" },
      baseline: null,
    };
    const words = wordsOf({ nodes, records: [{ ...record, ...rest }], dropped: [{ id: "T-9", title: "Old" }] });
    for (const part of [
      "body: All[U+200B]words",
      'files: ["a.ts"]',
      'dependsOn: ["T-0"]',
      "profile: docs",
      'budgets: {"attempts":9}',
      "check 1: true; must exit with 3",
      "Puts constraint CON-001 in force: No eval",
      "body: Because of[U+202E] keys",
      "because: why",
      '"*.pem"',
      '"curl x"',
      "Drops T-9: Old",
    ])
      expect(words).toContain(part);
  });
});
