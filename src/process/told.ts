// How a command is told to a small shell: its place, its environment and its words.

export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

export interface Told {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Besides what the shell itself sees. */
  readonly env: Readonly<Record<string, string>>;
}

/** Names that a shell takes with any value, and that are not its own. */
const isPlain = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(E?UID|PPID|OPTIND|BASHOPTS|SHELLOPTS|BASH_VERSINFO)$/.test(name);

/** Every byte but one can stand in a word. */
export const canBeTold = ({ command, args, cwd, env }: Told): boolean =>
  [command, ...args, cwd, ...Object.values(env)].every((word) => !word.includes("\0")) &&
  Object.keys(env).every(isPlain);

/** A line of the shell. With `mark` it says that the command begins: all that can go wrong before has gone well. */
export type Line = (mark: string) => string;

export interface Around {
  /** What makes it the leader of a group of its own; then its number is said with the mark. */
  readonly leader?: string;
  /** Names that it does not see. */
  readonly without?: readonly string[];
  /** Where it reads and speaks. */
  readonly streams: string;
}

export function lineOf({ command, args, cwd, env }: Told, { leader, without = [], streams }: Around): Line {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const words = [...(leader === undefined ? [] : [leader]), command, ...args].map(quoted).join(" ");
  const steps = [
    // The folder has the number of whoever asks as its name.
    ...(leader === undefined ? [] : ['cd -P /proc/self && set -- "$PWD"']),
    `cd ${quoted(cwd)}`,
    ...(settings.length === 0 ? [] : [`export ${settings.join(" ")}`]),
    ...(without.length === 0 ? [] : [`unset ${without.join(" ")}`]),
  ];
  // What the shell says itself it says aside: where the command speaks, only the command is heard.
  return (mark) =>
    `( { ${steps.join(" && ")} && echo "${mark} $1"; } >&3 2>&3 && exec ${words} 3>&-\n) 3>&2 ${streams}`;
}
