// Where the tools of checks are: the variables that decide which program a command is, as a person had them. An agent that hands in work
// has an environment of its own making, and must not choose what `npm` means. Yours is kept in your settings folder whenever you
// start something that runs checks.

import { homedir, userInfo } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findPlainFile, readPlainFile } from "../base/plain-file.js";
import { absolutePath, commandEnvironment, type Environment } from "../machine/process/environment.js";
import { ownFile, workspaceName, writeOwnFile } from "./state-folder.js";

type Tools = Readonly<Record<string, string>>;

/** These belong to one call and choose no program. Proxies may hold a password, which is kept nowhere. */
const OF_THE_CALL =
  /^(?:PLANWRIGHT_\w+|TMPDIR|TMP|TEMP|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|LANG|LANGUAGE|LC_\w+|TZ|\w+_proxy)$/i;

const toolsIn = (env: Environment): Tools =>
  Object.fromEntries(
    Object.entries({ ...commandEnvironment(env, []), PATH: absolutePath(env["PATH"]) }).filter(
      ([name]) => !OF_THE_CALL.test(name),
    ),
  );

const fileFor = (root: string, env: Environment): string | undefined =>
  ownFile(root, env, "tools", `${workspaceName(root)}.json`);

function readTools(file: string | undefined): Tools | undefined {
  try {
    const tools = JSON.parse(file === undefined ? "{}" : readPlainFile(file)) as Tools;
    return typeof tools["PATH"] === "string" ? tools : undefined;
  } catch {
    return undefined;
  }
}

/** What this program has noted already. One that runs for long must not take back what you noted meanwhile. */
const noted = new Set<string>();

/** Only for a person who is proven. */
export function rememberTools(root: string, env: Environment): void {
  const file = fileFor(root, env);
  const text = `${JSON.stringify(toolsIn(env), null, 2)}\n`;
  if (file === undefined || noted.has(`${file}\0${text}`)) return;
  noted.add(`${file}\0${text}`);
  if (findPlainFile(file) !== text) writeOwnFile(file, text);
}

/** Where no person's tools are noted: the system's own folders, and the Node.js that runs this program. */
function systemTools(): Tools {
  const folders = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"];
  const HOME = homeOfUser();
  return { PATH: [dirname(process.execPath), ...folders, join(HOME, ".local", "bin")].join(delimiter), HOME };
}

/** As the system knows it, not as a variable says. */
function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homedir();
  }
}

/** The environment of whatever runs checks, with the tools of a person. */
export function withTrustedTools(root: string, env: Environment, isPerson: boolean): Environment {
  if (isPerson) {
    rememberTools(root, env);
    return { ...env, PATH: absolutePath(env["PATH"]) };
  }
  const own = toolsIn(env);
  const others = Object.entries(env).filter(([name]) => !Object.hasOwn(own, name));
  const tools = readTools(fileFor(root, env)) ?? systemTools();
  return { ...Object.fromEntries(others), ...tools };
}

/** The same for a program that runs for long: it has the tools that a person noted last, also after it began. */
export function followTools(root: string, env: Environment, isPerson: boolean) {
  const file = fileFor(root, env);
  const read = (): string | undefined => (file === undefined ? undefined : findPlainFile(file));
  const current: Record<string, string | undefined> = { ...withTrustedTools(root, env, isPerson) };
  let seen = read();
  /** True if they are others than before. Then the same object holds them. */
  const refresh = (): boolean => {
    const now = read();
    if (now === seen) return false;
    seen = now;
    for (const name of Object.keys(current)) delete current[name];
    Object.assign(current, withTrustedTools(root, env, false));
    return true;
  };
  return { env: current as Environment, refresh };
}
