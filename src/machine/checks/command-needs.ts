// What a command line asks for beyond files and processor: the network, and credentials. A reading, not a proof: it tells a
// person what to look at before they approve.

import { readCommands, type ShellCommand } from "./shell-words.js";

export interface CommandNeeds {
  /** The programs that reach the network, as they are called. */
  readonly network: readonly string[];
  /** Variables and files that hold credentials, as they are named. */
  readonly credentials: readonly string[];
}

const NETWORK: ReadonlySet<string> = new Set(
  "curl wget fetch http https ssh scp sftp rsync nc ncat socat telnet ftp dig nslookup ping gh glab aws gcloud az kubectl helm terraform tofu docker podman npx pnpx bunx uvx".split(
    " ",
  ),
);

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
  /(?:~|\$\{?HOME\}?|\/(?:root|home\/[^/\s]+))\/(?:\.ssh|\.aws|\.azure|\.gnupg|\.kube|\.docker|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.config\/(?:gh|gcloud|planwright))[^\s'"|;&)]*|(?<![\w.])\.env(?:\.\w+)?(?![\w])|\/proc\/[^\s]*\/environ/g;

const SECRET_PROGRAM = /^(pass|op|vault|gpg|ssh-add|security|secret-tool|keyring|git-credential\S*)$/;

const baseName = (name: string): string => name.replace(/^.*\//, "");

function reachesNetwork({ name, args }: ShellCommand): boolean {
  const program = baseName(name);
  const said = args.join(" ");
  return NETWORK.has(program) || NETWORK_WORDS.some(([known, words]) => known.test(program) && words.test(said));
}

export function commandNeeds(line: string): CommandNeeds {
  const commands = readCommands(line);
  const network = commands.filter(reachesNetwork).map(({ name, args }) => [baseName(name), args[0]].join(" ").trim());
  const variables = [...line.matchAll(VARIABLE)].map(([, name = ""]) => name);
  const named = variables.filter(isSecretName).map((name) => `$${name}`);
  const files = [...line.matchAll(SECRET_FILE)].map(([file]) => file);
  const programs = commands.map(({ name }) => baseName(name)).filter((name) => SECRET_PROGRAM.test(name));
  // An address in a script is a sign too, whatever program fetches it.
  const addresses = [...line.matchAll(/\b(?:https?|ssh|ftp|git):\/\/[^\s/'"]+/g)].map(([address]) => address);
  return {
    network: [...new Set([...network, ...addresses])],
    credentials: [...new Set([...named, ...files, ...programs])],
  };
}
