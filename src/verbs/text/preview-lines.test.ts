import { expect, it } from "vitest";
import type { ApprovalPreview } from "../../plan/node/approval-preview.js";
import { previewText } from "./preview-lines.js";

it("names twenty tasks of a command that many share, and counts the others", () => {
  const ids = Array.from({ length: 300 }, (_, n) => `T-${n + 1}`);
  const command = { run: "npm test", cwd: "", kind: "check", from: ids, danger: null, network: [], credentials: [] };
  const nothing = { nodes: [], files: [], environment: [], records: [], dropped: [], lostClaims: [] };
  const preview = { ...nothing, commands: [command], anyFile: ids, hash: "cafe" } as unknown as ApprovalPreview;
  const text = previewText(preview);
  expect(text).toContain("check of T-1, T-2,");
  expect(text).toContain("T-20 and 280 more\n    $ npm test");
  expect(text).toContain("T-20 and 280 more name none");
  expect(text).not.toContain("T-21");
});
