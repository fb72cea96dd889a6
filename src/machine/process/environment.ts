// The environment of a child that we do not trust with ours: what any program needs, and what the settings name. A model
// that is talked into printing its environment, or a test that logs it, has little to print.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** What any program needs, also behind a proxy. Windows starts nothing without those of the last line. */
const COMMON = `PATH HOME USER LOGNAME SHELL TMPDIR TZ LANG LANGUAGE LC_* XDG_*
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR
  SYSTEMROOT COMSPEC PATHEXT APPDATA LOCALAPPDATA USERPROFILE TEMP TMP`.split(/\s+/);

const covers = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Where compilers, interpreters and package managers are. Their tokens have other names. */
const TOOLS = `TERM COLORTERM NO_COLOR FORCE_COLOR CI CC CXX LD_LIBRARY_PATH DYLD_LIBRARY_PATH PKG_CONFIG_PATH
  NODE_PATH NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR
  PYTHONPATH PYENV_ROOT PYENV_VERSION VIRTUAL_ENV CONDA_PREFIX GEM_HOME GEM_PATH RBENV_ROOT RBENV_VERSION
  CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME RUSTUP_TOOLCHAIN GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOTOOLCHAIN
  JAVA_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME ANDROID_SDK_ROOT DOTNET_ROOT
  ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR SDKMAN_DIR HOMEBREW_PREFIX NIX_PATH NIX_PROFILES`.split(/\s+/);

/** Variables that describe an attempt: a check that a worker starts by hand may ask for its ports too. */
const OURS = `PLANWRIGHT_ACTOR PLANWRIGHT_ATTEMPT PLANWRIGHT_BUNDLE PLANWRIGHT_CACHE PLANWRIGHT_PORT PLANWRIGHT_PORTS
  PLANWRIGHT_TASK PLANWRIGHT_TMP PLANWRIGHT_WORKSPACE PLANWRIGHT_WORKTREE`.split(/\s+/);

export type Environment = Readonly<Record<string, string | undefined>>;

/** Of `environment`, the variables that are common, and those that are named; `*` at the end stands for any ending. */
export function environmentFor(environment: Environment, named: readonly string[]): Record<string, string> {
  const wanted = [...COMMON, ...named];
  const isNamed = (name: string): boolean => named.some((pattern) => covers(pattern, name));
  return Object.fromEntries(
    Object.entries(environment)
      .filter(
        (entry): entry is [string, string] =>
          entry[1] !== undefined && entry[0] !== PERSONS && wanted.some((pattern) => covers(pattern, entry[0])),
      )
      .map(([name, value]) => [name, PROXY.test(name) && !isNamed(name) ? withoutPassword(value) : value]),
  );
}

/** Proves that a person asks, so no setting hands it to a worker or a check. */
const PERSONS = "PLANWRIGHT_SECRET";

const PROXY = /_proxy$/i;

/** A program that needs the password gets it if the settings name the variable. */
const withoutPassword = (address: string): string => address.replace(/^((?:[a-z][\w+.-]*:)?\/\/)?[^/]*@/i, "$1");

/** For commands that build and test: checks, set-up commands, the shell worker. */
export const commandEnvironment = (environment: Environment, named: readonly string[]): Record<string, string> =>
  environmentFor(environment, [...TOOLS, ...OURS, ...named]);

/** Our whole environment with changes, for programs that we trust. An undefined value removes a name. */
export const inherit = (changes: Environment): NodeJS.ProcessEnv => ({ ...process.env, ...changes });

/** Sets a variable to what it is: the system then keeps it in another place. */
export function copyVariable(name: string, value: string): void {
  if (process.env[name] === value) process.env[name] = value;
}

// Finds a command as a shell would, without starting one.

/** Not asynchronous: `why` looks for ten agents in every folder of the PATH, and the answers are there within microseconds. */
export function isExecutable(file: string): boolean {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A relative folder of a PATH would be one of the folder that a command works in, where a worker can put a program. */
const absoluteFolders = (path = ""): string[] => path.split(delimiter).filter((folder) => isAbsolute(folder));

export const absolutePath = (path?: string): string => absoluteFolders(path).join(delimiter);

/** The file that `command` starts, or undefined. A command with a slash is a path, taken from `cwd`. */
export function findCommand(command: string, path: string | undefined, cwd: string): string | undefined {
  if (command === "") return undefined;
  const candidates = command.includes("/")
    ? [resolve(cwd, command)]
    : absoluteFolders(path).map((folder) => join(folder, command));
  return candidates.find(isExecutable);
}
