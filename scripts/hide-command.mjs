// A PATH on which commands are missing, for a look at a machine that does not have them. Folders that hold one are replaced by
// folders of links to everything else in them.
//
//   node scripts/hide-command.mjs bwrap npm test

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const holds = (folder, names) => names.some((name) => existsSync(join(folder, name)));

/** The folders of links go when this process ends. */
export function hideCommands(names, path = process.env.PATH ?? "") {
  const folders = path.split(delimiter);
  if (!folders.some((folder) => holds(folder, names))) return path;
  const around = mkdtempSync(join(tmpdir(), "planwright-path-"));
  process.on("exit", () => rmSync(around, { recursive: true, force: true }));
  // Tests start programs as other users.
  chmodSync(around, 0o755);
  const linked = folders.map((folder, i) => {
    if (!holds(folder, names)) return folder;
    const links = join(around, String(i));
    mkdirSync(links);
    const others = readdirSync(folder).filter((each) => !names.includes(each));
    for (const each of others) symlinkSync(join(folder, each), join(links, each));
    return links;
  });
  return linked.join(delimiter);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, command, ...args] = process.argv.slice(2);
  const env = { ...process.env, PATH: hideCommands([name]) };
  const { status, error } = spawnSync(command, args, { stdio: "inherit", env });
  if (error) console.error(error.message);
  process.exit(status ?? 1);
}
