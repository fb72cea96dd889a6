// What a sandbox lets a worker reach, with the real bubblewrap where it runs. test/red-team/worker.test.ts attacks it.

import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository, type TestRepository, write } from "../../../test/git-repository.js";
import { needsSandbox } from "../../../test/needs-sandbox.js";
import { step } from "../../model/next-step.js";
import { lendRepository } from "../git/lend.js";
import { startChild } from "../process/child.js";
import { run } from "../process/run.js";
import type { Network } from "./confinement.js";
import { linkedFromSystem, reach } from "./reach.js";
import { closeRelays } from "./relay.js";
import { homesFolder, type Sandbox, type SandboxInput, sandboxFor } from "./sandbox.js";
import { seatbeltProfile } from "./seatbelt.js";

interface Site extends TestRepository {
  readonly worktree: string;
  readonly home: string;
  readonly place: SandboxInput;
}

async function makeSite(): Promise<Site> {
  const repository = makeRepository({ "a.txt": "a\n", ".gitignore": ".planwright/\n" });
  const { path: root, around } = repository;
  const worktree = join(around, "state/slot-1");
  repository.git("worktree", "add", "-q", "-b", "planwright/attempt/ATT-00001", worktree);
  const commit = repository.git("rev-parse", "HEAD");
  await lendRepository(worktree, { commit, branch: "refs/heads/planwright/attempt/ATT-00001", name: "a worker" });
  const [home, cache, tmp] = ["home", "cache", "tmp"].map((name) => join(around, name)) as [string, string, string];
  for (const folder of [home, cache, tmp, join(around, "state/slot-2")]) mkdirSync(folder, { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, PLANWRIGHT_CACHE: cache, PLANWRIGHT_TMP: tmp };
  return { ...repository, worktree, home, place: { root, worktree, env } };
}

async function sandboxOf(wish: "auto" | "off" | "require", place: SandboxInput): Promise<Sandbox> {
  const result = await sandboxFor(wish, place);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe("the sandbox", () => {
  it("can be off", async () => {
    const sandbox = await sandboxOf("off", (await makeSite()).place);
    expect(sandbox).toMatchObject({ kind: "none", why: "execution.sandbox is off", home: null });
    expect(sandbox.wrap("ls", ["-l"])).toEqual({ command: "ls", args: ["-l"] });
  });

  it("is left out where there is none, unless it is required", async () => {
    const { place } = await makeSite();
    const bare = { ...place, env: { PATH: "/nowhere" } };
    expect(await sandboxOf("auto", bare)).toMatchObject({ kind: "none", why: expect.stringMatching(/not installed/) });
    expect(await sandboxFor("require", bare)).toMatchObject({
      ok: false,
      error: {
        reason: "no-sandbox",
        message: expect.stringMatching(/not installed.*auto/),
        next: [step("config.set", { key: "execution.sandbox", value: "auto" })],
      },
    });
  });

  it.each([
    ["it says so", "echo 'bwrap: No permissions' >&2; exit 1"],
    // Containers often permit some and not others.
    ["one namespace cannot be had", 'case "$*" in *unshare-pid*) echo "bwrap: No permissions" >&2; exit 1;; esac'],
  ])("is none where %s", async (_, script) => {
    const { place, around } = await makeSite();
    write(around, { "bin/bwrap": `#!/bin/sh\n${script}\n` });
    chmodSync(join(around, "bin/bwrap"), 0o755);
    const denied = { ...place, env: { ...place.env, PATH: join(around, "bin") } };
    expect((await sandboxOf("auto", denied)).why).toBe("bubblewrap cannot run here: bwrap: No permissions");
    expect(await sandboxFor("require", denied)).toMatchObject({ ok: false, error: { reason: "no-sandbox" } });
  });
});

describe("what is let in", () => {
  it("of the repository: its objects, and those that it borrows, also from one that borrows in turn", async () => {
    const { path, around, place } = await makeSite();
    for (const [from, to] of [
      ["repo", "other"],
      ["other", "third"],
    ]) {
      mkdirSync(join(around, `${to}/.git/objects/info`), { recursive: true });
      write(around, { [`${from}/.git/objects/info/alternates`]: `../../../${to}/.git/objects\n` });
    }
    const inside = reach(place).map(({ at }) => at);
    const objects = [path, join(around, "other"), join(around, "third")].map((each) => join(each, ".git/objects"));
    expect(inside).toEqual(expect.arrayContaining(objects));
  });

  it("of links of /etc into /var and /run: files and folders of data, where the link says, and no socket", async () => {
    const { around } = await makeSite();
    const [etc, variable, run] = ["etc", "var", "run"].map((name) => join(around, name)) as [string, string, string];
    write(around, {
      "run/netconfig/resolv.conf": "",
      "var/lib/certificates/a.pem": "",
      "usr/zone": "",
      "etc/plain": "",
    });
    for (const name of ["etc/ssl", "var/lib/sockets", "run/user"]) mkdirSync(join(around, name), { recursive: true });
    symlinkSync("certificates", join(variable, "lib/pem"));
    const links = {
      "resolv.conf": "../run/netconfig/resolv.conf",
      "ssl/certs": join(variable, "lib/pem"),
      zone: "../usr/zone",
      user: "../run/user",
      sockets: "../var/lib/sockets",
      nowhere: "../var/lib/nowhere",
      mine: join(around, "home"),
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(etc, name));
    const server = createServer().listen(join(variable, "lib/sockets/s"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    expect(linkedFromSystem(etc, [variable, run])).toEqual([
      { at: join(run, "netconfig/resolv.conf"), from: join(run, "netconfig/resolv.conf"), access: "read" },
      { at: join(variable, "lib/pem"), from: join(variable, "lib/certificates"), access: "read" },
    ]);
  });

  const folder = (path: string, names: readonly string[] = []): string => {
    for (const name of names) mkdirSync(join(path, name), { recursive: true });
    mkdirSync(path, { recursive: true });
    return path;
  };
  const program = (path: string): string => {
    folder(dirname(path));
    writeFileSync(path, "#!/bin/sh\n", { mode: 0o755 });
    return path;
  };

  it.each([
    ["an installation around bin", "tools/node/bin", ["tools/node/lib"], "tools/node"],
    ["a folder of programs in a project", "projects/shop/bin", ["projects/shop/src"], "projects/shop/bin"],
    [
      "a folder of programs in a repository",
      "projects/shop/bin",
      ["projects/shop/lib", "projects/shop/.git"],
      "projects/shop/bin",
    ],
    ["programs in the home folder", "home/bin", ["home/lib"], "home/bin"],
    ["programs in .local", "home/.local/bin", ["home/.local/share"], "home/.local/bin"],
    ["the packages around .bin", "x/node_modules/.bin", [], "x/node_modules"],
  ])("of the PATH: %s", async (_, path, besides, expected) => {
    const { place, around } = await makeSite();
    for (const name of besides) folder(join(around, name));
    program(join(around, path, "tool"));
    const env = { ...place.env, PATH: `/usr/bin:relative:${join(around, path)}:/nowhere` };
    const read = reach({ ...place, env }).filter(({ access }) => access === "read");
    expect(read.map(({ at }) => at)).toContain(join(around, expected));
    const outer = read.filter(({ at }) => join(around, expected).startsWith(`${at}/`));
    expect(outer).toEqual([]);
  });

  it("what a link on the PATH leads to, as the whole package", async () => {
    const { place, around, home } = await makeSite();
    const cli = program(join(home, ".local/share/agent/versions/2/dist/cli"));
    write(home, { ".local/share/agent/versions/2/package.json": "{}" });
    folder(join(home, ".local/bin"));
    symlinkSync(cli, join(home, ".local/bin/agent"));
    const env = { ...place.env, PATH: join(home, ".local/bin") };
    expect(reach({ ...place, env }).map(({ at }) => at)).toContain(join(home, ".local/share/agent/versions/2"));
    expect(around).not.toBe(home);
  });

  it("nothing of a link on the PATH that leads to no program", async () => {
    const { place, home } = await makeSite();
    write(home, { "keys/secret": "the key" });
    folder(join(home, "bin"));
    symlinkSync(join(home, "keys/secret"), join(home, "bin/s2"));
    symlinkSync(join(home, "keys"), join(home, "bin/s3"));
    const env = { ...place.env, PATH: join(home, "bin") };
    expect(reach({ ...place, env }).filter(({ from }) => from.includes("keys"))).toEqual([]);
  });

  it("never the folder with the key of the person, although a program of the PATH lies in it", async () => {
    const { place, home } = await makeSite();
    const hidden = join(home, ".config/planwright");
    program(join(hidden, "tool"));
    folder(join(home, "bin"));
    symlinkSync(join(hidden, "tool"), join(home, "bin/tool"));
    const env = { ...place.env, PATH: `${join(home, "bin")}:${hidden}` };
    expect(reach({ ...place, env, hidden }).filter(({ from }) => from.includes("planwright/tool"))).toEqual([]);
    expect(reach({ ...place, env, hidden }).filter(({ from }) => from === hidden)).toEqual([]);
  });

  it.each(["~", "~/.config", "~/.config/planwright/secret", "/"])(
    "never the folder with the key of the person: %s in the settings is refused",
    needsSandbox,
    async (path) => {
      const { place, home } = await makeSite();
      write(home, { ".config/planwright/secret": "the key" });
      const hidden = join(home, ".config/planwright");
      for (const asked of [{ readable: [path] }, { writable: [path] }]) {
        expect(await sandboxFor("auto", { ...place, ...asked, hidden })).toMatchObject({
          ok: false,
          error: { reason: "key-within-reach", message: expect.stringContaining(`names ${path},`) },
        });
      }
    },
  );

  it("of a link on the PATH to a program among other things, only that program", async () => {
    const { place, home } = await makeSite();
    const tool = program(join(home, "projects/shop/tool.sh"));
    write(home, { "projects/shop/.env": "PASSWORD=x" });
    folder(join(home, ".local/bin"));
    symlinkSync(tool, join(home, ".local/bin/tool"));
    const env = { ...place.env, PATH: join(home, ".local/bin") };
    const inProject = reach({ ...place, env }).filter(({ at }) => at.startsWith(join(home, "projects")));
    expect(inProject.map(({ at }) => at)).toEqual([tool]);
  });

  it.each([".git", ".planwright"])(
    "never a checkout, known by its %s, although a link on the PATH leads there",
    async (mark) => {
      const { place, home } = await makeSite();
      const cli = program(join(home, "projects/shop/dist/cli"));
      write(home, { "projects/shop/package.json": "{}", [`projects/shop/${mark}/x`]: "" });
      folder(join(home, ".local/bin"));
      symlinkSync(cli, join(home, ".local/bin/shop"));
      const env = { ...place.env, PATH: join(home, ".local/bin") };
      const ofProject = reach({ ...place, env }).filter(({ at }) => at.startsWith(join(home, "projects")));
      expect(ofProject.map(({ at }) => at)).toEqual([cli]);
    },
  );

  it("never a home folder, although it has programs and libraries and HOME does not name it", async () => {
    const { place, around } = await makeSite();
    for (const name of ["ada/lib", "ada/.config"]) folder(join(around, name));
    program(join(around, "ada/bin/tool"));
    const env = { PATH: join(around, "ada/bin"), PLANWRIGHT_TMP: place.env["PLANWRIGHT_TMP"] ?? "" };
    const ofAda = reach({ ...place, env }).filter(({ at }) => at.startsWith(join(around, "ada")));
    expect(ofAda.map(({ at }) => at)).toEqual([join(around, "ada/bin")]);
  });

  it("never the checkout, although programs in it are on the PATH", async () => {
    const { place, path } = await makeSite();
    program(join(path, "node_modules/.bin/tool"));
    const env = { ...place.env, PATH: join(path, "node_modules/.bin") };
    expect(reach({ ...place, env }).filter(({ at }) => at.startsWith(join(path, "node_modules")))).toEqual([]);
  });

  it("what the settings name, from the workspace or the home folder", async () => {
    const { place, home, path } = await makeSite();
    write(home, { ".npmrc": "" });
    folder(join(path, "data"));
    const let_in = reach({ ...place, readable: ["~/.npmrc", "/nowhere"], writable: ["data"] });
    expect(let_in).toContainEqual({ at: join(home, ".npmrc"), from: join(home, ".npmrc"), access: "read" });
    expect(let_in).toContainEqual({ at: join(path, "data"), from: join(path, "data"), access: "write" });
    expect(let_in.map(({ at }) => at)).not.toContain("/nowhere");
  });

  it("of the repository only the objects", async () => {
    const { place, path } = await makeSite();
    const ofRepository = reach(place).filter(({ at }) => at.startsWith(path));
    expect(ofRepository.map(({ at, access }) => [at, access])).toEqual([[join(path, ".git/objects"), "read"]]);
  });

  it("on macOS the same, as a profile that denies everything else", async () => {
    const { place, worktree, home } = await makeSite();
    const own = { around: "/own", home, homes: [home], homeFolder: "/own/home", tmp: "/own/tmp", relays: "/own/ports" };
    const profileFor = (network: Network): string =>
      seatbeltProfile({ own, reach: reach(place), network, ports: [], variables: {} }, ["/bin/sh"]);
    const profile = profileFor("none");
    expect(profile).toContain("(deny default)");
    expect(profile).toMatch(new RegExp(`\\(allow file-write\\* .*\\(subpath "${worktree}"\\)`));
    expect(profile).not.toContain(`"${home}"`);
    expect(profile).not.toMatch(/\((local|remote) ip/);
    for (const network of ["all", "loopback", "none"] as const) {
      // Neither a socket that is a file of somebody else nor their terminal.
      expect(profileFor(network)).not.toMatch(/\(allow network[^ ]*\)|\(subpath "\/dev"\)/);
      expect(profileFor(network)).toMatch(
        new RegExp(`\\(allow network-bind network-outbound .*\\(subpath "${worktree}"\\)`),
      );
    }
  });
});

describe("a look whether there is a sandbox", () => {
  // `npm test` repeats without bubblewrap what started it: see test/sandbox-use.setup.ts.
  it.each(["auto", "require"] as const)("cannot find bubblewrap without starting it: %s", async (wish) => {
    const { place, around } = await makeSite();
    const note = join(around, "started");
    write(around, { "bin/bwrap": `#!/bin/sh\n: > '${note}'\n` });
    chmodSync(join(around, "bin/bwrap"), 0o755);
    const noting = { ...place, env: { ...place.env, PATH: join(around, "bin") } };
    expect((await sandboxOf(wish, noting)).kind).toBe("bubblewrap");
    expect(existsSync(note)).toBe(true);
  });
});

describe("in bubblewrap", needsSandbox, () => {
  it.each([
    ["a link", (homes: string, around: string) => symlinkSync(around, homes)],
    ["open to others", (homes: string) => mkdirSync(homes, { mode: 0o755 })],
  ])("is not made in a folder that another user prepared: %s", async (_, prepare) => {
    const { place, around } = await makeSite();
    prepare(homesFolder(place.env["PLANWRIGHT_TMP"] ?? ""), around);
    await expect(sandboxFor("require", place)).rejects.toThrow("not a folder of yours alone");
  });

  async function inside(site: Site, script: string, over: Partial<SandboxInput> = {}) {
    const { wrap, kind } = await sandboxOf("require", { ...site.place, ...over });
    expect(kind).toBe("bubblewrap");
    return run({ ...wrap("/bin/sh", ["-c", script]), cwd: site.worktree, env: { ...site.place.env } });
  }

  it.each([
    ["its worktree", "echo x > new.txt && echo y >> a.txt && rm a.txt && mkdir -p deep/er"],
    ["its temporary folder", 'echo x > "$PLANWRIGHT_TMP/x"'],
    ["its cache", 'echo x > "$PLANWRIGHT_CACHE/x" && mkdir -p "$XDG_CACHE_HOME" "$npm_config_cache"'],
    ["a home folder of its own", 'echo x > "$HOME/.bashrc" && mkdir -p "$HOME/.config/x"'],
    ["a temporary folder of its own", "echo x > /tmp/x && echo x > /var/tmp/y"],
    ["shared memory and devices of its own", "echo x > /dev/shm/x && echo x > /dev/null"],
    ["a repository of its own", "git add -A && git commit -q --allow-empty -m mine && git branch mine && git tag v1"],
  ])("a worker may write to %s", async (_, script) => {
    const site = await makeSite();
    const before = site.git("for-each-ref");
    expect(await inside(site, script)).toMatchObject({ exitCode: 0, output: "" });
    expect(site.git("for-each-ref")).toBe(before);
    expect(existsSync(join(site.home, ".bashrc"))).toBe(false);
  });

  it("what it wrote to its home and temporary folder is there for its next command, and for no other worker", async () => {
    const site = await makeSite();
    await inside(site, 'echo mine > "$HOME/x"; echo mine > /tmp/x');
    expect((await inside(site, 'cat "$HOME/x" /tmp/x')).output).toBe("mine\nmine\n");
    const reviewer = await inside(site, 'ls -A "$HOME"; cat /tmp/x', { who: "reviewer", access: "read" });
    expect(reviewer.output).not.toContain("mine");
    expect(existsSync(join(homesFolder(site.place.env["PLANWRIGHT_TMP"] ?? ""), "worker/home/x"))).toBe(true);
  });

  it("a reviewer looks at the worktree, and cannot change it", async () => {
    const site = await makeSite();
    const look = { who: "reviewer", access: "read" } as const;
    expect((await inside(site, "cat a.txt && git log --oneline -1", look)).exitCode).toBe(0);
    expect((await inside(site, "echo x > a.txt", look)).output).toMatch(/read-only/i);
  });

  it("a worker may look: at the state, the history, a difference, other branches", async () => {
    const site = await makeSite();
    const script =
      "echo b > a.txt; git status --porcelain && git diff --stat && git log --oneline -1 && git show main:a.txt";
    const { exitCode, output } = await inside(site, script);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^ M a\.txt\n a\.txt \| 2 \+-\n/);
    expect(output).toMatch(/\na\n$/);
  });

  it.each([
    [
      "a home folder behind a link",
      (site: Site) => {
        const link = join(site.around, "linked-home");
        symlinkSync(site.home, link);
        return { ...site.place.env, HOME: link };
      },
    ],
    [
      "no home folder",
      ({ place: { env } }: Site) => ({ PATH: env["PATH"] ?? "", PLANWRIGHT_TMP: env["PLANWRIGHT_TMP"] ?? "" }),
    ],
    ["a home folder that is not there", ({ place, around }: Site) => ({ ...place.env, HOME: join(around, "none") })],
  ] as const)("works with %s", async (_, envOf) => {
    const site = await makeSite();
    const env = envOf(site) as Record<string, string>;
    const script = 'cat a.txt && cd && echo x > "${HOME:-/tmp}/x" && test ! -e "${HOME:-/tmp}/.planted"';
    writeFileSync(join(site.home, ".planted"), "");
    const { wrap } = await sandboxOf("require", { ...site.place, env });
    const ran = await run({ ...wrap("/bin/sh", ["-c", script]), cwd: site.worktree, env });
    expect(ran).toMatchObject({ exitCode: 0, output: "a\n" });
    expect(existsSync(join(site.home, "x"))).toBe(false);
  });

  it("a program that is named by its full path is there, with its package", async () => {
    const site = await makeSite();
    write(site.around, { "agent/package.json": "{}", "agent/lib/said": "hello\n", "agent/dist/x": "" });
    const cli = join(site.around, "agent/dist/cli");
    writeFileSync(cli, '#!/bin/sh\ncat "$(dirname "$0")/../lib/said"\n', { mode: 0o755 });
    const { wrap } = await sandboxOf("require", site.place);
    const ran = await run({ ...wrap(cli, []), cwd: site.worktree, env: site.place.env });
    expect(ran.output).toBe("hello\n");
  });

  it.each([
    ["all", [], true],
    ["none", [], false],
    ["loopback", [], false],
    ["loopback", ["this"], true],
  ] as const)("a worker may reach a port of this machine by setting: %s, %j", async (network, named, reached) => {
    const site = await makeSite();
    const server = createServer((socket) => socket.end());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const script = `require("node:net").connect(${port}, "127.0.0.1").on("error", () => process.exit(1)).on("close", () => process.exit(0))`;
    const ports = named.map(() => port);
    for (const place of [
      { ...site.place, network, ports },
      { ...site.place, network },
    ]) {
      const { wrap } = await sandboxOf("require", place);
      const asked = "ports" in place ? [] : ports;
      const ran = await run({ ...wrap(process.execPath, ["-e", script], asked), cwd: site.worktree });
      expect(ran.exitCode === 0).toBe(reached);
    }
    closeRelays(site.around);
  });

  it("what a worker leaves running ends with it", async () => {
    const site = await makeSite();
    const { wrap } = await sandboxOf("require", site.place);
    // One that only this test would wait for.
    const sleep = `sleep ${900_000 + process.pid}`;
    const lines: string[] = [];
    const child = startChild({
      command: "/bin/sh",
      args: ["-c", `setsid ${sleep} & echo started; ${sleep}`],
      wrap,
      cwd: site.worktree,
      env: site.place.env,
      onLine: (line) => {
        lines.push(line);
        void child.end();
      },
    });
    await child.exited;
    expect(lines).toEqual(["started"]);
    expect((await run({ command: "pgrep", args: ["-f", sleep] })).stdout).toBe("");
  });

  it("another folder becomes writable once it is there", async () => {
    const site = await makeSite();
    const base = `${site.worktree}-base`;
    const { wrap } = await sandboxOf("require", { ...site.place, writable: [base] });
    const script = ["/bin/sh", ["-c", `echo x > ${base}/x`]] as const;
    expect((await run({ ...wrap(...script), cwd: site.worktree })).exitCode).not.toBe(0);
    mkdirSync(base);
    expect((await run({ ...wrap(...script), cwd: site.worktree })).exitCode).toBe(0);
    expect(readFileSync(join(base, "x"), "utf8")).toBe("x\n");
  });
});
