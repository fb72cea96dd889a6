// The actor of whatever works on this machine without a person.

import { hostname } from "node:os";

export const daemonHere = (): string => `daemon:${hostname()}`;
