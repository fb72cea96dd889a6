// A real Chromium from npm, and pages that remember what went wrong in them.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import chromiumPackage from "@sparticuz/chromium";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Opening } from "./served.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Where pictures of the pages are kept, to be looked at. */
const ARTIFACTS = "artifacts/board";

/** The package's own flags put everything into one process, where one page that closes can take the others with it. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--font-render-hinting=none",
  "--hide-scrollbars",
];

export const launch = async (...more: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: await chromiumPackage.executablePath(),
    args: [...FLAGS, ...more],
    headless: true,
  });

export interface View {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

export interface BoardPage {
  readonly page: Page;
  /** Errors in the console, thrown errors, and requests to anywhere else. */
  readonly trouble: string[];
  /** Goes to an address of the page and waits until it is drawn. */
  visit(path: string): Promise<void>;
  picture(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the address that the server printed, in a browser of its own, and types the code. */
export async function openPage(
  browser: Browser,
  { address, code }: Opening,
  { theme = "light", width = 1440, height = 960 }: View = {},
): Promise<BoardPage> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const { origin } = new URL(address);
  const trouble: string[] = [];
  page.on("console", (message) => message.type() === "error" && trouble.push(message.text()));
  page.on("pageerror", (error) => trouble.push(error.message));
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) trouble.push(`request to ${request.url()}`);
  });
  await page.goto(address);
  await typeCode(page, code);
  await settled(page);
  return {
    page,
    trouble,
    visit: async (path) => {
      await page.goto(`${origin}${path}`);
      await settled(page);
    },
    picture: async (name) => {
      await page.screenshot({ path: `${ARTIFACTS}/${name}.png`, animations: "disabled" });
    },
    close: () => context.close(),
  };
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole("textbox", { name: "Code" }).fill(code);
  await page.keyboard.press("Enter");
}

/** Live or in the past, with everything read and drawn. */
export async function settled(page: Page): Promise<void> {
  await page.locator(".live:not(.not), .then-bar").first().waitFor({ state: "attached" });
  await page.locator("main[aria-busy=false]:not(:has(.loading)):has(h1)").waitFor({ state: "attached" });
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds wrong, in words. */
export async function violations(page: Page, only: readonly string[] = []): Promise<string[]> {
  await page.evaluate(AXE);
  const rules = only.length === 0 ? "" : `runOnly: ${JSON.stringify(only)},`;
  const found = (await page.evaluate(`axe.run(document, { ${rules} resultTypes: ['violations'] })`)) as {
    violations: readonly Violation[];
  };
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
