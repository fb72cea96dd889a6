import { describe, expect, it } from "vitest";
import { parseDiff } from "./parse-diff.js";

const DIFF = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
 same
-old
+new
diff --git a/image.png b/image.png
Binary files differ
`;

describe("a diff", () => {
  it("is read file by file", () => {
    const files = parseDiff(DIFF);
    expect(files.map(({ path, added, removed }) => [path, added, removed])).toEqual([
      ["src/a.ts", 1, 1],
      ["image.png", 0, 0],
    ]);
    expect(files[0]?.lines.map(({ kind }) => kind)).toEqual(["hunk", "same", "del", "add"]);
  });

  it.each(["", "no diff at all"])("%j has no files", (text) => expect(parseDiff(text)).toEqual([]));
});
