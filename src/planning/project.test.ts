import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { surroundingsOf } from "./project.js";

it("reads roadmaps from the root, docs/ and specs/, and the file that you name", async () => {
  const root = mkdtempSync(join(tmpdir(), "planwright-roadmap-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const files = ["ROADMAP.md", "docs/roadmap.md", "specs/Roadmap.md", "plans/next.md"];
  for (const folder of ["docs", "specs", "plans"]) mkdirSync(join(root, folder));
  for (const file of files) writeFileSync(join(root, file), `The words of ${file}.\n`);
  const textsOf = async (roadmap?: string): Promise<string[]> =>
    (await surroundingsOf(root, undefined, "").materials(roadmap)).map(({ text }) => text.trim());
  const found = files.slice(0, 3).map((file) => `The words of ${file}.`);
  expect((await textsOf()).toSorted()).toEqual(found.toSorted());
  expect((await textsOf("plans/next.md")).toSorted()).toEqual([...found, "The words of plans/next.md."].toSorted());
  expect((await textsOf("plans/nothing.md")).toSorted()).toEqual(found.toSorted());
});
