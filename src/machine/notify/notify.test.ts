import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { must } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import { announcer } from "../../engine/tick/chores.js";
import type { NewsView } from "../../model/rules/news.js";
import type { NotifierContext, NotifierSettings, Webhook } from "./notify.js";
import { notifier, notifyWebhook, runNotifier } from "./notify.js";

const HOSTILE = 'a "b" $(touch pwned) `touch pwned`; touch pwned\n\'& <b>x</b> -rf';

const news = (rest: Partial<NewsView> = {}): NewsView => ({
  kind: "needs-person",
  id: "T-1",
  title: HOSTILE,
  detail: null,
  by: "agent:bot",
  op: 7,
  at: "2026-01-01T00:00:00.000Z",
  times: 1,
  ...rest,
});

const SILENT: NotifierSettings = {
  bell: false,
  desktop: false,
  webhook: null,
  command: null,
  news: ["needs-person", "landed", "completed"],
};

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), "planwright-notify-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

function bystanders(
  root: string,
  env: NotifierContext["env"] = {},
): NotifierContext & { rings: number; notes: string[] } {
  const notes: string[] = [];
  const around = {
    rings: 0,
    notes,
    ring: () => void around.rings++,
    note: (text: string) => void notes.push(text),
    env: { PATH: process.env["PATH"], SECRET_TOKEN: "canary", ...env },
    named: [],
    root,
  };
  return around;
}

/** A program that writes down its arguments, what it is told, and its environment. */
function program(root: string, name: string, last = ""): string {
  const file = join(root, name);
  writeFileSync(
    file,
    `#!/bin/sh\nprintf '%s\\0' "$@" > "${root}/args"\ncat > "${root}/stdin"\nenv -0 > "${root}/env"\n${last}\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

const parts = (root: string, name: string): string[] => readFileSync(join(root, name), "utf8").split("\0").slice(0, -1);

describe("a notifier", () => {
  it("tells what was asked for, over every channel", async () => {
    const root = folder();
    const around = bystanders(root);
    const command = [program(root, "tell"), "--loud", "two words"];
    const { send } = notifier({ ...SILENT, bell: true, command }, around);
    await send([news({ kind: "ready" })]);
    expect(around.rings).toBe(0);
    await send([news(), news({ kind: "landed", id: "FEAT-1" }), news({ kind: "ready" })]);
    expect(around.rings).toBe(1);
    expect(around.notes).toEqual([]);
    const told = JSON.parse(readFileSync(join(root, "stdin"), "utf8")) as { news: NewsView[]; workspace: string };
    expect(told).toEqual({ workspace: root, news: [news(), news({ kind: "landed", id: "FEAT-1" })] });
    expect(parts(root, "args")).toEqual(["--loud", "two words"]);
    const env = parts(root, "env");
    expect(env).toContain("PLANWRIGHT_NEWS_COUNT=2");
    expect(env).toContain("PLANWRIGHT_NEWS_KINDS=needs-person,landed");
    expect(env.find((line) => line.startsWith("PLANWRIGHT_NEWS="))).toBe(`PLANWRIGHT_NEWS=${JSON.stringify(told)}`);
    expect(env.join()).not.toContain("canary");
  });

  it("lets no news become a part of a command", async () => {
    const root = folder();
    const around = bystanders(root);
    await notifier({ ...SILENT, command: 'cat > told; printf %s "$PLANWRIGHT_NEWS" > variable' }, around).send([
      news(),
    ]);
    expect(around.notes).toEqual([]);
    expect(existsSync(join(root, "pwned"))).toBe(false);
    expect(readFileSync(join(root, "variable"), "utf8")).toContain("touch pwned");
    expect((JSON.parse(readFileSync(join(root, "told"), "utf8")) as { news: NewsView[] }).news[0]?.title).toBe(HOSTILE);
  });

  it("has room for more news than a variable holds", async () => {
    const root = folder();
    const around = bystanders(root);
    const many = Array.from({ length: 2_000 }, (_, i) => news({ id: `T-${i}` }));
    await notifier({ ...SILENT, command: [program(root, "tell")] }, around).send(many);
    expect(around.notes).toEqual([]);
    expect((JSON.parse(readFileSync(join(root, "stdin"), "utf8")) as { news: NewsView[] }).news).toHaveLength(2_000);
    expect(parts(root, "env").some((line) => line.startsWith("PLANWRIGHT_NEWS="))).toBe(false);
  });

  it("says once that a channel does not work, and goes on with the others", async () => {
    const root = folder();
    const around = bystanders(root, { PATH: root });
    const settings = { ...SILENT, bell: true, desktop: true, command: [join(root, "absent")] };
    const { send } = notifier(settings, around);
    for (let i = 0; i < 3; i++) await send([news()]);
    expect(around.rings).toBe(3);
    expect(around.notes.sort()).toEqual([
      expect.stringMatching(/^The command could not send the news: .*absent could not be started/) as string,
      expect.stringMatching(/^The desktop could not send the news: None of notify-send, osascript/) as string,
    ]);
  });

  it("says again that it does not work, after it did", async () => {
    const root = folder();
    const around = bystanders(root);
    const broken = `test -e "${root}/works" || { echo it is broken >&2; exit 3; }`;
    const { send } = notifier({ ...SILENT, command: broken }, around);
    await send([news()]);
    writeFileSync(join(root, "works"), "");
    await send([news()]);
    rmSync(join(root, "works"));
    await send([news()]);
    const note = "The command could not send the news: /bin/sh ended with 3: it is broken";
    expect(around.notes).toEqual([note, note]);
  });

  it("ends a command that does not end", async () => {
    const root = folder();
    const place = { cwd: root, env: { PATH: process.env["PATH"] ?? "" } };
    await expect(runNotifier("sleep", ["600"], place, "", 50)).rejects.toThrow("sleep did not end within 0.05 s.");
  });
});

describe("the desktop", () => {
  it.each([
    [
      "notify-send",
      ["--app-name=planwright", "--", "Planwright", `T-1 needs a person: ${HOSTILE.replace(/&/g, "&amp;")}`],
    ],
    [
      "osascript",
      [
        "-e",
        "on run argv",
        "-e",
        "display notification (item 2 of argv) with title (item 1 of argv)",
        "-e",
        "end run",
        "Planwright",
        `T-1 needs a person: ${HOSTILE}`,
      ],
    ],
  ])("is told by %s, in arguments of their own", async (name, args) => {
    const root = folder();
    program(root, name);
    const around = bystanders(root, { PATH: `${root}:/usr/bin:/bin` });
    await notifier({ ...SILENT, desktop: true }, around).send([news()]);
    expect(around.notes).toEqual([]);
    const escaped = args.map((arg) => (name === "notify-send" ? arg.replace(/</g, "&lt;").replace(/>/g, "&gt;") : arg));
    expect(parts(root, "args")).toEqual(escaped);
  });

  it("is told by PowerShell in variables, since its arguments would be read as a script", async () => {
    const root = folder();
    program(root, "powershell.exe");
    const around = bystanders(root, { PATH: `${root}:/bin:/usr/bin` });
    const many = Array.from({ length: 7 }, (_, i) => news({ id: `T-${i}`, detail: "now" }));
    await notifier({ ...SILENT, desktop: true }, around).send(many);
    expect(around.notes).toEqual([]);
    expect(parts(root, "args").join(" ")).not.toContain("pwned");
    const body = parts(root, "env").find((line) => line.startsWith("PLANWRIGHT_BODY="));
    expect(body).toContain("T-4 needs a person");
    expect(body).toMatch(/\nand 2 more$/);
  });
});

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers one after the other, the last one for ever. */
async function server(...replies: Reply[]): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const listening = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const reply = replies[Math.min(bodies.length, replies.length - 1)] as Reply;
      bodies.push(body);
      reply(request, response);
    });
  });
  await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/hook?token=secret`, bodies };
}

const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    void response.writeHead(code, headers).end("ignored");

const hook = (url: string, rest: Partial<Webhook> = {}): Webhook => ({
  url,
  allowHttp: false,
  timeoutSeconds: 10,
  retries: 2,
  ...rest,
});

const ANNOUNCED = { workspace: "/w", news: [news()] };

describe("a webhook", () => {
  it("gets the news as JSON", async () => {
    const { url, bodies } = await server(status(204));
    const around = bystanders(folder());
    await notifier({ ...SILENT, webhook: hook(url) }, around).send([news()]);
    expect(around.notes).toEqual([]);
    expect(bodies.map((body) => (JSON.parse(body) as { news: NewsView[] }).news)).toEqual([[news()]]);
  });

  it("that stumbles is told again, a few times", async () => {
    const once = await server(status(500), status(429), status(200));
    await notifyWebhook(ANNOUNCED, hook(once.url), 1);
    expect(once.bodies).toHaveLength(3);
    const always = await server(status(503));
    await expect(notifyWebhook(ANNOUNCED, hook(always.url), 1)).rejects.toThrow(
      /^127\.0\.0\.1:\d+ answered with 503\.$/,
    );
    expect(always.bodies).toHaveLength(3);
  });

  it("that refuses is not told again", async () => {
    const { url, bodies } = await server(status(403));
    await expect(notifyWebhook(ANNOUNCED, hook(url), 1)).rejects.toThrow("answered with 403");
    expect(bodies).toHaveLength(1);
  });

  it("that does not answer is given up", async () => {
    const { url, bodies } = await server(() => {});
    const given = hook(url, { timeoutSeconds: 0.5, retries: 1 });
    await expect(notifyWebhook(ANNOUNCED, given, 1)).rejects.toThrow("did not answer within 0.5 s");
    expect(bodies).toHaveLength(2);
  });

  it("leads nowhere else", async () => {
    const other = await server(status(200));
    const { url } = await server(status(307, { location: other.url }));
    await expect(notifyWebhook(ANNOUNCED, hook(url), 1)).rejects.toThrow("sent the news on to another address");
    expect(other.bodies).toEqual([]);
  });

  it("that is not there is no reason to tell its secrets", async () => {
    const { url } = await server(status(200));
    const gone = url.replace(/:\d+/, ":1");
    const around = bystanders(folder());
    await notifier({ ...SILENT, webhook: hook(gone, { retries: 0 }) }, around).send([news()]);
    expect(around.notes).toEqual(["The webhook could not send the news: 127.0.0.1:1 could not be reached."]);
  });

  it.each([
    ["http://example.org/hook", false],
    ["http://127.0.0.1.example.org/hook", false],
    ["http://localhost.example.org/hook", false],
    ["http://0x7f000001:1/hook", true],
    ["http://localhost:1/hook", true],
    ["http://[::1]:1/hook", true],
    ["https://localhost:1/hook", true],
  ])("%s without encryption or on this machine: %s", async (url, mayBeTold) => {
    const told = notifyWebhook(ANNOUNCED, hook(url, { retries: 0 }), 1);
    await expect(told).rejects.toThrow(mayBeTold ? "could not be reached" : "unencrypted");
  });

  it("may be told without encryption, if somebody says so", async () => {
    // Not a name of this machine to us, though it leads to it.
    const { url, bodies } = await server(status(200));
    const named = url.replace("127.0.0.1", "0.0.0.0");
    await expect(notifyWebhook(ANNOUNCED, hook(named), 1)).rejects.toThrow("unencrypted");
    await notifyWebhook(ANNOUNCED, hook(named, { allowHttp: true }), 1);
    expect(bodies).toHaveLength(1);
  });
});

describe("the engine's news", () => {
  it("are told once, also of what happened while no engine ran", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2"), passing("T-3")]);
    const root = folder();
    const settings = { ...SILENT, command: `cat >> "${root}/told"` };
    const around = bystanders(root);
    const engine = (): ReturnType<typeof announcer> => announcer(plan.as("daemon:host"), settings, around);
    const told = async (engineNow: ReturnType<typeof announcer>): Promise<number> => {
      const { news: count, told: done } = must(await engineNow.announce());
      await done;
      return count;
    };
    const first = engine();
    expect(await told(first)).toBe(0);
    await finish(plan, "T-1");
    expect(await told(first)).toBe(1);
    expect(await told(first)).toBe(0);
    await finish(plan, "T-2");
    expect(await told(engine())).toBe(1);
    expect(await told(first)).toBe(0);
    const ids = readFileSync(join(root, "told"), "utf8")
      .trim()
      .split("\n")
      .flatMap((line) => (JSON.parse(line) as { news: NewsView[] }).news.map(({ id }) => id));
    expect(ids).toEqual(["T-1", "T-2"]);
    const operations = await plan.store.read((reader) => reader.operations({ actor: "daemon:host", limit: 99 }));
    expect(operations.map(({ verb }) => verb)).toEqual(["inbox", "inbox", "subscribe"]);
  });

  it("are not even looked for if nobody wants them", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const quiet = announcer(plan.as("daemon:host"), SILENT, bystanders(folder()));
    expect(must(await quiet.announce()).news).toBe(0);
    expect(await plan.store.read((reader) => reader.items("subscription", {}))).toEqual([]);
  });
});
