// What can be reached from inside a sandbox, as a list: whatever is not named here is not there. The system is read-only, so are the
// programs of the PATH, and the home folder is another one.

import { type Dirent, existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isInside, namesInFolder } from "../../base/paths.js";
import { objectFolders } from "../git/repository.js";
import { type WorkingTree, workingTreeAt } from "../git/working-tree.js";

/** A place inside, and what of this machine lies there. */
export interface Mount {
  readonly at: string;
  readonly from: string;
  readonly access: "read" | "write";
}

/** Folders of the system. Those that are links at the top, such as `/bin`, are the same links inside. */
export const SYSTEM: readonly string[] =
  `/usr /etc /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /gnu /snap /run/current-system /home/linuxbrew/.linuxbrew
   /var/lib/gems /var/lib/ca-certificates /var/usrlocal /sys/devices/system/cpu /sys/fs/cgroup`.split(/\s+/);

/** Variables that name the folder of a compiler, an interpreter or a version manager, and no settings with passwords. */
const TOOL_VARIABLES = `JAVA_HOME MAVEN_HOME GRADLE_HOME ANDROID_HOME ANDROID_SDK_ROOT DOTNET_ROOT GOROOT RUSTUP_HOME
  PYENV_ROOT RBENV_ROOT VIRTUAL_ENV CONDA_PREFIX NVM_DIR FNM_DIR VOLTA_HOME BUN_INSTALL PNPM_HOME
  ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR SDKMAN_DIR HOMEBREW_PREFIX`.split(/\s+/);

/** Where tools that are on the PATH of many people keep the rest of themselves, below the home folder. */
const TOOL_FOLDERS = [".rustup", ".local/lib"];

type Variables = Readonly<Record<string, string>>;

const isSystem = (path: string): boolean => SYSTEM.some((folder) => isInside(path, folder));

const realOf = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

/** Under its own name and under the one that it has without links: programs ask for both. */
const mounts = (path: string, access: Mount["access"]): Mount[] => {
  const from = realOf(path);
  return from === undefined ? [] : [...new Set([path, from])].map((at) => ({ at, from, access }));
};

const IN_HOMES = [".local", ".cargo", ".config", ".cache"];

/** Folders that hold more than programs: of these only the folder of the programs itself is let in. Every home folder is one. */
function isShared(folder: string, home: string | undefined): boolean {
  if (dirname(folder) === folder || [".ssh", ".config"].some((name) => existsSync(join(folder, name)))) return true;
  return [home, homedir()].some(
    (each) => each !== undefined && (isInside(each, folder) || IN_HOMES.some((name) => folder === join(each, name))),
  );
}

/** Beside `bin`, these show that a folder is an installation and not a project. */
const OF_INSTALLATIONS = ["lib", "libexec", "share", "pkg", "tools", "install", "installs", "versions"];

/** The installation that a folder of programs belongs to: what lies beside `bin`. */
function installation(folder: string, home: string | undefined): string {
  const [around, name] = [dirname(folder), basename(folder)];
  if (isShared(around, home)) return folder;
  const isWhole = (): boolean => {
    const names = new Set(namesInFolder(around));
    return !names.has(".git") && OF_INSTALLATIONS.some((each) => names.has(each));
  };
  return name === ".bin" || name === "shims" || (/^s?bin$/.test(name) && isWhole()) ? around : folder;
}

/** The package around a file, if it is in one. A checkout is not let in, although it may be a package. */
function packageOf(file: string, home: string | undefined): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder) && !isShared(folder, home); folder = dirname(folder)) {
    if ([".git", ".planwright"].some((name) => existsSync(join(folder, name)))) return undefined;
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  return undefined;
}

/** The installation that a program belongs to: its package, if it has one. */
function installationOf(program: string, home: string | undefined): string | undefined {
  const file = realOf(program);
  if (file === undefined || isSystem(file)) return undefined;
  const whole = packageOf(file, home);
  if (whole !== undefined) return whole;
  const folder = dirname(file);
  const around = installation(folder, home);
  // In a folder with other things, such as a home folder, the program comes alone.
  return around === folder || isShared(around, home) ? file : around;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The program of a command, and files that its words name by their full path, each with its package or its installation. */
export function wordsIn(words: readonly string[], home: string | undefined): Mount[] {
  const files = words.filter((word) => isAbsolute(word) && !isSystem(word) && isFile(word));
  return files.flatMap((file) => {
    const folder = dirname(file);
    const around = installation(folder, home);
    const whole = packageOf(realOf(file) ?? file, home);
    return [
      ...(around === folder ? [] : mounts(around, "read")),
      ...mounts(whole ?? file, "read"),
      ...mounts(file, "read"),
    ];
  });
}

/** A link there to anything else, such as a key, lets nothing in. */
const isProgram = (path: string): boolean => isFile(path) && (statSync(path).mode & 0o111) !== 0;

/** Links in a folder of programs lead to where the programs are: `~/.local/bin/x` is often one of them. */
function linkedFrom(folder: string, home: string | undefined): string[] {
  const links = namesInFolder(folder).map((name) => join(folder, name));
  const targets = links.filter(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && isProgram(path),
  );
  return targets.flatMap((path) => installationOf(path, home) ?? []);
}

/** `checkout`: the person's own. What lies there is theirs, not an installation. */
function programs({ PATH = "", HOME: home, ...variables }: Variables, checkout: string | undefined): string[] {
  const isTool = (path: string | undefined): path is string =>
    path !== undefined &&
    isAbsolute(path) &&
    !isSystem(path) &&
    !isShared(path, home) &&
    !(checkout !== undefined && isInside(path, checkout));
  const folders = PATH.split(delimiter).filter(isTool);
  return [
    ...folders.flatMap((folder) => [installation(folder, home), ...linkedFrom(folder, home)]),
    ...TOOL_VARIABLES.map((name) => variables[name]).filter(isTool),
    ...(home === undefined ? [] : TOOL_FOLDERS.map((name) => join(home, name))),
  ];
}

let remembered: { readonly key: string; readonly folders: readonly string[] } | undefined;

/** Looking costs some milliseconds where there are many version managers, and each attempt asks several times. */
function programsOnce(env: Variables, checkout: string | undefined): readonly string[] {
  const key = JSON.stringify([checkout, ...["PATH", "HOME", ...TOOL_VARIABLES].map((name) => env[name])]);
  if (remembered?.key !== key) remembered = { key, folders: programs(env, checkout) };
  return remembered.folders;
}

/** What the git of a worktree reads: objects, and the folders of its submodules. Its branches and settings are not among them. */
function objectsOf({ gitDir, commonDir }: WorkingTree): string[] {
  const modules = [gitDir, commonDir].map((folder) => join(folder, "modules"));
  return [...objectFolders(commonDir), ...modules].filter((path) => existsSync(path));
}

/** Found from outside: what a worker makes of its own git folder leads nowhere. */
function repositoryOf(worktree: string): string[] {
  const tree = workingTreeAt(worktree);
  return tree === undefined ? [] : objectsOf(tree);
}

export interface ReachInput {
  readonly root: string;
  readonly worktree: string;
  readonly env: Variables;
  /** What may be done in the worktree. */
  readonly access?: Mount["access"];
  /** What the settings let in besides, and folders that the engine itself gives. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  /** The folder with the key of the person: nothing lets it in. */
  readonly hidden?: string | undefined;
  /** What else lies in the worktree, from elsewhere. Only bubblewrap can do that. */
  readonly laid?: readonly Mount[];
}

/** `~` is the person's own home folder. */
const expand = (path: string, { root, env }: ReachInput): string =>
  path === "~" || path.startsWith("~/") ? join(env["HOME"] ?? "/", path.slice(2)) : resolve(root, path);

/** All that is there besides the system and what the sandbox makes itself. Parents come first, so that what lies deeper counts. */
export function reach(place: ReachInput): Mount[] {
  const { root, worktree, env, access = "write", readable = [], writable = [], laid = [] } = place;
  const [cache, tmp] = [env["PLANWRIGHT_CACHE"], env["PLANWRIGHT_TMP"]];
  const reads = [...programsOnce(env, root), ...repositoryOf(worktree), ...readable.map((path) => expand(path, place))];
  const writes = [...writable.map((path) => expand(path, place)), cache, tmp];
  const all = [
    ...reads.flatMap((path) => mounts(path, "read")),
    ...writes.flatMap((path) => (path === undefined ? [] : mounts(path, "write"))),
    ...mounts(worktree, access),
    ...laid.flatMap((mount) => [
      mount,
      { ...mount, at: join(realOf(worktree) ?? worktree, relative(worktree, mount.at)) },
    ]),
  ];
  const byPlace = new Map(all.filter(({ from }) => !touches(from, place.hidden)).map((mount) => [mount.at, mount]));
  return withoutInner([...byPlace.values()].sort((a, b) => a.at.length - b.at.length));
}

/** Whether one is in the other. */
const touches = (path: string, hidden: string | undefined): boolean => {
  const folder = hidden === undefined ? undefined : (realOf(hidden) ?? hidden);
  return folder !== undefined && (isInside(path, folder) || isInside(folder, path));
};

/** A setting that would let the key in; undefined if none does. */
export const lettingKeyIn = (place: ReachInput): string | undefined =>
  [...(place.readable ?? []), ...(place.writable ?? [])].find((path) => {
    const asked = expand(path, place);
    return touches(realOf(asked) ?? asked, place.hidden);
  });

/** What lies in a folder that is let in anyway is there already. Each place takes time to make. */
const withoutInner = (sorted: readonly Mount[]): Mount[] =>
  sorted.reduce<Mount[]>((kept, mount) => {
    const around = kept.findLast(({ at }) => isInside(mount.at, at));
    const isThere =
      around?.access === mount.access && relative(around.at, mount.at) === relative(around.from, mount.from);
    return isThere ? kept : [...kept, mount];
  }, []);

/** Where links lead out of `/etc` on many systems: to name servers, certificates, time zones. */
const WITH_LINKS = ["", "ssl", "pki", "pki/tls", "pki/tls/certs", "pki/ca-trust/extracted", "ca-certificates"];

/** Empty where we may not look. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const hasSockets = (folder: string): boolean => entriesOf(folder).some((entry) => entry.isSocket() || entry.isFIFO());

/** A file, or a folder of data. A folder of `/run` holds sockets sooner or later. */
function isData(path: string, run: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true || (found?.isDirectory() === true && !isInside(path, run) && !hasSockets(path));
}

/** What links in `/etc` name in `/var` and `/run`, which are empty inside otherwise. Each lies where the link says. */
export function linkedFromSystem(etc = "/etc", outside: readonly [string, string] = ["/var", "/run"]): Mount[] {
  const [, run] = outside;
  return WITH_LINKS.flatMap((name) => {
    const folder = realOf(join(etc, name));
    return (folder === undefined ? [] : targetsIn(folder)).flatMap((at): Mount[] => {
      if (isSystem(at) || !outside.some((each) => isInside(at, each))) return [];
      const from = realOf(at);
      return from !== undefined && isData(from, run) ? [{ at, from, access: "read" }] : [];
    });
  });
}

/** Where the links in a folder lead: one step, as their text says. */
function targetsIn(folder: string): string[] {
  const links = entriesOf(folder).filter((entry) => entry.isSymbolicLink());
  return links.map(({ name }) => resolve(folder, readlinkSync(join(folder, name))));
}
