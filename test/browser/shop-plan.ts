// A plan with everything that the board can show: finished and landed work, a feature that is ready to land, work that failed
// with a question, a manual step, a stale approval, frozen work, and a planning run that waits for its approval.

/** What a workspace must be able to do; a rig of the tests can. */
export interface Workspace {
  ok(args: readonly string[], options?: { input?: string }): unknown;
  run(args: readonly string[], options?: { input?: string }): { readonly code: number | null };
  git(...args: string[]): string;
  write(path: string, text: string): string;
}

interface Line {
  readonly id: string;
  readonly tier: string;
  readonly title: string;
  readonly [field: string]: unknown;
}

const make = (file: string, text: string): string =>
  `\`\`\`sh run\nmkdir -p "$(dirname ${file})"; echo '${text}' >> ${file}\n\`\`\``;

const task = (id: string, title: string, parent: string, file: string, rest: object = {}): Line => ({
  id,
  tier: "task",
  title,
  parent,
  files: [file],
  checks: [{ run: `test -f ${file}` }],
  body: make(file, title),
  estimateHours: 2,
  ...rest,
});

const PAYMENTS: readonly Line[] = [
  { id: "INIT-001", tier: "initiative", title: "Payments that survive failure" },
  { id: "FEAT-001", tier: "feature", title: "Payments happen once", parent: "INIT-001" },
  task("TASK-00001", "Give each payment a key", "FEAT-001", "src/payments/key.txt"),
  task("TASK-00002", "Refuse a key that was used", "FEAT-001", "src/payments/once.txt", { dependsOn: ["TASK-00001"] }),
  { id: "FEAT-002", tier: "feature", title: "Refunds", parent: "INIT-001" },
  task("TASK-00003", "Refund a part of a payment", "FEAT-002", "src/refunds/part.txt"),
  task("TASK-00004", "Show refunds in the ledger", "FEAT-002", "src/refunds/ledger.txt", {
    dependsOn: ["TASK-00003"],
    estimateHours: 1,
  }),
  task("TASK-00005", "Mail the customer about a refund", "FEAT-002", "src/refunds/mail.txt", {
    dependsOn: ["TASK-00003"],
  }),
];

const WEBHOOKS: readonly Line[] = [
  { id: "FEAT-003", tier: "feature", title: "Webhooks that arrive", parent: "INIT-001" },
  { id: "STORY-0005", tier: "story", title: "Receive and verify", parent: "FEAT-003" },
  { id: "STORY-0006", tier: "story", title: "Retry and give up", parent: "FEAT-003" },
  { id: "STORY-0007", tier: "story", title: "Tell the merchant", parent: "FEAT-003" },
  task("TASK-00012", "Open an endpoint for webhooks", "STORY-0005", "src/webhooks/endpoint.txt", { estimateHours: 1 }),
  task("TASK-00013", "Verify the signature of each event", "STORY-0005", "src/webhooks/verify.txt", {
    dependsOn: ["TASK-00012"],
    checks: [{ run: "test -f src/webhooks/verify.txt" }, { run: "grep -q signature src/webhooks/verify.txt" }],
  }),
  task("TASK-00014", "Map the provider’s events to ours", "STORY-0005", "src/webhooks/map.txt", {
    dependsOn: ["TASK-00012"],
  }),
  task("TASK-00015", "Store each event once, by its id", "STORY-0005", "src/webhooks/store.txt", {
    dependsOn: ["TASK-00013"],
  }),
  task("TASK-00017", "Retry with backoff for 24 hours", "STORY-0006", "src/webhooks/retry.txt", {
    dependsOn: ["TASK-00014"],
    estimateHours: 3,
    checks: [{ run: "test -f src/webhooks/retry.txt" }, { run: "sh checks/retry.sh" }],
  }),
  task("TASK-00018", "Park what fails after the last retry", "STORY-0006", "src/webhooks/park.txt", {
    dependsOn: ["TASK-00015", "TASK-00017"],
  }),
  task("TASK-00019", "Replay a parked event by hand", "STORY-0006", "src/webhooks/replay.txt", {
    dependsOn: ["TASK-00018"],
  }),
  task("TASK-00020", "Mail the merchant when an event is parked", "STORY-0007", "src/webhooks/mail.txt", {
    dependsOn: ["TASK-00018", "TASK-00021"],
  }),
  { id: "TASK-00021", tier: "task", kind: "gate", title: "Agree on the wording of the mail", parent: "STORY-0007" },
];

const EXPORT: readonly Line[] = [
  { id: "FEAT-004", tier: "feature", title: "Order export" },
  { id: "STORY-0008", tier: "story", title: "Write the file", parent: "FEAT-004" },
  { id: "STORY-0009", tier: "story", title: "Deliver it", parent: "FEAT-004" },
  task("TASK-00022", "Stream orders as CSV", "STORY-0008", "src/export/csv.txt"),
  task("TASK-00023", "Escape what a spreadsheet would run", "STORY-0008", "src/export/escape.txt", {
    dependsOn: ["TASK-00022"],
    estimateHours: 1,
  }),
  task("TASK-00024", "Split files above 50 MB", "STORY-0008", "src/export/split.txt", { dependsOn: ["TASK-00023"] }),
  task("TASK-00025", "Upload by SFTP", "STORY-0009", "src/export/sftp.txt", {
    dependsOn: ["TASK-00022"],
    estimateHours: 3,
  }),
  task("TASK-00026", "Confirm the upload by its hash", "STORY-0009", "src/export/hash.txt", {
    dependsOn: ["TASK-00025"],
    estimateHours: 1,
  }),
];

export const SPEC = `# Sign in with a passkey

People sign in with the device they hold. Nobody types a password.

## Register

- REQ-1: A signed-in person adds a passkey from the account page. Check: \`test -f src/passkeys/register.txt\`
- REQ-2: The server stores the public key, never a secret. Check: \`test -f src/passkeys/store.txt\`
- REQ-3: A person can have ten passkeys and names each one. Check: \`test -f src/passkeys/limits.txt\`

## Sign in

- REQ-4: The sign-in page offers a passkey before anything else. Check: \`test -f src/passkeys/offer.txt\`
- REQ-5: A challenge is valid for two minutes, and only once. Check: \`test -f src/passkeys/challenge.txt\`
- REQ-6: Five failures in ten minutes lock the passkey, not the account. Check: \`test -f src/passkeys/lock.txt\`

## Non-goals

- Sharing a passkey between accounts
- Hardware attestation
`;

const RETRY_CHECK = `echo "✓ waits longer each time"
echo "✓ stops when the receiver says 410"
echo "✗ gives up after 24 hours"
echo "  AssertionError: expected 9 tries, got 10"
echo "    at checks/retry.sh:4"
exit 1
`;

/** An empty repository becomes a shop with a plan. */
export function seedShop(workspace: Workspace): void {
  workspace.write("README.md", "# shop\n");
  workspace.write("retry-check.sh", RETRY_CHECK);
  workspace.write("passkeys.md", SPEC);
  workspace.write(".gitignore", ".planwright\n");
  workspace.write(
    "planwright.json",
    `${JSON.stringify({ execution: { fixes: 0, logicRetries: 0, footprint: "note", dayCostUsd: 20 } }, null, 2)}\n`,
  );
  workspace.git("init", "--quiet", "--initial-branch", "main");
  workspace.git("add", ".");
  workspace.git("commit", "--quiet", "--message", "begin");
  workspace.ok(["init", "--mission", "A checkout that never loses an order"]);
  workspace.ok(["config", "trust", "--yes"]);
  const lines = [...PAYMENTS, ...WEBHOOKS, ...EXPORT].map((line) =>
    JSON.stringify(line).replaceAll('checks/retry.sh"', 'retry-check.sh"'),
  );
  workspace.ok(["add", "--from", "-"], { input: lines.join("\n") });
  workspace.ok(["record", "add", "--kind", "constraint", "The old ledger stays"]);
  workspace.ok(["approve", "INIT-001"]);
  workspace.ok(["approve", "FEAT-004"]);
  workspace.run(["run", "TASK-00001"]);
  workspace.run(["run", "TASK-00002"]);
  workspace.run(["land", "FEAT-001", "--yes"]);
  for (const id of ["03", "04", "05", "12", "13", "14", "22"]) workspace.run(["run", `TASK-000${id}`]);
  workspace.run(["run", "TASK-00017"]);
  workspace.ok(["freeze", "STORY-0009", "--reason", "waiting for the bank’s SFTP address"]);
  workspace.ok(["edit", "TASK-00024", "--estimate", "2", "--title", "Split files above 40 MB"]);
  workspace.run(["plan", "passkeys.md", "--agent", "outline"]);
}
