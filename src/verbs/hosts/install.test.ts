import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { must, mustFail } from "../../../test/plan.js";
import type { Folder } from "../kit/verb.js";
import { HOST_NAMES, HOSTS, type HostName, type InstallScope } from "./hosts.js";
import { installHost, proposeHosts } from "./install.js";

interface Place {
  readonly home: string;
  readonly project: string;
  readonly folder: Folder;
  /** The same with this program elsewhere, as after an upgrade. */
  readonly moved: Folder;
}

function makePlace(): Place {
  const around = mkdtempSync(join(tmpdir(), "planwright-hosts-"));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const [home, project] = [join(around, "home"), join(around, "project")];
  mkdirSync(home);
  mkdirSync(project);
  const folderWith = (script: string): Folder =>
    ({
      env: { HOME: home, XDG_STATE_HOME: join(around, "state"), PATH: join(around, "bin") },
      program: ["/usr/bin/node", script],
      workspace: () => ({ root: project, exists: true, doubt: null }),
    }) as unknown as Folder;
  return { home, project, folder: folderWith("/opt/one/planwright.cjs"), moved: folderWith("/opt/two/planwright.cjs") };
}

/** Every file and folder with its bytes, rights and kind. */
function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => {
    const full = join(folder, path);
    const kind = lstatSync(full).isSymbolicLink() ? "link" : statSync(full).isFile() ? "file" : "folder";
    return [
      path,
      `${kind} ${statSync(full).mode.toString(8)} ${kind === "folder" ? "" : readFileSync(full, "latin1")}`,
    ];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const EVERY = HOST_NAMES.flatMap((host) => HOSTS[host].scopes.map((scope) => [host, scope] as const));

/** Settings that a user may have, by the file's ending. */
const JSONS = [
  "",
  "{}",
  '{"theme":"dark","mcpServers":{"mine":{"command":"x"}}}',
  '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }\n    ]\n  }\n}\n',
  '{\r\n\t"mcp": {},\r\n\t"command": { "mine": { "template": "x" } }\r\n}\r\n',
  '\uFEFF{ "servers": { } }',
];
const COMMENTED = ['{\n  // mine\n  "mcp": { /* none */ },\n  "theme": "dark", // dark\n}\n'];
const TEXTS = ["", "# Mine\n", "# Mine\n\nNo line end", 'a = 1\r\n[mcp_servers.mine]\r\ncommand = "x"\r\n'];

const contentFor = (path: string): fc.Arbitrary<string | null> => {
  const texts = path.endsWith(".json") ? JSONS : path.endsWith(".jsonc") ? [...JSONS, ...COMMENTED] : TEXTS;
  return fc.constantFrom(null, ...texts);
};

/** Files of the user's that a host adds to. */
function sharedFiles({ folder, home, project }: Place, host: HostName, scope: InstallScope): string[] {
  const site = { scope, base: scope === "user" ? home : project, env: folder.env } as const;
  const program = { words: ["planwright"], note: null } as const;
  return HOSTS[host]
    .placements({ ...site, program })
    .filter(({ kind }) => kind !== "file")
    .map(({ path }) => path);
}

describe.each(EVERY)("installing into %s for the %s", (host, scope) => {
  it("and removing leaves every file byte for byte as it was, whatever the user's settings", () => {
    const place = makePlace();
    const shared = sharedFiles(place, host, scope);
    const around = dirname(place.home);
    const settings = fc.tuple(...shared.map((path) => contentFor(path)));
    fc.assert(
      fc.property(settings, fc.boolean(), (contents, upgrade) => {
        for (const part of [place.home, place.project]) {
          rmSync(part, { recursive: true });
          mkdirSync(part);
        }
        shared.forEach((path, i) => {
          const content = contents[i] ?? null;
          if (content !== null) write(path, content);
        });
        const before = snapshot(around);
        must(installHost(place.folder, { host, scope }));
        const once = snapshot(around);
        expect(once).not.toEqual(before);
        expect(must(installHost(place.folder, { host, scope })).files).toEqual([]);
        expect(snapshot(around)).toEqual(once);
        if (upgrade) must(installHost(place.moved, { host, scope }));
        must(installHost(place.folder, { host, scope, uninstall: true }));
        rmSync(join(around, "state"), { recursive: true });
        expect(snapshot(around)).toEqual(before);
      }),
      { numRuns: 25 },
    );
  });

  it("shows a diff and writes nothing with dryRun", () => {
    const place = makePlace();
    const before = snapshot(dirname(place.home));
    const { files } = must(installHost(place.folder, { host, scope, dryRun: true }));
    expect(files.length).toBeGreaterThan(0);
    for (const { diff } of files) expect(diff).toMatch(/^--- .*\n\+\+\+ .*\n[\s\S]*^\+/m);
    expect(snapshot(dirname(place.home))).toEqual(before);
  });
});

describe("an installation", () => {
  it("is brought up to date in place, and says so until then", () => {
    const place = makePlace();
    const stateOf = (folder: Folder): string | undefined =>
      proposeHosts(folder)
        .hosts.find(({ host }) => host === "codex")
        ?.scopes.find(({ scope }) => scope === "user")?.state;
    write(join(place.home, ".codex/config.toml"), 'model = "x"\n');
    expect(stateOf(place.folder)).toBe("absent");
    must(installHost(place.folder, { host: "codex" }));
    expect(stateOf(place.folder)).toBe("current");
    expect(stateOf(place.moved)).toBe("outdated");
    expect(proposeHosts(place.moved).next).toContainEqual({
      operation: "install",
      input: { host: "codex", scope: "user" },
    });
    // Something of the user's behind the block stays behind it.
    const config = join(place.home, ".codex/config.toml");
    writeFileSync(config, `${readFileSync(config, "utf8")}\n[mine]\na = 1\n`);
    must(installHost(place.moved, { host: "codex" }));
    expect(readFileSync(config, "utf8")).toMatch(/two\/planwright\.cjs[\s\S]*\[mine\]/);
    expect(readFileSync(config, "utf8")).not.toContain("/one/");
    must(installHost(place.moved, { host: "codex", uninstall: true }));
    expect(readFileSync(config, "utf8")).toBe('model = "x"\n\n[mine]\na = 1\n');
  });

  it("keeps what you changed, and what you had under the same name", () => {
    const { home, folder } = makePlace();
    write(join(home, ".gemini/settings.json"), '{"mcpServers":{"planwright":{"command":"mine"}}}');
    must(installHost(folder, { host: "gemini" }));
    const command = join(home, ".gemini/commands/planwright/next.toml");
    writeFileSync(command, "mine");
    const again = must(installHost(folder, { host: "gemini" }));
    expect(again.files).toEqual([]);
    expect(again.left.map(({ path }) => path)).toEqual([join(home, ".gemini/settings.json"), command]);
    const removed = must(installHost(folder, { host: "gemini", uninstall: true }));
    expect(removed.left.map(({ path }) => path)).toEqual([command]);
    expect(readFileSync(command, "utf8")).toBe("mine");
    expect(readFileSync(join(home, ".gemini/settings.json"), "utf8")).toBe(
      '{"mcpServers":{"planwright":{"command":"mine"}}}',
    );
  });

  it("of a colleague is removed from a project that you share", () => {
    const { project, folder } = makePlace();
    write(join(project, "AGENTS.md"), "# Ours\n");
    write(join(project, ".cursor/mcp.json"), '{\n  "mcpServers": {\n    "mine": {}\n  }\n}\n');
    for (const host of ["agents-md", "cursor"] as const) must(installHost(folder, { host, scope: "project" }));
    const fresh = { ...folder, env: { ...folder.env, XDG_STATE_HOME: join(project, "..", "other-state") } };
    for (const host of ["agents-md", "cursor"] as const)
      must(installHost(fresh, { host, scope: "project", uninstall: true }));
    expect(readFileSync(join(project, "AGENTS.md"), "utf8").trimEnd()).toBe("# Ours");
    expect(JSON.parse(readFileSync(join(project, ".cursor/mcp.json"), "utf8"))).toEqual({ mcpServers: { mine: {} } });
    expect(readdirSync(join(project, ".cursor"))).not.toContain("rules/planwright.mdc");
  });

  it("of a colleague keeps a file that somebody changed, when you install and when you remove", () => {
    const { project, folder } = makePlace();
    const wish = { host: "cursor", scope: "project" } as const;
    must(installHost(folder, wish));
    const command = join(project, ".cursor/commands/planwright-plan.md");
    const ours = readFileSync(command, "utf8");
    writeFileSync(command, `${ours}Always answer in French.\n`);
    const fresh = { ...folder, env: { ...folder.env, XDG_STATE_HOME: join(project, "..", "other-state") } };
    const installed = must(installHost(fresh, wish));
    expect(installed.left).toEqual([{ path: command, why: expect.stringContaining("so it stays as it is") }]);
    must(installHost(fresh, { ...wish, uninstall: true }));
    expect(readFileSync(command, "utf8")).toBe(`${ours}Always answer in French.\n`);
    // What is exactly ours goes, whoever wrote it.
    expect(readdirSync(dirname(command))).toEqual(["planwright-plan.md"]);
  });

  it("goes on after a program that was stopped in the middle", () => {
    const { home, folder, moved } = makePlace();
    const settings = join(home, ".gemini/settings.json");
    write(settings, '{\n  "theme": "dark"\n}\n');
    must(installHost(folder, { host: "gemini" }));
    const old = readFileSync(settings, "utf8");
    rmSync(join(home, ".gemini/skills"), { recursive: true });
    write(join(home, ".gemini/skills"), "in the way");
    expect(() => installHost(moved, { host: "gemini" })).toThrow(/EEXIST|ENOTDIR/);
    // As if it had stopped before this file, too.
    writeFileSync(settings, old);
    rmSync(join(home, ".gemini/skills"));
    must(installHost(moved, { host: "gemini" }));
    expect(readFileSync(settings, "utf8")).not.toContain("/one/");
    must(installHost(folder, { host: "gemini", uninstall: true }));
    expect(readFileSync(settings, "utf8")).toBe('{\n  "theme": "dark"\n}\n');
  });

  it("writes through a link and keeps the rights of a file", () => {
    const { home, folder } = makePlace();
    write(join(home, "dotfiles/mcp.json"), "{}\n");
    chmodSync(join(home, "dotfiles/mcp.json"), 0o600);
    mkdirSync(join(home, ".cursor"));
    symlinkSync(join(home, "dotfiles/mcp.json"), join(home, ".cursor/mcp.json"));
    must(installHost(folder, { host: "cursor", scope: "user" }));
    expect(lstatSync(join(home, ".cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect(statSync(join(home, "dotfiles/mcp.json")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home, "dotfiles/mcp.json"), "utf8")).toContain("planwright");
  });

  it("leaves a link that leads nowhere as it was", () => {
    const { home, folder } = makePlace();
    mkdirSync(join(home, ".cursor"));
    symlinkSync(join(home, "dotfiles/mcp.json"), join(home, ".cursor/mcp.json"));
    must(installHost(folder, { host: "cursor", scope: "user" }));
    expect(readFileSync(join(home, "dotfiles/mcp.json"), "utf8")).toContain("planwright");
    must(installHost(folder, { host: "cursor", scope: "user", uninstall: true }));
    expect(lstatSync(join(home, ".cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect(existsSync(join(home, "dotfiles/mcp.json"))).toBe(false);
  });

  it("is refused over a file that is read-only, and writes nothing, when it is put in and when it is taken out", () => {
    const { home, folder } = makePlace();
    const settings = join(home, ".gemini/settings.json");
    write(settings, "{}\n");
    for (const uninstall of [false, true]) {
      if (uninstall) must(installHost(folder, { host: "gemini" }));
      chmodSync(settings, 0o444);
      const before = snapshot(dirname(home));
      const failure = mustFail(installHost(folder, { host: "gemini", uninstall }));
      expect(failure.message).toBe(`${settings} is read-only. Nothing was changed.`);
      expect(snapshot(dirname(home))).toEqual(before);
      chmodSync(settings, 0o644);
    }
  });

  it.each<[string, HostName, string, string | Buffer, string]>([
    ["broken JSON", "gemini", ".gemini/settings.json", "{ no", "is not valid JSON"],
    [
      "bytes that are no text",
      "cursor",
      ".cursor/mcp.json",
      Buffer.from([0xff, 0xfe, 0x00]),
      "cannot be read as UTF-8 text",
    ],
  ])("is refused over %s, and writes nothing", (_, host, path, content, problem) => {
    const { home, folder } = makePlace();
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
    const before = snapshot(dirname(home));
    const failure = mustFail(installHost(folder, { host, scope: "user" }));
    expect(failure.reason).toBe("unfit-file");
    expect(failure.message).toContain(problem);
    expect(failure.message).toContain(path);
    expect(snapshot(dirname(home))).toEqual(before);
  });

  it("leaves a server that Codex has in another form alone", () => {
    const { home, folder } = makePlace();
    write(join(home, ".codex/config.toml"), 'mcp_servers = { mine = { command = "x" } }\n');
    const { left } = must(installHost(folder, { host: "codex" }));
    expect(left[0]?.why).toContain("nothing can be added to it");
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toBe('mcp_servers = { mine = { command = "x" } }\n');
  });

  it("of AGENTS.md belongs to a project", () => {
    expect(mustFail(installHost(makePlace().folder, { host: "agents-md", scope: "user" })).reason).toBe(
      "no-such-scope",
    );
  });
});
