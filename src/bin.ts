import { main } from "./main.js";

void main({ words: process.argv.slice(2), env: process.env, cwd: process.cwd() }).then((code) => {
  process.exitCode = code;
});
