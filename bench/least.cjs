// The least that any command takes that looks into a plan: Node, SQLite, one select.
// node bench/least.cjs DIST PLAN

const { existsSync } = require("node:fs");

const [dist, plan] = process.argv.slice(2);
const holder = { exports: {} };
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 24 || (major === 24 && minor >= 15)) holder.exports = process.getBuiltinModule("node:sqlite");
else {
  const libc = process.platform === "linux" && !existsSync("/lib64/ld-linux-x86-64.so.2") ? "musl" : "glibc";
  process.dlopen(holder, `${dist}/sqlite/${process.platform}-${process.arch}.${libc}.node`);
}
const connection = new holder.exports.DatabaseSync(plan);
connection.prepare("select id, title from node where id = ?").get("TASK-00050");
connection.close();
process.exit(0);
