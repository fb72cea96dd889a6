// One of the workers of `claims.mjs`: claims and completes through the library until nothing is left.

const [library, root, name, acceptor] = process.argv.slice(2);
const { openWorkspace } = await import(library);
const worker = await openWorkspace(root, { actor: `agent:${name}`, env: process.env });
const person = worker.as(`human:${acceptor}`);

/** Other workers may still be about to finish what the rest waits for. */
const PATIENCE_MS = 200;

function must(result) {
  if (!result.ok) throw new Error(`${result.error.reason}: ${result.error.message}`);
  return result.value;
}

async function work() {
  const claimed = [];
  let idleSince = 0;
  while (idleSince === 0 || performance.now() - idleSince < PATIENCE_MS) {
    const found = await worker.call("next", {});
    if (!found.ok && found.error.reason === "nothing-ready") {
      idleSince ||= performance.now();
      await new Promise((wake) => setTimeout(wake, 2));
      continue;
    }
    const { task, token } = must(found);
    idleSince = 0;
    must(await worker.call("complete", { reference: task.id, token }));
    if (acceptor) must(await person.call("accept", { references: [task.id], reason: "looked at" }));
    claimed.push(task.id);
    ended = performance.timeOrigin + performance.now();
  }
  return claimed;
}

let ended = 0;
async function race() {
  const started = performance.timeOrigin + performance.now();
  const before = process.cpuUsage();
  const claimed = await work();
  const { user, system } = process.cpuUsage(before);
  await worker.close();
  process.send({ started, ended, claimed, cpuMs: (user + system) / 1000 }, () => process.disconnect());
}
process.once("message", () => void race());
process.send("ready");
