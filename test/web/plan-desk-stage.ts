import type { Browser, Page } from 'playwright-core';
import { founded, type Json, said, scriptOf, spaceWith, type World } from '../e2e/world.ts';
import { createWebWorld, openBrowser, openPage, signIn } from './browser.ts';

export const LIMIT_MS = 30_000;
/** For one thing to show: a failure then names it instead of running into the limit. */
const PATIENCE_MS = 8_000;

/** A workspace with an engineer that has worked, signed in to in a browser; plans are proposed over the API. */
export interface DeskStage {
  world: World;
  browser: Browser;
  /** The owner's. */
  page: Page;
  complaints: string[];
  /** Path of the workspace's API. */
  ws: string;
  /** With which status of the model's provider the synthesis fails; null for not at all. */
  trouble: number | null;
  propose(): Promise<string>;
  /** Has the engineer complete a run beside all plans. */
  work(): Promise<unknown>;
  detail(plan: string): Promise<Json>;
  pathOf(plan: string, search?: string): string;
  /** Opens a plan, in the owner's page unless told. */
  open(plan: string, search?: string, at?: Page): Promise<void>;
  end(): Promise<void>;
}

export async function openDesk(): Promise<DeskStage> {
  const state: Pick<DeskStage, 'trouble'> = { trouble: null };
  const [world, browser] = await Promise.all([createWebWorld(scriptFor(state)), openBrowser()]);
  const { ws, id, agents } = await founded(world, 'Acme');
  const space = await spaceWith(world, ws, agents.engineer as string);
  for (const word of ['one', 'two', 'three']) await said(world, ws, space, word);
  // With less motion every colour takes a frame to follow the scheme, which is no fault of what is looked at.
  const { page, complaints } = await openPage(browser, { reducedMotion: 'no-preference' });
  page.setDefaultTimeout(PATIENCE_MS);
  await signIn(page, world, `/w/${id}/plans`);
  await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
  const pathOf = (plan: string, search = '') => `/w/${id}/plans/orchestration/${plan}${search}`;
  return Object.assign(state, {
    ...{ world, browser, page, complaints, ws, pathOf },
    propose: () => propose(world, ws, space),
    work: () => said(world, ws, space, 'once more'),
    detail: (plan: string) => world.ok('GET', `${ws}/orchestrations/${plan}`),
    async open(plan: string, search = '', at = page) {
      await at.goto(world.server.url + pathOf(plan, search));
      await at.getByRole('heading', { level: 1, name: 'Ship the graph export' }).waitFor();
    },
    async end() {
      await browser.close();
      await world.end();
    },
  });
}

function scriptFor(state: Pick<DeskStage, 'trouble'>) {
  const deliverable = { deliverable: '# All done\n\nEverything is **there**.', gaps: [] };
  const text = `\`\`\`json\n${JSON.stringify(deliverable)}\n\`\`\``;
  const turn = () =>
    state.trouble === null ? { text } : { fault: { kind: 'status' as const, status: state.trouble } };
  return scriptOf({
    ...{ name: 'Synthesis', when: { user: /^# Synthesis/m as unknown as string } },
    turns: [turn],
  });
}

let hired = 0;

async function propose(world: World, ws: string, { id, mainConversationId }: Json): Promise<string> {
  const made = await world.ok('POST', `${ws}/orchestrations`, {
    ...{ proposal: proposalOf(`writer-${++hired}`), spaceId: id, conversationId: mainConversationId },
  });
  return made.id;
}

/** Three sub-tickets in a row and one beside, done by somebody who is hired for it and has no history. */
const proposalOf = (name: string) => ({
  goal: 'Ship the graph export\n\nKeep the old one.',
  roles: [
    { key: 'dev', title: 'Developer', agent: { existing: 'engineer' } },
    { key: 'writer', title: 'Writer', agent: { hire: { name, persona: 'Writes.', skills: [] } } },
  ],
  tickets: [
    ticket('read', 'Read the code', []),
    ticket('build', 'Build the exporter', ['read']),
    ticket('check', 'Check it', ['build']),
    { ...ticket('docs', 'Write the manual', []), role: 'writer' },
  ],
  synthesis: { role: 'dev', brief: 'Say what changed.' },
  budgetMicros: 5_000_000,
});

const ticket = (key: string, title: string, needs: string[]) => ({
  ...{ key, title, description: `Do: ${title}.`, role: 'dev', needs },
});

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Waits until the page says that this revision is the one it works on. */
export const saved = (page: Page, revision: number) =>
  page.getByText(`Revision ${revision}`, { exact: true }).first().waitFor();
