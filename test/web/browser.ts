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

interface Axe {
  run(what: object): Promise<{ violations: Violation[] }>;
}

/** The rules whose answer the colours decide: the page differs between the schemes in nothing else. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe finds on the page as it stands, in the light and the dark scheme; none is wanted. See `flaws`. */
export async function violations(page: Page): Promise<string[]> {
  const light = await look(page, 'light', RULES);
  return [...light, ...(await look(page, 'dark', { type: 'rule', values: COLOUR_RULES }))];
}

async function look(page: Page, colorScheme: 'light' | 'dark', runOnly: object): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  // What follows the scheme by a transition has its new colour a frame later.
  await twoFrames(page);
  // The page's policy lets no script in from outside; the debugger's evaluation is not held to it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const found = await page.evaluate(
    (rules) =>
      (globalThis as unknown as { axe: Axe }).axe
        .run({ runOnly: rules, resultTypes: ['violations'] })
        .then((result) => result.violations),
    runOnly,
  );
  return found.map(({ id, help, nodes }) => {
    const where = nodes
      .slice(0, 3)
      .map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`);
    return `${colorScheme} ${id}: ${help}\n  ${where.join('\n  ')}`;
  });
}

/**
 * What is wrong with the state in which a screen is: what axe finds in both schemes, and again in a window of 320 pixels, where
 * nothing may be wider than the window. That is also a window of 1280 pixels at 400 %, here as low as such a one is.
 * Where WEB_PICTURES names a folder, pictures of every state are left there for people to look at.
 */
export async function flaws(page: Page): Promise<string[]> {
  const wide = page.viewportSize() ?? { width: 1440, height: 900 };
  const picture = pictureOf(new Error().stack);
  const found = await look(page, 'light', RULES);
  await picture(page, 'light');
  found.push(...(await look(page, 'dark', { type: 'rule', values: COLOUR_RULES })));
  await picture(page, 'dark');
  await page.setViewportSize({ width: 320, height: 256 });
  found.push(...(await look(page, 'light', RULES)).map((flaw) => `320 px: ${flaw}`));
  if (await isTooWide(page)) found.push('320 px: the page is wider than the window');
  await picture(page, 'low');
  await page.setViewportSize(wide);
  // What stands in a wide window alone is there again.
  await twoFrames(page);
  return found;
}

const twoFrames = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Pictures are named by the test's file and line, of which there is one for each state. */
function pictureOf(stack = ''): (page: Page, way: string) => Promise<void> {
  const folder = process.env.WEB_PICTURES;
  if (folder === undefined) return async () => undefined;
  const [, file, line] = /([\w-]+)\.test\.ts:(\d+)/.exec(stack) ?? [];
  const take = (page: Page, way: string) => page.screenshot({ path: `${folder}/${file}-${line}-${way}.png` });
  return async (page, way) => {
    await take(page, way);
    if (way !== 'light') return;
    await page.emulateMedia({ forcedColors: 'active' });
    await take(page, 'forced');
    await page.emulateMedia({ forcedColors: 'none' });
  };
}

/** Whether something is wider than the part of the page that holds it: people would have to scroll sideways. */
export async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, dialog[open]')].some(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    ),
  );
}
