// A range of ports that no other program uses. The ranges of two slots never meet, whatever is taken already. One port more
// than asked for is kept open beside each range while it is in use: another program, even one of another workspace,
// sees that and passes on. The system closes it when its program is killed.

import { createServer, type Server } from "node:net";

export interface PortSettings {
  readonly from: number;
  readonly each: number;
}

export interface PortRange {
  readonly first: number;
  readonly last: number;
  release(): void;
}

const PORTS = 65_536;
/** Slots that can have ports at once; fewer where the ranges are large. */
const LANES = 64;
const LOOPBACK = ["127.0.0.1", "::1"] as const;

/** Where the range of a slot may begin, best first. */
export function rangeStartsFor(slot: number, { from, each }: PortSettings): number[] {
  const width = each + 1;
  const ranges = Math.floor((PORTS - from) / width);
  const lanes = Math.min(LANES, ranges);
  if (slot > lanes) return [];
  const beginnings: number[] = [];
  for (let range = slot - 1; range < ranges; range += lanes) beginnings.push(from + range * width);
  return beginnings;
}

function listen(port: number, host: string): Promise<Server | "taken" | "no-such-host"> {
  return new Promise((done) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      done(code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT" ? "no-such-host" : "taken"),
    );
    server.listen({ port, host, exclusive: true }, () => done(server));
  });
}

async function isFree(port: number): Promise<boolean> {
  for (const host of LOOPBACK) {
    const heard = await listen(port, host);
    if (heard === "taken") return false;
    if (heard !== "no-such-host") await new Promise((closed) => heard.close(closed));
  }
  return true;
}

/** The first free range of a slot; undefined if there is none. */
export async function takePorts(slot: number, settings: PortSettings): Promise<PortRange | undefined> {
  for (const first of rangeStartsFor(slot, settings)) {
    const guard = await listen(first + settings.each, LOOPBACK[0]);
    if (typeof guard === "string") continue;
    const ports = Array.from({ length: settings.each }, (_, i) => first + i);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return { first, last: first + settings.each - 1, release: () => void guard.close() };
    guard.close();
  }
  return undefined;
}
