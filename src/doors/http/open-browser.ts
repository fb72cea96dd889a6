// Opens an address in the person's browser, with whatever the system has for that.

import { spawn } from "node:child_process";

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** False if there is nothing to open it with. The address is printed in any case. */
export const openBrowser = (address: string): Promise<boolean> =>
  new Promise((done) => {
    const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
    const child = spawn(program, [...args, address], { stdio: "ignore", detached: true });
    child.once("error", () => done(false)).once("spawn", () => done(true));
    child.unref();
  });
