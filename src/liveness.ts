// Whether the program that drives something is still there.

import { hostname } from "node:os";

/** `host/pid`. On another machine nobody can tell, so its lease counts. */
export function isAlive(driver: string): boolean {
  const [, host, pid] = /^(.*)\/(\d+)(?:#|$)/.exec(driver) ?? [];
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
