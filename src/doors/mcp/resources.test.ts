// What can be read by its address, and who is told when it changes.

import { describe, expect, it } from "vitest";
import { makeMcpRig } from "../../../test/mcp.js";

const read = async (
  client: { readResource: (asked: { uri: string }) => Promise<{ contents: unknown[] }> },
  uri: string,
) => JSON.parse((await client.readResource({ uri })).contents.map((each) => (each as { text: string }).text).join(""));

describe("resources", () => {
  it("are the plan, news, nodes, bundles, runs and operations", async () => {
    const { connect, ask } = await makeMcpRig();
    await ask("add", { title: "Write the form", parent: "FEAT-001" });
    await ask("bundle.create", { references: ["TASK-00001"] });
    const { client } = await connect();
    expect((await client.listResources()).resources.map(({ uri }) => uri).sort()).toEqual([
      "planwright://news",
      "planwright://plan",
    ]);
    expect(
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort(),
    ).toEqual(["bundle", "node", "operation", "run"].map((kind) => `planwright://${kind}/{id}`));
    expect(await read(client, "planwright://plan")).toMatchObject({ tree: [{ id: "MISSION" }] });
    expect(await read(client, "planwright://news")).toMatchObject({ isSubscribed: false });
    expect(await read(client, "planwright://node/TASK-00001")).toMatchObject({ title: "Write the form" });
    expect(await read(client, "planwright://bundle/TASK-00001")).toMatchObject({ state: "whole" });
    expect(await read(client, "planwright://operation/2")).toMatchObject({ op: 2, changes: expect.any(Array) });
  });

  it.each([
    ["planwright://node/NOWHERE", "Nothing in the plan matches"],
    ["planwright://node/%1b%5b2J", "Nothing in the plan matches"],
    ["planwright://operation/x", "An operation has a number."],
    ["planwright://operation/99999", "99999"],
    ["planwright://run/RUN-999", "RUN-999"],
    ["file:///etc/passwd", "not found"],
  ])("that are not there are an error: %s", async (uri, said) => {
    const { client } = await (await makeMcpRig()).connect();
    await expect(client.readResource({ uri })).rejects.toThrow(said);
  });

  it("tell a subscriber that they changed, whoever changed them", async () => {
    const { connect, ask } = await makeMcpRig();
    await ask("add", { title: "Write the form", parent: "FEAT-001" });
    const { client, call } = await connect();
    const told: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params: { uri } }) => {
      told.push(uri);
    });
    await client.subscribeResource({ uri: "planwright://node/TASK-00001" });
    await client.subscribeResource({ uri: "planwright://news" });
    await client.unsubscribeResource({ uri: "planwright://news" });
    await ask("edit", { reference: "FEAT-001", title: "Sign in" });
    await ask("edit", { reference: "TASK-00001", title: "Write both forms" });
    await expect.poll(() => told).toEqual(["planwright://node/TASK-00001"]);
    await call("edit", { action: "edit", reference: "TASK-00001", body: "with a picture" });
    await expect.poll(() => told.length).toBe(2);
  });
});

describe("prompts", () => {
  it("are one for each role, about what the person names", async () => {
    const { client } = await (await makeMcpRig()).connect();
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(
      "planner worker researcher clarifier author critic overviewer reviewer triage".split(" "),
    );
    const { messages } = await client.getPrompt({ name: "worker", arguments: { about: "TASK-00007" } });
    expect(messages).toMatchObject([{ content: { text: expect.stringContaining("claim TASK-00007 (claim start)") } }]);
  });
});
