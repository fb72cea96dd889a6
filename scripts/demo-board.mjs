// What the demo adds for its board: work in every state that needs you. A feature to land, a failed task with a question, a
// manual step, a frozen story, an approval that no longer fits, work in progress, and a plan that waits for its approval.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Adds a line to its file, which is what the built-in shell worker is told to do. */
const task = (id, title, parent, file, rest = {}) => ({
  id,
  tier: "task",
  title,
  parent,
  files: [file],
  checks: [{ run: `test -s ${file}` }],
  body: `\`\`\`sh run\nmkdir -p "$(dirname ${file})"; echo '${title}' >> ${file}\n\`\`\``,
  estimateHours: 2,
  ...rest,
});

const CLOCK = [
  { id: "INIT-001", tier: "initiative", title: "Greetings wherever people are" },
  { id: "FEAT-002", tier: "feature", title: "Greet by the time of day", parent: "INIT-001" },
  task("TASK-00011", "Read the hour in the visitor’s time zone", "FEAT-002", "clock/hour.txt"),
  task("TASK-00012", "Say good morning until eleven", "FEAT-002", "clock/morning.txt", { dependsOn: ["TASK-00011"] }),
  task("TASK-00013", "Say good evening from six", "FEAT-002", "clock/evening.txt", { dependsOn: ["TASK-00011"] }),
];

const WEB = [
  { id: "FEAT-003", tier: "feature", title: "Greetings over the web", parent: "INIT-001" },
  { id: "STORY-0003", tier: "story", title: "Serve a greeting", parent: "FEAT-003" },
  { id: "STORY-0004", tier: "story", title: "Survive a crowd", parent: "FEAT-003" },
  { id: "STORY-0005", tier: "story", title: "Know how it is doing", parent: "FEAT-003" },
  task("TASK-00021", "Answer GET /greet with a greeting", "STORY-0003", "web/greet.txt", { estimateHours: 1 }),
  task("TASK-00022", "Choose the language from the request", "STORY-0003", "web/language.txt", {
    dependsOn: ["TASK-00021"],
    checks: [{ run: "test -s web/language.txt" }, { run: "grep -q language web/language.txt" }],
  }),
  task("TASK-00023", "Escape names that come from the request", "STORY-0003", "web/escape.txt", {
    dependsOn: ["TASK-00021"],
  }),
  task("TASK-00024", "Allow each visitor ten greetings a second", "STORY-0004", "web/limit.txt", {
    dependsOn: ["TASK-00022"],
    estimateHours: 3,
    checks: [{ run: "test -s web/limit.txt" }, { run: "sh limit-test.sh" }],
  }),
  task("TASK-00025", "Keep the last thousand greetings in memory", "STORY-0004", "web/cache.txt", {
    dependsOn: ["TASK-00024"],
  }),
  task("TASK-00026", "Greet a thousand visitors at once", "STORY-0004", "web/crowd.txt", {
    dependsOn: ["TASK-00023", "TASK-00025"],
  }),
  task("TASK-00027", "Show a health page", "STORY-0005", "web/health.txt", { dependsOn: ["TASK-00021"] }),
  task("TASK-00028", "Count greetings by language", "STORY-0005", "web/count.txt", {
    dependsOn: ["TASK-00027", "TASK-00029"],
  }),
  {
    id: "TASK-00029",
    tier: "task",
    kind: "gate",
    title: "Agree with legal on what may be counted",
    parent: "STORY-0005",
  },
];

const VOICES = [
  { id: "FEAT-004", tier: "feature", title: "Spoken greetings", parent: "INIT-001" },
  { id: "STORY-0006", tier: "story", title: "Play a recording", parent: "FEAT-004" },
  { id: "STORY-0007", tier: "story", title: "Record the voices", parent: "FEAT-004" },
  task("TASK-00031", "Play the recording of a language", "STORY-0006", "voice/play.txt"),
  task("TASK-00032", "Fall back to text without a speaker", "STORY-0006", "voice/text.txt", {
    dependsOn: ["TASK-00031"],
    estimateHours: 1,
  }),
  task("TASK-00033", "Shorten recordings above 5 seconds", "STORY-0006", "voice/shorten.txt", {
    dependsOn: ["TASK-00032"],
  }),
  task("TASK-00034", "Record English and German", "STORY-0007", "voice/first.txt", { estimateHours: 4 }),
  task("TASK-00035", "Record French and Japanese", "STORY-0007", "voice/second.txt", {
    dependsOn: ["TASK-00034"],
    estimateHours: 4,
  }),
];

/** The limit has one mistake, which no worker of this demo can fix. */
const LIMIT_TEST = `echo "✓ the tenth greeting is served"
echo "✓ another visitor is served meanwhile"
echo "✗ the eleventh greeting is refused"
echo "  AssertionError: expected 429 Too Many Requests, got 200 OK"
echo "    at limit-test.sh:7"
exit 1
`;

const SPEC = `# Greetings by mail

Who cannot come by is greeted by mail, once a day at most.

## Subscribe

- REQ-1: A visitor subscribes with an address and a language. Check: \`test -s mail/subscribe.txt\`
- REQ-2: Nothing is sent before the address was confirmed. Check: \`test -s mail/confirm.txt\`
- REQ-3: One click in any mail unsubscribes. Check: \`test -s mail/unsubscribe.txt\`

## Send

- REQ-4: The mail arrives at eight in the subscriber's time zone. Check: \`test -s mail/send.txt\`
- REQ-5: An address that bounced three times gets no more mail. Check: \`test -s mail/bounce.txt\`
- REQ-6: Sending 10,000 mails takes at most five minutes. Check: \`test -s mail/speed.txt\`

## Non-goals

- Attachments
- Reading replies
`;

/** Each with the task that the board opens, what it shows, and what must be there before the picture is taken. */
export const LIVELY = { question: "TASK-00024", toLand: "FEAT-002", spec: "docs/mail.md" };

/** Continues the demo's project. `pw` runs the program and `git` runs git, both in the repository. */
export function addLivelyWork({ repository, write, pw, git }) {
  const settings = JSON.parse(readFileSync(join(repository, "planwright.json"), "utf8"));
  settings.roles = { worker: { agent: "shell" } };
  settings.execution = { footprint: "note", fixes: 0, logicRetries: 0 };
  write("planwright.json", `${JSON.stringify(settings, null, 2)}\n`);
  write("limit-test.sh", LIMIT_TEST);
  write(LIVELY.spec, SPEC);
  git("add", ".");
  git("commit", "--quiet", "--message", "Add the spec of mails and the test of the limit");
  pw(["config", "trust", "--yes"]);
  pw(["add", "--from", "-"], { input: [...CLOCK, ...WEB, ...VOICES].map((line) => JSON.stringify(line)).join("\n") });
  pw(["record", "add", "--kind", "constraint", "No greeting is stored with the name of a visitor"]);
  pw(["approve", "INIT-001", "--yes"]);
  pw(["run", "--in", "FEAT-002", "--batch", "--parallel", "2", "--unsandboxed"]);
  for (const id of ["TASK-00021", "TASK-00022", "TASK-00023", "TASK-00031"]) pw(["run", id]);
  pw(["run", LIVELY.question], { mayFail: true });
  pw(["start", "TASK-00027", "--as", "agent:claude"]);
  pw(["freeze", "STORY-0007", "--reason", "waiting for the speakers"]);
  pw(["edit", "TASK-00033", "--title", "Shorten recordings above 3 seconds"]);
  pw(["plan", LIVELY.spec, "--agent", "outline"], { mayFail: true });
}
