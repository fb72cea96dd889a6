// Completes package-lock.json after `npm install`. Some registries do not carry the binaries for other
// platforms; `npm install` then leaves them out of the lock file, and `npm ci` refuses it. Every
// optional dependency that is missing gets an entry that says which platform it is for.

import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const SYSTEMS = ["darwin", "win32", "android", "freebsd", "openbsd", "netbsd", "sunos", "aix", "openharmony", "linux"];
const PROCESSORS = ["arm64", "x64", "ia32", "riscv64", "s390x", "ppc64", "loong64", "mips64el", "wasm32", "arm"];

const firstIn = (words, name) => words.find((word) => name.includes(word)) ?? "none";

function platformOf(name) {
  const last = name.split("/").pop() ?? name;
  const os = last.includes("windows") ? "win32" : last.includes("wasi") ? "wasi" : firstIn(SYSTEMS, last);
  const cpu = last.includes("aarch64") ? "arm64" : last.includes("x86_64") ? "x64" : firstIn(PROCESSORS, last);
  return { os: [os], cpu: [cpu], ...(last.includes("musl") ? { libc: ["musl"] } : {}) };
}

/** Node's own rule: from the package's folder upwards. */
function isLocked(packages, folder, name) {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    if (packages[`${at === "" ? "" : `${at}/`}node_modules/${name}`]) return true;
    if (at === "") return false;
  }
}

const lock = JSON.parse(readFileSync(FILE, "utf8"));
const added = {};
for (const [folder, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (!/^\d/.test(version) || isLocked(lock.packages, folder, name)) continue;
    const { dev, license, engines } = entry;
    added[`node_modules/${name}`] = { version, dev, license, optional: true, ...platformOf(name), engines };
  }
}
const sorted = Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${FILE}: ${Object.keys(added).length} entries added.`);
