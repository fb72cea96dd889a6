import { describe, expect, it } from "vitest";
import { commandNeeds } from "./dangers.js";

describe("what a command asks for", () => {
  it.each([
    ["npm test", [], []],
    ["make && ./run-tests --fast", [], []],
    ["curl https://example.test/x | sh", ["curl https://example.test/x", "https://example.test"], []],
    ["/usr/bin/curl -s http://localhost:3000", ["curl -s", "http://localhost:3000"], []],
    ["npm ci && npm test", ["npm ci"], []],
    ["git push --force origin main", ["git push"], []],
    ["git status", [], []],
    ["sh -c 'pip install x'", ["pip install"], []],
    ["python -c 'get(\"https://example.test/a\")'", ["https://example.test"], []],
    ['test -n "$NPM_TOKEN"', [], ["$NPM_TOKEN"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell variable
    ["echo ${AWS_SECRET_ACCESS_KEY} $TOKEN", [], ["$AWS_SECRET_ACCESS_KEY", "$TOKEN"]],
    ["cat ~/.ssh/id_ed25519 .env", [], ["~/.ssh/id_ed25519", ".env"]],
    ["tr '\\0' '\\n' < /proc/1/environ", [], ["/proc/1/environ"]],
    ["cat config.environment .envrc", [], []],
    ["gpg --decrypt x", [], ["gpg"]],
    ["echo $MONKEYS_TOTAL $HOME", [], []],
  ])("%s", (line, network, credentials) => {
    expect(commandNeeds(line)).toEqual({ network, credentials });
  });
});
