import { afterAll, beforeAll } from 'bun:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { founded, type Json, type World } from '../e2e/world.ts';
import type { ModelScript } from '../model/script.ts';
import { createWebWorld, openBrowser, openPage, signIn } from './browser.ts';

const STAGE_LIMIT_MS = 60_000;
/** For one thing to show: a failure then names it instead of running into the test's own limit. */
const PATIENCE_MS = 8_000;

/** A workspace with its first agents on a real server, signed in to as its owner in a browser. There from the first test on. */
export interface RoomStage {
  world: World;
  browser: Browser;
  /** The owner's. */
  page: Page;
  /** What the owner's page complained about. */
  complaints: string[];
  /** Path of the workspace's API. */
  ws: string;
  workspaceId: string;
  /** Ids by name. */
  agents: Record<string, string>;
  /** A space that waits for people; of the engineer and the stage's repository unless told. */
  room(name: string, more?: Json): Promise<Json>;
  /** The address of a space's screen. */
  urlOf(space: Json, search?: string): string;
  /** Makes a space and shows it in the owner's page. */
  opened(name: string, more?: Json): Promise<Json>;
  /** Says something in the conversation that is shown, the thread if there is one. */
  write(text: string, at?: Page): Promise<void>;
  /** The place to write. */
  field(at?: Page): Locator;
  button(name: string | RegExp, within?: Page | Locator): Locator;
  log(at?: Page): Locator;
  message(text: string | RegExp, at?: Page): Locator;
  messagesOf(space: Json): Promise<Json[]>;
  runsOf(space: Json): Promise<Json[]>;
}

interface StageOptions {
  env?: Record<string, string>;
  /** After the workspace is founded, before anybody looks at it. */
  prepare?(stage: Pick<RoomStage, 'world' | 'ws' | 'workspaceId' | 'agents' | 'room'>): Promise<void>;
}

/** Sets the stage before the first test of a file and clears it after the last. */
export function roomStage(script: ModelScript, { env = {}, prepare }: StageOptions = {}): RoomStage {
  const stage = placesOf({} as RoomStage);
  beforeAll(async () => {
    [stage.world, stage.browser] = await Promise.all([createWebWorld(script, env), openBrowser()]);
    const { ws, id, agents } = await founded(stage.world, 'Acme');
    Object.assign(stage, { ws, workspaceId: id, agents });
    await prepare?.(stage);
    Object.assign(stage, await openPage(stage.browser));
    stage.page.setDefaultTimeout(PATIENCE_MS);
    await signIn(stage.page, stage.world);
  }, STAGE_LIMIT_MS);
  afterAll(async () => {
    await stage.browser?.close();
    await stage.world?.end();
  });
  return stage;
}

function placesOf(stage: RoomStage): RoomStage {
  const list = async (path: string): Promise<Json[]> => (await stage.world.ok('GET', stage.ws + path)).items;
  return Object.assign(stage, {
    room: (name: string, more: Json = {}) =>
      stage.world.ok('POST', `${stage.ws}/spaces`, {
        ...{ name, mode: 'chat', agents: [stage.agents.engineer], whenNobody: 'wait' },
        repositories: [{ name: 'invoices', path: stage.world.stage.repository }],
        ...more,
      }),
    urlOf: ({ id }: Json, search = '') =>
      `${stage.world.server.url}/w/${stage.workspaceId}/spaces/${id}${search}`,
    async opened(name: string, more: Json = {}) {
      const space = await stage.room(name, more);
      await stage.page.goto(stage.urlOf(space));
      await stage.page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' });
      return space;
    },
    field: (at: Page = stage.page) => at.getByRole('textbox', { name: 'Message', exact: true }).last(),
    async write(text: string, at: Page = stage.page) {
      await stage.field(at).fill(text);
      await stage.field(at).press('Enter');
    },
    button: (name: string | RegExp, within: Page | Locator = stage.page) =>
      within.getByRole('button', { name, exact: typeof name === 'string' }),
    log: (at: Page = stage.page) => at.getByRole('log', { name: 'Messages' }),
    message: (text: string | RegExp, at: Page = stage.page) =>
      at.getByRole('article').filter({ hasText: text }),
    messagesOf: ({ mainConversationId }: Json) => list(`/conversations/${mainConversationId}/messages`),
    runsOf: ({ mainConversationId }: Json) => list(`/runs?conversationId=${mainConversationId}`),
  });
}
