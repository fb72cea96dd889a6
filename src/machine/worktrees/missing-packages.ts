// Packages that the project needs and a tree does not have: checks would fail for a reason that is not the work's.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";

interface PackageManager {
  readonly lock: string;
  /** What it fills. */
  readonly folder: string;
  readonly command: string;
}

const MANAGERS: readonly PackageManager[] = [
  { lock: "package-lock.json", folder: "node_modules", command: "npm ci" },
  { lock: "npm-shrinkwrap.json", folder: "node_modules", command: "npm ci" },
  { lock: "pnpm-lock.yaml", folder: "node_modules", command: "pnpm install --frozen-lockfile" },
  { lock: "yarn.lock", folder: "node_modules", command: "yarn install --immutable" },
  { lock: "bun.lock", folder: "node_modules", command: "bun install --frozen-lockfile" },
  { lock: "bun.lockb", folder: "node_modules", command: "bun install --frozen-lockfile" },
  { lock: "uv.lock", folder: ".venv", command: "uv sync --frozen" },
];

/** A lock file of npm may name the project alone. */
const namesPackages = (file: string): boolean =>
  !file.endsWith(".json") || readPlainFile(file).includes('"node_modules/');

/** What would install them, or undefined if nothing is missing that we know of. */
export function missingPackages(tree: string): PackageManager | undefined {
  if (existsSync(join(tree, ".pnp.cjs"))) return undefined;
  return MANAGERS.find(
    ({ lock, folder }) =>
      existsSync(join(tree, lock)) && !existsSync(join(tree, folder)) && namesPackages(join(tree, lock)),
  );
}

export const missingPackagesNotice = ({ lock, folder, command }: PackageManager): string =>
  `${folder} is missing although the project has ${lock}, so checks may fail. Run ${command} in the main checkout, or set execution.setup to ["${command}"].`;
