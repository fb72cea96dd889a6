// Stands before everything else in the command, which any Node has to be able to read: nothing newer than ES2015 here.

"use strict";

const [major, minor] = process.versions.node.split(".").map(Number);

// As in package.json.
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Planwright needs Node 20.19 or newer. This is Node ${process.versions.node}.\n`);
  process.exit(5);
}
