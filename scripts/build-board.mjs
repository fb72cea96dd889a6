// Builds the page of the board into dist/board, if anything that it is made from has changed since the last time.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = "board";
const MARK = "dist/board/sources.sha256";

const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path, name }) => join(parentPath ?? path, name))
    .sort();

function hashOfSources() {
  const hash = createHash("sha256");
  for (const file of [...filesIn(SOURCES), "package-lock.json"])
    hash.update(file).update("\0").update(readFileSync(file));
  return hash.digest("hex");
}

const sources = hashOfSources();
if (!existsSync(MARK) || readFileSync(MARK, "utf8") !== sources) {
  // Whoever starts this, tests too: the page is the one that users get.
  process.env.NODE_ENV = "production";
  const { build } = await import("vite");
  await build({ root: SOURCES, configFile: join(SOURCES, "vite.config.ts"), logLevel: "warn" });
  writeFileSync(MARK, sources);
}
