// What a sandbox is made of, whichever program makes it.

import type { Mount } from "./reach.js";

/** `none`: nothing but itself. `loopback`: also the ports of this machine that are named. `all`: what you can reach. */
export type Network = "all" | "loopback" | "none";

/** What is made for one sandbox and goes with the attempt. */
export interface OwnFolders {
  /** It holds the others, and is itself not there inside. */
  readonly around: string;
  /** The home folder's path, inside as outside. */
  readonly home: string | undefined;
  /** That path, and the one that it has without links. */
  readonly homes: readonly string[];
  /** What lies there inside. */
  readonly homeFolder: string;
  readonly tmp: string;
  /** The sockets that lead to ports of this machine. */
  readonly relays: string;
}

export interface Confinement {
  readonly own: OwnFolders;
  readonly reach: readonly Mount[];
  readonly network: Network;
  /** Ports of this machine that are there although the network is not. */
  readonly ports: readonly number[];
  /** Null: the variable is removed. */
  readonly variables: Readonly<Record<string, string | null>>;
}

/** What starts a command inside. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}
