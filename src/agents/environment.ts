// The environment of an agent: what it needs to run and to reach its model, and what the configuration names.
// Nothing else of ours reaches it, so a model that is talked into printing its environment has little to print.

/** Needed by any program, or by any that goes through a proxy. */
const COMMON = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TMPDIR",
  "TZ",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "XDG_*",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  // Windows starts nothing without these.
  "SYSTEMROOT",
  "COMSPEC",
  "PATHEXT",
  "APPDATA",
  "LOCALAPPDATA",
  "USERPROFILE",
  "TEMP",
  "TMP",
];

const covers = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Of `environment`, the variables that are common, that the agent documents, or that the configuration names. */
export function environmentFor(
  environment: Readonly<Record<string, string | undefined>>,
  agentVariables: readonly string[],
  configured: readonly string[] = [],
): Record<string, string> {
  const wanted = [...COMMON, ...agentVariables, ...configured];
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && wanted.some((pattern) => covers(pattern, entry[0])),
    ),
  );
}
