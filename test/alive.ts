import { existsSync, readFileSync } from "node:fs";

/** In a container nobody may be there to bury the dead: those do not count. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(existsSync("/proc/self/stat") ? readFileSync(`/proc/${pid}/stat`, "utf8") : "");
  } catch {
    return false;
  }
};
