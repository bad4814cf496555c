import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import type { Estimate } from '../../core-wasm/core.ts';
import {
  createWorld,
  founded,
  type Json,
  said,
  scriptOf,
  spaceWith,
  until,
  type World,
} from '../e2e/world.ts';
import { isTooWide, openBrowser, openPage, signIn, violations } from './browser.ts';

const LIMIT_MS = 25_000;
/** For one thing to show: a failure then names it instead of running into the limit. */
const PATIENCE_MS = 6_000;
/** The build that is tested: dist/web unless told, as the build itself is. */
const built: Record<string, string> = process.env.WEB_OUT
  ? { CONTROL_CENTER_WEB_DIR: process.env.WEB_OUT }
  : {};
let world: World;
let browser: Browser;
let ws: string;
let id: string;
let space: Json;
let page: Page;
let complaints: string[];
/** The synthesis fails as long as this holds. */
let isBroken = false;

const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
const step = (title: string, turn: object) => ({
  ...{ name: title, when: { user: new RegExp(`^# ${title}`, 'm') as unknown as string } },
  turns: [turn],
});

const script = scriptOf(
  step('Synthesis', () =>
    isBroken
      ? { fault: { kind: 'status', status: 400 } }
      : { text: json({ deliverable: '# All done\n\nEverything is **there**.', gaps: [] }) },
  ),
);

/** Every plan hires a writer of its own. */
let hired = 0;

/** Three sub-tickets in a row and one beside; the writer is hired and has no history. */
const proposal = (more: Json = {}) => ({
  goal: 'Ship the graph export\n\nKeep the old one.',
  roles: [
    { key: 'dev', title: 'Developer', agent: { existing: 'engineer' } },
    {
      key: 'writer',
      title: 'Writer',
      agent: { hire: { name: `writer-${++hired}`, persona: 'Writes.', skills: [] } },
    },
  ],
  tickets: [
    ticket('read', 'Read the code', []),
    ticket('build', 'Build the exporter', ['read']),
    ticket('check', 'Check it', ['build']),
    { ...ticket('docs', 'Write the manual', []), role: 'writer' },
  ],
  synthesis: { role: 'dev', brief: 'Say what changed.' },
  budgetMicros: 5_000_000,
  ...more,
});

const ticket = (key: string, title: string, needs: string[]) => ({
  ...{ key, title, description: `Do: ${title}.`, role: 'dev', needs },
});

async function propose(more: Json = {}): Promise<string> {
  const { id: spaceId, mainConversationId: conversationId } = space;
  const made = await world.ok('POST', `${ws}/orchestrations`, {
    ...{ proposal: proposal(more), spaceId, conversationId },
  });
  return made.id;
}

const detail = (plan: string) => world.ok('GET', `${ws}/orchestrations/${plan}`);
const pathOf = (plan: string, search = '') => `/w/${id}/plans/orchestration/${plan}${search}`;

async function open(plan: string, search = '', at: Page = page): Promise<void> {
  await at.goto(world.server.url + pathOf(plan, search));
  await at.getByRole('heading', { level: 1, name: 'Ship the graph export' }).waitFor();
}

beforeAll(async () => {
  [world, browser] = await Promise.all([createWorld(script, built), openBrowser()]);
  const acme = await founded(world, 'Acme');
  ({ ws, id } = acme);
  space = await spaceWith(world, ws, acme.agents.engineer as string);
  for (const word of ['one', 'two', 'three']) await said(world, ws, space, word);
  ({ page, complaints } = await openPage(browser));
  page.setDefaultTimeout(PATIENCE_MS);
  await signIn(page, world, `/w/${id}/plans`);
  await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
}, LIMIT_MS);

afterAll(async () => {
  await browser?.close();
  await world?.end();
});

const field = (name: string, at: Page = page) => at.getByRole('textbox', { name, exact: true });
const button = (name: string | RegExp, at: Page = page) => at.getByRole('button', { name });
const saved = (revision: number, at: Page = page) =>
  at.getByText(`Revision ${revision}`, { exact: true }).first().waitFor();

describe('a proposed plan', () => {
  let plan: string;
  beforeAll(async () => {
    plan = await propose();
  });

  test('is edited, undone and saved as revisions', async () => {
    await open(plan, '?node=ticket/build');
    await field('Title').fill('Build the new exporter');
    await field('Title').blur();
    await saved(2);
    expect((await detail(plan)).proposal.tickets[1].title).toBe('Build the new exporter');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+s');
    await saved(3);
    expect((await detail(plan)).proposal.tickets[1].title).toBe('Build the exporter');
    await button('Redo').click();
    await page.keyboard.press('Control+s');
    await saved(4);
  });

  test('says why a sub-ticket cannot depend on another, and takes the others', async () => {
    await open(plan, '?node=ticket/read');
    const combo = page.getByRole('combobox', { name: 'Add a dependency' });
    await combo.fill('check');
    const refused = page.getByRole('option', { name: /Check it/ });
    await refused.getByText('would go in a circle: read → build → check → read').waitFor();
    expect(await refused.getAttribute('aria-disabled')).toBe('true');
    await combo.press('Enter');
    await combo.fill('manual');
    await combo.press('Enter');
    await page
      .getByRole('region', { name: 'Depends on' })
      .getByRole('button', { name: 'Write the manual', exact: true })
      .waitFor();
    await until(
      () => detail(plan),
      ({ proposal: { tickets } }) => tickets[0].needs[0] === 'docs',
    );
  });

  test('keeps a schema that is none and does not let it be approved', async () => {
    await open(plan, '?node=ticket/docs');
    await field('Output schema').fill('{"type": "objet"}');
    await page.getByText('At the top: “type” is one of').waitFor();
    await button(/Approve all/)
      .and(page.getByTitle('An output schema is not valid yet'))
      .waitFor();
    await field('Output schema').fill('{"type": "object"}');
    await field('Output schema').blur();
    await until(
      () => detail(plan),
      ({ proposal: { tickets } }) => tickets[3].outputSchema?.type === 'object',
    );
    expect(await button('Approve all').getAttribute('aria-disabled')).toBeNull();
  });

  test('names what a deletion breaks, and brings it back', async () => {
    await open(plan, '?node=ticket/build');
    await button('Delete sub-ticket').click();
    const dialog = page.getByRole('dialog', { name: /Delete/ });
    await dialog.getByText('1 sub-ticket depends on it').waitFor();
    await dialog.getByText('Check it').waitFor();
    await dialog.getByRole('button', { name: 'Delete sub-ticket' }).click();
    await until(
      () => detail(plan),
      ({ proposal: { tickets } }) => tickets.length === 3,
    );
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+s');
    await until(
      () => detail(plan),
      ({ proposal: { tickets } }) => tickets[2]?.needs?.[0] === 'build',
    );
  });

  test('has its estimate computed in the browser bit for bit as in the server', async () => {
    await open(plan);
    const { estimate } = (await detail(plan)) as { estimate: Estimate };
    expect(estimate).toMatchObject({ knownNodes: 4, unknownNodes: 1 });
    expect(await shownRanges()).toEqual(exactly(estimate));
    await page.getByText('4 of 5').waitFor();
    await page.getByText('1 unknown, not counted').waitFor();
    expect(await page.getByText(/^at least/).count()).toBe(4);
  });

  test('has revisions that are compared, looked at and restored', async () => {
    await open(plan);
    await button('Revisions').click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Revision 2' })
      .getByRole('button', { name: 'Compare with 1' })
      .click();
    const changes = page.getByRole('region', { name: 'What changed from 1 to 2' });
    await changes.getByText('new', { exact: false }).first().waitFor();
    expect(await changes.locator('ins').allTextContents()).toEqual(['new ']);
    expect(page.url()).toContain('diff=1..2');
    const { revision } = await detail(plan);
    await button(`Restore revision 1 as revision ${revision + 1}`).click();
    await until(
      () => detail(plan),
      (now) => now.revision === revision + 1,
    );
    const restored = await detail(plan);
    expect(restored.proposal.tickets[1].title).toBe('Build the exporter');
    await page.getByText('Restored from revision 1').waitFor();
  });

  test('is sent back only with words', async () => {
    const other = await propose();
    await open(other);
    await button('Request changes…').click();
    const dialog = page.getByRole('dialog', { name: 'Request changes to revision 1' });
    expect(await dialog.getByRole('button', { name: /Request changes/ }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await dialog.getByRole('textbox').fill('Leave the manual out.');
    await dialog.getByRole('button', { name: /Request changes/ }).click();
    await page.getByText('Leave the manual out.').waitFor();
    await button(/Approve all/)
      .and(page.getByTitle(/waits for its next revision/))
      .waitFor();
    expect((await detail(other)).changesRequestedReason).toBe('Leave the manual out.');
  });
});

/** The ranges of the approval bar, exactly: longest path, simulated, sum, simulated. */
const shownRanges = (at: Page = page) =>
  at
    .getByRole('region', { name: 'Decision' })
    .locator('data')
    .evaluateAll((all) => all.map((one) => (one as HTMLDataElement).value));

const exactly = ({ cost, duration }: Estimate) =>
  [duration.longestPath, duration.simulated, cost.sumOfQuartiles, cost.simulated].map((range) =>
    range ? `${range.p25}/${range.p75}` : '',
  );

describe('two people on one plan', () => {
  let plan: string;
  let mara: Page;
  beforeAll(async () => {
    plan = await propose();
    const member = await world.ok('POST', '/api/members', { name: 'Mara', role: 'operator' });
    ({ page: mara } = await openPage(browser));
    await signIn(mara, world, pathOf(plan), member.id);
  });

  test('see each other’s edits without a reload', async () => {
    await open(plan, '?node=ticket/read');
    await open(plan, '?node=ticket/read', mara);
    await field('Title', mara).fill('Read all of the code');
    await field('Title', mara).blur();
    await saved(2);
    expect(await field('Title').inputValue()).toBe('Read all of the code');
  });

  test('overwrite nothing: the later one is refused, sees both versions and reapplies', async () => {
    // A browser whose connection tells nothing learns of the other edit by the refusal alone.
    const { page: deaf } = await openPage(browser);
    await deaf.routeWebSocket(/./, () => undefined);
    await signIn(deaf, world, pathOf(plan));
    await open(plan, '?node=ticket/read', deaf);
    await field('Title', mara).fill('Theirs');
    await field('Title', mara).blur();
    await saved(3, mara);
    await field('Title', deaf).fill('Mine');
    await field('Description', deaf).fill('Mine too.');
    await field('Description', deaf).blur();
    await deaf.getByText('your edits are based on revision 2, the newest is 3').waitFor();
    await deaf.getByText('2 edits of yours are kept here').waitFor();
    const [refused] = (await detail(plan)).proposal.tickets;
    expect(refused).toMatchObject({ title: 'Theirs', description: 'Do: Read the code.' });
    await button(/^Compare and reapply$/, deaf).click();
    const dialog = deaf.getByRole('dialog', { name: 'Your edits and revision 3' });
    expect(await violations(deaf)).toEqual([]);
    const title = dialog.getByRole('group', { name: /· Title/ });
    await title.getByText('Both of you changed this').waitFor();
    expect(await title.locator('pre').allTextContents()).toEqual(['Theirs', 'Mine']);
    const apply = dialog.getByRole('button', { name: /Apply/ });
    expect(await apply.getAttribute('title')).toBe('1 field is not decided yet');
    await title.getByRole('radio', { name: 'Mine' }).check();
    await apply.click();
    await saved(4, deaf);
    const [merged] = (await detail(plan)).proposal.tickets;
    expect(merged).toMatchObject({ title: 'Mine', description: 'Mine too.' });
    await deaf.context().close();
  });

  test('decide once: whoever still looks at it is told', async () => {
    await open(plan);
    await button('Approve all').click();
    await world.ok('POST', `${ws}/orchestrations/${plan}/cancel`);
    await page.getByRole('region', { name: 'Progress' }).getByText('Cancelled').waitFor();
    expect(await button('Start the work').count()).toBe(0);
    await mara.context().close();
  });
});

describe('approval', () => {
  test(
    'of a part: ticking one ticks what it needs, the rest is deferred and approved later',
    async () => {
      const plan = await propose();
      await open(plan, '?panel=part');
      const tick = (name: RegExp) => page.getByRole('checkbox', { name });
      await tick(/^Check it/).check();
      expect(await tick(/^Read the code/).isChecked()).toBe(true);
      expect(await tick(/^Write the manual/).isChecked()).toBe(false);
      await tick(/^Build the exporter/).uncheck();
      expect(await tick(/^Check it/).isChecked()).toBe(false);
      await tick(/^Build the exporter/).check();
      await button('Approve 2 of 4…').click();
      await page.getByText('2 of 4 sub-tickets start').waitFor();
      await button('Start the work').click();
      await page.getByText('2 deferred').waitFor();
      await until(
        () => detail(plan),
        ({ steps }) => stateOf(steps, 'ticket/build') === 'done',
      );
      await button('Approve deferred…').click();
      await tick(/^Check it/).check();
      await button('Approve 1').click();
      await page.getByText('1 deferred').waitFor();
      await page.goto(world.server.url + pathOf(plan, '?node=ticket/docs'));
      await page.getByRole('region', { name: 'Work' }).getByText('Deferred', { exact: true }).waitFor();
      await button('Leave it out').click();
      await page.getByRole('region', { name: 'Progress' }).getByText('Completed').waitFor();
      await button('Show the deliverable').click();
      await page.getByRole('region', { name: 'Deliverable' }).getByText('Everything is').waitFor();
    },
    LIMIT_MS,
  );

  test(
    'says what starts; a failed step is shown, retried, and the work goes on',
    async () => {
      isBroken = true;
      const plan = await propose();
      await open(plan);
      await button('Approve all').click();
      await page.getByText('4 sub-tickets start').waitFor();
      await button('Start the work').click();
      await button('Show the failed step').click();
      const work = page.getByRole('region', { name: 'Work' });
      await work.getByText('Failed', { exact: true }).waitFor();
      expect(await work.getByRole('link', { name: 'Open the run' }).getAttribute('href')).toContain(
        '/runs/run_',
      );
      await work
        .getByRole('button', { name: /^Skip/ })
        .and(page.getByTitle(/no deliverable/))
        .waitFor();
      expect(await violations(page)).toEqual([]);
      isBroken = false;
      await work.getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('region', { name: 'Progress' }).getByText('Completed').waitFor();
      await work.getByText('Done').waitFor();
    },
    LIMIT_MS,
  );
});

const stateOf = (steps: Json[], key: string) => steps.find((step) => step.key === key)?.state;

describe('by keyboard alone', () => {
  test('the outline is walked, edited and its rows deleted', async () => {
    const plan = await propose();
    await open(plan);
    const press = async (...all: string[]) => {
      for (const key of all) await page.keyboard.press(key);
    };
    await press('\\');
    const grid = page.getByRole('treegrid', { name: 'Outline of the plan' });
    await grid.locator('[tabindex="0"]').focus();
    await press('ArrowDown', 'Enter', 'Control+a');
    await page.keyboard.type('Read it all');
    await press('Enter');
    await saved(2);
    expect((await detail(plan)).proposal.tickets[0].title).toBe('Read it all');
    await grid.getByRole('rowheader', { name: 'Read it all' }).and(page.locator(':focus')).waitFor();
    await press('ArrowRight', 'Enter', 'ArrowDown', 'Enter');
    await until(
      () => detail(plan),
      ({ proposal: { tickets } }) => tickets[0].role === 'writer',
    );
    await press('ArrowRight', 'Enter');
    await page.getByRole('combobox', { name: 'Add a dependency' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('manual');
    await press('Enter');
    await until(
      () => detail(plan),
      ({ proposal: { tickets } }) => tickets[0].needs[0] === 'docs',
    );
    await grid.locator('[tabindex="0"]').focus();
    await press('Delete', 'Control+s');
    await until(
      () => detail(plan),
      ({ proposal: { tickets } }) => tickets.length === 3,
    );
  });

  test('a plan is approved', async () => {
    const plan = await propose();
    await open(plan);
    await button('Approve all').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approve revision 1?' }).and(page.locator(':focus')).waitFor();
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await until(
      () => detail(plan),
      ({ status }) => status !== 'proposed',
    );
  });
});

test(
  'every state is accessible, and nothing has to be scrolled sideways at 320 pixels',
  async () => {
    const plan = await propose();
    const states = [
      '',
      '?view=outline&node=ticket/build',
      '?panel=revisions',
      '?panel=part',
      '?node=synthesis',
    ];
    for (const search of states) {
      await open(plan, search);
      expect(await violations(page)).toEqual([]);
    }
    await page.goto(`${world.server.url}/w/${id}/plans?status=completed`);
    await page.getByRole('rowheader').first().getByRole('link').click();
    await page.getByRole('region', { name: 'Deliverable' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    for (const search of ['?node=ticket/build', '?view=outline', '?panel=revisions']) {
      await open(plan, search);
      expect(await isTooWide(page)).toBe(false);
    }
    expect(complaints).toEqual([]);
  },
  LIMIT_MS,
);
