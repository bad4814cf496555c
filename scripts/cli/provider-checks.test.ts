import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../services/config.ts';
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from '../../test/model/server.ts';
import type { Check } from './check.ts';
import { providerChecks } from './provider-checks.ts';

/** What `cctl doctor` says of the servers of models, each asked for real. */

const KEY = 'PROVIDER_CHECKS_TEST_KEY';
const SIZES = { contextTokens: 100_000, maxOutputTokens: 8_000 };

let dataDir: string;
let stops: (() => unknown)[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cctl-providers-'));
  process.env[KEY] = 'right-key';
});
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
  delete process.env[KEY];
  rmSync(dataDir, { recursive: true, force: true });
});

function start(options: ScriptedModelOptions): ScriptedModel {
  const model = startScriptedModel({ name: 'none', dialogues: [] }, options);
  stops.push(() => model.stop());
  return model;
}

function serve(answer: () => Response | Promise<Response>): string {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer });
  stops.push(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

function configOf(env: Record<string, string>, file: object): Config {
  writeFileSync(join(dataDir, 'models.json'), JSON.stringify(file));
  return loadConfig({ CONTROL_CENTER_DATA: dataDir, ...env });
}

/** The file of one provider `house` that has the default model. */
function house(provider: object, ...others: string[]): object {
  const models = ['house-1', ...others].map((id) => ({ id, provider: 'house', ...SIZES }));
  return { defaultModel: 'house-1', providers: [{ name: 'house', apiKeyEnv: KEY, ...provider }], models };
}

async function checksOf(config: Config, timeoutMs?: number): Promise<Record<string, Check>> {
  const checks = await providerChecks(config, timeoutMs);
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

test('a provider that takes the key and lists the models is content, with either header', async () => {
  for (const [auth, credentialHeader] of [
    ['bearer', 'authorization'],
    ['x-api-key', 'x-api-key'],
  ] as const) {
    const { url: baseUrl } = start({ apiKey: 'right-key', credentialHeader, models: ['house-1', 'other'] });
    const checks = await checksOf(configOf({}, house({ baseUrl, auth })));
    expect(checks['provider house']).toMatchObject({ ok: true, required: true, mend: null });
    expect(checks['provider house']?.found).toBe(`takes the key at ${baseUrl}, lists 1 of 1 models`);
  }
});

test('a server that is given no key is not said to take one', async () => {
  const { url: baseUrl } = start({ models: ['house-1'] });
  const checks = await checksOf(configOf({}, house({ baseUrl, apiKeyEnv: undefined })));
  expect(checks['provider house']?.found).toBe(`answers at ${baseUrl}, lists 1 of 1 models`);
});

test('models that it does not list are named, and a dated id is its short one', async () => {
  const { url: baseUrl } = start({ models: ['house-1-20261101', 'house-2-next'] });
  const checks = await checksOf(configOf({}, house({ baseUrl }, 'house-2', 'house-3')));
  expect(checks['provider house']).toMatchObject({ ok: false, required: false });
  expect(checks['provider house']?.mend).toContain('does not list house-2, house-3. ');
});

test('a key that is refused is told with its variable and its header, and never shown', async () => {
  const { url: baseUrl } = start({ apiKey: 'another-key' });
  const { 'provider house': check } = await checksOf(configOf({}, house({ baseUrl })));
  expect(check).toMatchObject({ ok: false, required: true });
  expect(check?.found).toContain(`refuses the key at ${baseUrl}`);
  expect(check?.mend).toMatch(new RegExp(`Set ${KEY} .*Authorization: Bearer.*"auth": "x-api-key"`));
  expect(JSON.stringify(check)).not.toContain('right-key');
});

test('a key that the server says back is not shown either', async () => {
  const baseUrl = serve(() => Response.json({ error: { message: 'no right-key here' } }, { status: 403 }));
  const { 'provider house': check } = await checksOf(configOf({}, house({ baseUrl })));
  expect(check?.found).toContain('refuses the key');
  expect(JSON.stringify(check)).not.toContain('right-key');
});

test('what answers with a page is no server of models', async () => {
  for (const status of [200, 204]) {
    const page = status === 200 ? '<html>Log in</html>' : null;
    const baseUrl = serve(() => new Response(page, { status, headers: { 'content-type': 'text/html' } }));
    const { 'provider house': check } = await checksOf(configOf({}, house({ baseUrl })));
    expect(check).toMatchObject({ ok: false, required: true });
    expect(check?.mend).toContain('whether the address is one of the Messages API');
  }
});

test('a provider that wants a key and has none in the file is told how to name one', async () => {
  const { url: baseUrl } = start({ apiKey: 'another-key' });
  const { 'provider house': check } = await checksOf(
    configOf({}, { ...house({ baseUrl }), providers: [{ name: 'house', baseUrl }] }),
  );
  expect(check?.found).toContain('has no key, and needs one');
  expect(check?.mend).toContain('apiKeyEnv');
});

test('one that is not there, or does not answer in time, is not reached', async () => {
  const gone = serve(() => new Response());
  await stops.pop()?.();
  const silent = serve(() => new Promise<Response>(() => {}));
  for (const baseUrl of [gone, silent]) {
    const { 'provider house': check } = await checksOf(configOf({}, house({ baseUrl })), 300);
    expect(check).toMatchObject({ ok: false, required: true });
    expect(check?.found).toContain(`not reached at ${baseUrl}`);
    expect(check?.mend).toContain('its baseUrl in models.json');
  }
});

test('one without a list passes, and says that nothing was tried; one that fails does not', async () => {
  const listless = serve(() => Response.json({ error: 'no such path' }, { status: 404 }));
  const { 'provider house': passed } = await checksOf(configOf({}, house({ baseUrl: listless })));
  expect([passed?.ok, passed?.found]).toEqual([true, expect.stringContaining('key and models are untried')]);
  const broken = serve(() => Response.json({}, { status: 500 }));
  const { 'provider house': failed } = await checksOf(configOf({}, house({ baseUrl: broken })));
  expect([failed?.ok, failed?.found]).toEqual([false, expect.stringContaining('with a failure')]);
});

test('the provider that nobody has set up is not required, and models without a price are named', async () => {
  const { url: baseUrl } = start({ models: ['house-1'] });
  const checks = await checksOf(configOf({}, house({ baseUrl })));
  expect(checks['provider anthropic']).toMatchObject({ ok: false, required: false, found: 'no key' });
  expect(checks['provider anthropic']?.mend).toMatch(/Set ANTHROPIC_API_KEY .*claude-sonnet-5-5/);
  expect(checks.prices).toMatchObject({ ok: false, required: false, found: 'unknown for house-1' });
});

test('the default provider is asked with the key of the configuration; without one the model check tells it', async () => {
  const { url } = start({ apiKey: 'own-key', models: ['claude-sonnet-5-5'] });
  const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'own-key' };
  const checks = await checksOf(configOf(env, {}));
  expect(checks['provider anthropic']?.found).toContain(`takes the key at ${url}`);
  expect(checks.prices?.ok).toBe(true);
  expect(Object.keys(await checksOf(configOf({}, {})))).toEqual(['prices']);
});
