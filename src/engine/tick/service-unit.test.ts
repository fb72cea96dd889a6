import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { must, mustFail } from "../../../test/plan.js";
import { serviceUnit, writeUnit } from "./service-unit.js";

const INPUT = {
  root: "/home/ada/my shop 100%",
  command: ["/usr/bin/node", '/opt/pw/$x "y".cjs', "-C", "/home/ada/my shop 100%", "daemon"],
  actor: "daemon:box",
  home: "/home/ada",
  path: "/usr/bin:/home/ada/100%",
};

it("a systemd unit takes every word of the command literally", () => {
  const unit = must(serviceUnit({ ...INPUT, platform: "linux" }));
  expect(unit).toMatchObject({ kind: "systemd", enable: `systemctl --user enable --now ${unit.name}` });
  expect(unit.file).toBe(`/home/ada/.config/systemd/user/${unit.name}.service`);
  expect(unit.text).toContain(
    String.raw`ExecStart="/usr/bin/node" "/opt/pw/$$x \"y\".cjs" "-C" "/home/ada/my shop 100%%" "daemon"`,
  );
  expect(unit.text).toContain('Environment="PATH=/usr/bin:/home/ada/100%%" "PLANWRIGHT_ACTOR=daemon:box"');
  expect(unit.name).toMatch(/^planwright-my_shop_100_-[0-9a-f]{8}$/);
});

it("a launchd agent takes every word of the command literally", () => {
  const unit = must(serviceUnit({ ...INPUT, command: ["node", "a&b<c>"], platform: "darwin" }));
  expect(unit).toMatchObject({ kind: "launchd", file: `/home/ada/Library/LaunchAgents/${unit.name}.plist` });
  expect(unit.text).toContain("<string>a&amp;b&lt;c&gt;</string>");
});

it("a system without either is refused, and nothing is written", () => {
  expect(mustFail(serviceUnit({ ...INPUT, platform: "win32" })).reason).toBe("no-service-manager");
});

it("a unit is written with its folder", () => {
  const home = mkdtempSync(join(tmpdir(), "planwright-unit-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const unit = must(serviceUnit({ ...INPUT, home, platform: "linux" }));
  must(writeUnit(unit));
  expect(readFileSync(unit.file, "utf8")).toBe(unit.text);
  expect(mustFail(writeUnit({ ...unit, file: join(unit.file, "x") })).reason).toBe("no-write");
});
