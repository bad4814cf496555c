import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { DEMO_PROPOSAL } from '../../scripts/demo/demo-proposal.ts';
import { founded, type Json, spaceWith, type World } from '../e2e/world.ts';
import { createWebWorld, openBrowser, openPage, signIn } from './browser.ts';

/** ms. The median of five loads counts, in the best of a few rounds: others work on the machine as well. */
const BUDGETS = {
  firstPaint: 600,
  slowFirstPaint: 800,
  conversation: 1_200,
  planStudio: 1_500,
  largePlan: 1_800,
  eventOnScreenP95: 150,
  backOnScreen: 2_000,
} as const;
const LOADS = 5;
const ROUNDS = 3;
const SILENT = { name: 'silent', dialogues: [], otherwise: () => ({ text: 'Noted.' }) };

let world: World;
let browser: Browser;
let page: Page;
let ws: string;
let workspaceId: string;
let room: Json;
let planId: string;
let largeId: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([createWebWorld(SILENT), openBrowser()]);
  const acme = await founded(world, 'Acme');
  ({ ws, id: workspaceId } = acme);
  room = await spaceWith(world, ws, acme.agents.ceo!, { agents: [] });
  const place = { spaceId: room.id, conversationId: room.mainConversationId };
  planId = (await world.ok('POST', `${ws}/orchestrations`, { proposal: DEMO_PROPOSAL, ...place })).id;
  largeId = (await world.ok('POST', `${ws}/orchestrations`, { proposal: large(500), ...place })).id;
  await say('The last word.');
  ({ page } = await openPage(browser));
  await signIn(page, world);
}, 30_000);
afterAll(async () => {
  await browser?.close();
  await world?.end();
});

const say = (body: string) =>
  world.ok('POST', `${ws}/conversations/${room.mainConversationId}/messages`, { body });

function large(tickets: number) {
  return {
    ...{ goal: 'Much', research: null, discussion: null, budgetMicros: 1_000_000 },
    roles: [{ key: 'coder', title: 'Coder', agent: { existing: 'engineer' } }],
    tickets: Array.from({ length: tickets }, (_, i) => ({
      ...{ key: `t${i}`, title: `Ticket ${i}`, description: 'Do it.', role: 'coder' },
      needs: i < 20 ? [] : [`t${i - 20}`, `t${i - 13}`],
    })),
    synthesis: { role: 'coder', brief: 'Sum up.' },
  };
}

interface Load {
  firstPaint: number;
  ready: number;
}

/** A load of a place in a page without a cache: when something was painted, and when `content` stood on the screen. */
async function load(path: string, content: string): Promise<Load> {
  const fresh = await page.context().newPage();
  try {
    const session = await fresh.context().newCDPSession(fresh);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    if (isSlow) await session.send('Network.emulateNetworkConditions', SLOW);
    await fresh.addInitScript((text) => {
      const look = () => {
        if (document.body?.innerText.includes(text))
          Object.assign(globalThis, { readyAt: performance.now() });
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, content);
    await fresh.goto(world.server.url + path);
    await fresh.waitForFunction(() => 'readyAt' in globalThis);
    return await fresh.evaluate(() => ({
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      ready: (globalThis as unknown as { readyAt: number }).readyAt,
    }));
  } finally {
    await fresh.close();
  }
}

const SLOW = {
  ...{ offline: false, latency: 40 },
  ...{ downloadThroughput: 10_000_000 / 8, uploadThroughput: 10_000_000 / 8 },
};
let isSlow = false;

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Measures until it is within the budget, in a few rounds at most: what the machine does besides only adds. */
async function within(name: string, budget: number, measure: () => Promise<number>): Promise<void> {
  const seen: number[] = [];
  for (let round = 0; round < ROUNDS && !seen.some((value) => value <= budget); round++)
    seen.push(await measure());
  console.log(`${name}: ${seen.map(Math.round).join(', ')} of ${budget} ms`);
  expect(Math.min(...seen), name).toBeLessThanOrEqual(budget);
}

async function medianOf(path: string, content: string, what: keyof Load): Promise<number> {
  const loads: number[] = [];
  for (let i = 0; i < LOADS; i++) loads.push((await load(path, content))[what]);
  return median(loads);
}

const conversation = () => `/w/${workspaceId}/spaces/${room.id}`;
const plan = (id: string) => `/w/${workspaceId}/plans/orchestration/${id}`;

test('a conversation, a plan and a large plan are ready in time', async () => {
  await within('first paint', BUDGETS.firstPaint, () =>
    medianOf(conversation(), 'The last word.', 'firstPaint'),
  );
  await within('conversation ready', BUDGETS.conversation, () =>
    medianOf(conversation(), 'The last word.', 'ready'),
  );
  await within('Plan Studio ready', BUDGETS.planStudio, () =>
    medianOf(plan(planId), 'Verify both together', 'ready'),
  );
  await within('Plan Studio with 500 nodes ready', BUDGETS.largePlan, () =>
    medianOf(plan(largeId), '501 unknown', 'ready'),
  );
}, 120_000);

test('a slow line paints in time, too', async () => {
  isSlow = true;
  await within('first paint at 10 Mbit/s and 40 ms', BUDGETS.slowFirstPaint, () =>
    medianOf(conversation(), 'The last word.', 'firstPaint'),
  );
  isSlow = false;
}, 60_000);

test('what happens on the server is on the screen in time', async () => {
  await page.goto(world.server.url + conversation());
  await page.getByText('The last word.').waitFor();
  let count = 0;
  const once = async () => {
    const text = `Word ${++count}.`;
    const shown = page.evaluate((wanted) => {
      const { promise, resolve } = Promise.withResolvers<number>();
      const look = () =>
        document.body.innerText.includes(wanted) ? resolve(Date.now()) : requestAnimationFrame(look);
      look();
      return promise;
    }, text);
    const { message } = await say(text);
    return (await shown) - message.createdAt;
  };
  await within('event on screen, p95', BUDGETS.eventOnScreenP95, async () => {
    const delays: number[] = [];
    for (let i = 0; i < 20; i++) delays.push(await once());
    return delays.toSorted((a, b) => a - b)[18] as number;
  });
}, 60_000);

test('what happened while the server was down is there in time once it is back, each once', async () => {
  const port = new URL(world.server.url).port;
  await within('back on screen after a restart', BUDGETS.backOnScreen, async () => {
    const text = `Said at ${Date.now()}.`;
    await world.restart({ CONTROL_CENTER_PORT: port });
    const backAt = Date.now();
    await say(text);
    await page.getByText(text).waitFor();
    expect(await page.getByText(text).count()).toBe(1);
    return Date.now() - backAt;
  });
}, 60_000);
