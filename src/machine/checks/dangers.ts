// What no check may do, because checks run unattended: destroy, publish, become another user, or leave the
// workspace. This keeps honest plans from harm; it is no sandbox, and a person still approves each command.

import { isShell, readCommands, type ShellCommand } from "./shell-words.js";

/** Why the command is dangerous, as the end of a sentence; nothing, if it is not. */
export function dangerIn(line: string, cwd = ""): string | undefined {
  if (/:\s*\(\s*\)\s*\{[^}]{0,200}:\s*\|\s*:/.test(line)) return "starts itself without end";
  const commands = readCommands(line);
  const scratch = commands.some(({ name }) => name === "mktemp");
  let here = cwd;
  for (const command of commands) {
    const changesFolder = command.name === "cd";
    const leaving = changesFolder ? leaves(command, here) : undefined;
    const danger = judge(command, scratch) ?? writesOutside(command, here) ?? leaving;
    if (danger !== undefined) return danger;
    if (changesFolder) here = pathWithin(here, command.args[0] ?? "") ?? "";
  }
  return undefined;
}

const FORBIDDEN: ReadonlyMap<string, string> = new Map([
  ...["sudo", "doas", "su", "pkexec"].map((name) => [name, "becomes another user"] as const),
  ...["mkfs", "shutdown", "reboot", "halt", "poweroff", "fdisk", "wipefs", "shred"].map(
    (name) => [name, "can destroy the machine's data or stop it"] as const,
  ),
  ...["killall", "pkill"].map((name) => [name, "ends processes by name, also those of others"] as const),
  ...["ssh", "scp", "sftp", "nc", "ncat", "telnet", "ftp"].map((name) => [name, "reaches another machine"] as const),
  ...["crontab", "systemctl", "launchctl", "at"].map((name) => [name, "changes what the machine runs"] as const),
]);

const DISCARDING = /^(-C \S+ |-c \S+ )*(reset\b.*--hard|clean\b.*-\w*f|stash\b|checkout\b.* -- |branch\b.* -D )/;

/** Programs and the words that make them dangerous. */
const WORDS: readonly (readonly [name: RegExp, words: RegExp, why: string])[] = [
  [/^git$/, /^(-C \S+ |-c \S+ )*(push|send-email)\b/, "publishes commits"],
  [/^git$/, DISCARDING, "throws work away"],
  [/^git$/, /^(?=[\s\S]*?\bconfig\b)[\s\S]*--(global|system)\b/, "changes settings outside of the workspace"],
  [
    /^(npm|pnpm|yarn|bun|cargo|poetry|uv|gem|hex|mix)$/,
    /^(publish|unpublish|push|login|owner|token|hex\.publish)\b/,
    "publishes",
  ],
  [/^twine$/, /^upload\b/, "publishes"],
  [/^(docker|podman)$/, /^(push|login|system prune)\b/, "publishes or throws away images"],
  [
    /^(kubectl|helm|terraform|tofu|pulumi)$/,
    /^(apply|delete|destroy|install|upgrade|uninstall|up|replace)\b/,
    "changes a running system",
  ],
  [/^gh$/, /^(release|repo|pr|issue|secret|workflow|api)\b/, "changes things on GitHub"],
  [
    /^(planwright|pw)$/,
    /^(approve|unapprove|accept|waive|drop|answer|undo|complete|init|archive|freeze|thaw)\b/,
    "decides about the plan itself",
  ],
  [/^dd$/, /\bof=\/dev\//, "writes to a device"],
  [/^rsync$/, /\S:/, "reaches another machine"],
  [/^kill$/, /(^| )-1\b|-9 -1\b/, "ends processes that it did not start"],
];

const FETCHERS = /^(curl|wget|fetch|http)$/;

const bare = (name: string): string => name.replace(/^.*\//, "");

function judge(command: ShellCommand, scratch: boolean): string | undefined {
  const name = bare(command.name);
  const known = FORBIDDEN.get(name) ?? (name.startsWith("mkfs.") ? FORBIDDEN.get("mkfs") : undefined);
  if (known !== undefined) return known;
  const said = `${command.args.join(" ")} `;
  const worded = WORDS.find(([program, words]) => program.test(name) && words.test(said));
  if (worded) return worded[2];
  const hasScript = command.args.some((word) => !word.startsWith("-"));
  if (isShell(name) && command.piped && !hasScript) return "runs what another command prints";
  if ((isShell(name) || name === "eval" || name === "source" || name === ".") && command.inner.some(fetches)) {
    return "runs what it fetched from the network";
  }
  return name === "rm" ? removes(command.args, scratch) : undefined;
}

const fetches = ({ name }: ShellCommand): boolean => FETCHERS.test(bare(name));

function removes(args: readonly string[], scratch: boolean): string | undefined {
  const recursive = args.some((word) => /^-\w*[rR]/.test(word) || word === "--recursive");
  for (const target of args.filter((word) => !word.startsWith("-"))) {
    if (isOutside(target, "")) return "removes files outside of the workspace";
    if (!recursive) continue;
    if (/^(\.\/?|\*|\.\/\*|\.git(\/.*)?|\.planwright(\/.*)?)$/.test(target)) return "removes the workspace itself";
    if (target.startsWith("$") && !scratch) return "removes whatever a variable names";
  }
  return undefined;
}

const WRITERS: ReadonlySet<string> = new Set("cp mv ln tee touch mkdir install chmod chown truncate".split(" "));
const HARMLESS = /^(\/dev\/(null|stdout|stderr|stdin|fd\/\d+|tty)|\/tmp(\/.*)?|\/var\/tmp(\/.*)?|\d+|-)$/;

function writesOutside(command: ShellCommand, cwd: string): string | undefined {
  const operands = command.args.filter((word) => !word.startsWith("-"));
  const name = bare(command.name);
  const copies = name === "cp" || name === "ln" || name === "install";
  const written = WRITERS.has(name) ? (copies ? operands.slice(-1) : operands) : [];
  const outside = [...command.writes, ...written].find((path) => isOutside(path, cwd));
  return outside === undefined ? undefined : `writes to ${outside}, outside of the workspace`;
}

function leaves({ args }: ShellCommand, here: string): string | undefined {
  const to = args.find((word) => !word.startsWith("-"));
  if (to === undefined || /^\/tmp(\/|$)/.test(to) || /^"?\$/.test(to)) return undefined;
  return isOutside(to, here) ? `goes to ${to}, outside of the workspace` : undefined;
}

function isOutside(path: string, cwd: string): boolean {
  if (HARMLESS.test(path) && !path.split("/").includes("..")) return false;
  if (/^([/~]|[A-Za-z]:[\\/])/.test(path) || /^\$\{?(HOME|OLDPWD)\b/.test(path)) return true;
  return pathWithin(cwd, path) === undefined;
}

/** The folder that a path leads to; nothing, if that is above the workspace. */
export function pathWithin(cwd: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${cwd}/${path}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

// What a command line asks for beyond files and processor: the network, and credentials. A reading, not a proof: it tells a
// person what to look at before they approve.

const NETWORK_PROGRAMS =
  "curl wget fetch http https ssh scp sftp rsync nc ncat socat telnet ftp dig nslookup ping gh glab aws gcloud az kubectl helm terraform tofu docker podman npx pnpx bunx uvx";
const NETWORK: ReadonlySet<string> = new Set(NETWORK_PROGRAMS.split(" "));

/** Programs that reach the network only with some words. */
const NETWORK_WORDS: readonly (readonly [program: RegExp, words: RegExp])[] = [
  [/^git$/, /\b(clone|fetch|pull|push|ls-remote|submodule|send-email)\b/],
  [/^(npm|pnpm|yarn|bun)$/, /^(i|install|ci|add|update|upgrade|publish|audit|exec|dlx|create|init|login|view|info)\b/],
  [
    /^(pip3?|uv|poetry|pipenv|gem|bundle|composer|conda|brew)$/,
    /\b(install|add|sync|update|upgrade|publish|push|download)\b/,
  ],
  [/^(apt|apt-get|dnf|yum|apk|pacman)$/, /./],
  [/^cargo$/, /^(install|fetch|update|publish|add|search)\b/],
  [/^go$/, /^(get|install|mod)\b/],
  [/^(mvn|gradle|gradlew)$/, /./],
];

const SECRET_WORDS: ReadonlySet<string> = new Set(
  "KEY KEYS APIKEY TOKEN TOKENS SECRET SECRETS PASSWORD PASSWD PASSPHRASE CREDENTIAL CREDENTIALS PAT DSN".split(" "),
);

const VARIABLE = /\$\{?([A-Za-z_]\w*)/g;

const isSecretName = (name: string): boolean => name.split("_").some((word) => SECRET_WORDS.has(word.toUpperCase()));

const SECRET_FILE =
  /(?:~|\$\{?HOME\}?|\/(?:root|home\/[^/\s]+))\/(?:\.ssh|\.aws|\.azure|\.gnupg|\.kube|\.docker|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.config\/(?:gh|gcloud|planwright))[^\s'"|;&)]*|(?<![\w.])\.env(?:\.\w+)?(?![\w])/g;

/** Files such as `/proc/self/environ`, by a search that looks at each word once. */
const environmentsIn = (line: string): string[] =>
  line.split(/\s/).flatMap((word) => {
    const from = word.indexOf("/proc/");
    const to = from < 0 ? -1 : word.indexOf("/environ", from + "/proc".length);
    return to < 0 ? [] : [word.slice(from, to + "/environ".length)];
  });

const SECRET_PROGRAM = /^(pass|op|vault|gpg|ssh-add|security|secret-tool|keyring|git-credential\S*)$/;

function reachesNetwork({ name, args }: ShellCommand): boolean {
  const program = bare(name);
  const said = args.join(" ");
  return NETWORK.has(program) || NETWORK_WORDS.some(([known, words]) => known.test(program) && words.test(said));
}

/** Programs that reach the network, as they are called, and variables and files that hold credentials, as they are named. */
export function commandNeeds(line: string) {
  const commands = readCommands(line);
  const network = commands.filter(reachesNetwork).map(({ name, args }) => [bare(name), args[0]].join(" ").trim());
  const variables = [...line.matchAll(VARIABLE)].map(([, name = ""]) => name);
  const named = variables.filter(isSecretName).map((name) => `$${name}`);
  const files = [...Array.from(line.matchAll(SECRET_FILE), ([file]) => file), ...environmentsIn(line)];
  const programs = commands.map(({ name }) => bare(name)).filter((name) => SECRET_PROGRAM.test(name));
  // An address in a script is a sign too, whatever program fetches it.
  const addresses = [...line.matchAll(/\b(?:https?|ssh|ftp|git):\/\/[^\s/'"]+/g)].map(([address]) => address);
  return {
    network: [...new Set([...network, ...addresses])],
    credentials: [...new Set([...named, ...files, ...programs])],
  };
}
