import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { buildWeb } from '../../scripts/build-web.ts';
import { createWorld, type World } from '../e2e/world.ts';
import type { ModelScript } from '../model/script.ts';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const AXE = readFileSync(join(import.meta.dir, '../../node_modules/axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** A real server that serves what stands in web/ now. */
export async function createWebWorld(script: ModelScript, env: Record<string, string> = {}): Promise<World> {
  await buildWeb();
  const folder = process.env.WEB_OUT;
  return createWorld(script, { ...(folder !== undefined && { CONTROL_CENTER_WEB_DIR: folder }), ...env });
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** A page in a context of its own that has nothing of others; what it complains about is kept in `complaints`. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    ...{ viewport: { width: 1440, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' },
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  return { page, complaints };
}

/** Signs a page in as the owner, or as another member, by a link as people do, and stays on the screen at `path`. */
export async function signIn(page: Page, world: World, path = '/', memberId?: string): Promise<void> {
  const { code } = await world.ok('POST', '/api/sign-in-codes', memberId === undefined ? {} : { memberId });
  await page.goto(`${world.server.url}/sign-in#code=${code}`);
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  if (path !== '/') await page.goto(world.server.url + path);
}

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds on the page as it stands, in the light and the dark scheme; none is wanted. */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // What follows the scheme by a transition has its new colour a frame later.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    // The page's policy lets no script in from outside; the debugger's evaluation is not held to it.
    await page.evaluate(AXE);
    const list = await page.evaluate(
      (tags) =>
        (globalThis as unknown as { axe: { run(what: object): Promise<{ violations: Violation[] }> } }).axe
          .run({ runOnly: tags })
          .then((result) => result.violations),
      RULES,
    );
    for (const { id, help, nodes } of list) {
      const where = nodes
        .slice(0, 3)
        .map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`);
      found.push(`${colorScheme} ${id}: ${help}\n  ${where.join('\n  ')}`);
    }
  }
  return found;
}

/** Whether something of the page is wider than the window: people would have to scroll sideways. */
export async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
