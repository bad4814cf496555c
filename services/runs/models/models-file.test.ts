import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault } from '../../kit/fault.ts';
import { createModelCatalogue, providersOf } from './catalogue.ts';
import { DEFAULT_MODEL, DEFAULT_MODELS } from './default-models.ts';
import { plainEndpoint, secretsOf } from './endpoint.ts';
import { readModelsFile } from './models-file.ts';

const HOUSE = { name: 'house', baseUrl: 'https://models.example' };

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'models-file-'));
  path = join(directory, 'models.json');
});

afterEach(() => rm(directory, { recursive: true }));

async function read(content: unknown, environment: Record<string, string> = {}) {
  await Bun.write(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readModelsFile(path, environment);
}

async function faultOf(content: unknown): Promise<Fault> {
  return read(content).then(
    () => {
      throw new Error('the file was taken');
    },
    (error: Fault) => error,
  );
}

describe('models.json', () => {
  test('that does not exist leaves the built-in models', async () => {
    const catalogue = createModelCatalogue({ apiKey: 'k', ...(await readModelsFile(path)) });
    expect(catalogue.list()).toEqual([...DEFAULT_MODELS]);
    expect(catalogue.resolve(null).id).toBe(DEFAULT_MODEL);
  });

  test('overrides fields of a known model and adds new ones', async () => {
    const prices = {
      inputMicrosPerMTok: 1,
      outputMicrosPerMTok: 2,
      cacheReadMicrosPerMTok: 3,
      cacheWriteMicrosPerMTok: 4,
    };
    const config = await read(
      {
        defaultModel: 'qwen',
        providers: [{ name: 'house', baseUrl: 'http://127.0.0.1:9999', apiKeyEnv: 'HOUSE_KEY' }],
        models: [
          { id: DEFAULT_MODEL, prices: null },
          { id: 'claude-haiku-5-5', prices },
          { id: 'qwen', provider: 'house', contextTokens: 32_000, maxOutputTokens: 8_000 },
        ],
      },
      { HOUSE_KEY: 'house-secret' },
    );
    const catalogue = createModelCatalogue({ apiKey: 'k', ...config });
    expect(catalogue.resolve(DEFAULT_MODEL)).toMatchObject({ prices: null, contextTokens: 1_000_000 });
    expect(catalogue.resolve('claude-haiku-5-5').prices).toEqual(prices);
    expect(catalogue.resolve(null)).toMatchObject({
      id: 'qwen',
      provider: 'house',
      prices: null,
      effort: [],
    });
    expect(JSON.stringify(catalogue.list())).not.toContain('secret');
  });

  test('with faults is refused with each of them named', async () => {
    const fault = await faultOf({
      models: [
        { id: 'a', prices: { inputMicrosPerMTok: -1, cacheReadMicrosPerMTok: 10_000_000_001 } },
        { id: 7, colour: 'red' },
      ],
      providers: [{ name: 'House!', baseUrl: 'nowhere' }],
    });
    expect(fault.code).toBe('invalid_configuration');
    for (const where of [
      'models[0].prices.inputMicrosPerMTok',
      'models[0].prices.outputMicrosPerMTok',
      'models[0].prices.cacheReadMicrosPerMTok',
      'models[1].id',
      'models[1]',
      'providers[0].name',
      'providers[0].baseUrl: must be an http or https URL',
    ]) {
      expect(fault.message).toContain(where);
    }
  });

  test('that is no JSON, or leaves a new model without its sizes, is refused', async () => {
    expect((await faultOf('{ models: [')).message).toContain('not JSON');
    const { message } = await faultOf({ models: [{ id: 'new' }] });
    expect(message).toContain('models[0].contextTokens');
    expect(message).toContain('models[0].maxOutputTokens');
  });

  test('gives a provider its way to show the key, its headers, and its version of the API', async () => {
    const { providers } = await read(
      {
        providers: [
          {
            ...{ name: 'gate', baseUrl: 'https://gate.example', apiKeyEnv: 'GATE_KEY', auth: 'x-api-key' },
            ...{ headersEnv: { 'x-team': 'GATE_TEAM' }, apiVersion: '2023-06-01' },
          },
          { name: 'local', baseUrl: 'http://127.0.0.1:9999' },
        ],
      },
      { GATE_KEY: 'gate-secret', GATE_TEAM: 'team-secret' },
    );
    expect(providers).toEqual([
      {
        ...{ name: 'gate', baseUrl: 'https://gate.example', apiKey: 'gate-secret', auth: 'x-api-key' },
        ...{ headers: { 'x-team': 'team-secret' }, apiVersion: '2023-06-01' },
        keyFrom: 'GATE_KEY',
      },
      { name: 'local', keyFrom: null, ...plainEndpoint('http://127.0.0.1:9999', null) },
    ]);
    expect(secretsOf(providers ?? [])).toEqual(['gate-secret', 'team-secret']);
  });

  test('may put another server in the place of the usual one', async () => {
    const config = await read({ providers: [{ name: 'anthropic', baseUrl: 'https://gate.example' }] });
    const providers = providersOf({ baseUrl: 'https://first.example', apiKey: 'k', ...config });
    expect(providers.map(({ name, baseUrl }) => [name, baseUrl])).toEqual([
      ['anthropic', 'https://gate.example'],
    ]);
  });

  test('states media, and prices of an hour and past a prompt size', async () => {
    const base = {
      inputMicrosPerMTok: 1,
      outputMicrosPerMTok: 2,
      cacheReadMicrosPerMTok: 3,
      cacheWriteMicrosPerMTok: 4,
    };
    const prices = { ...base, cacheWrite1hMicrosPerMTok: 5, above: { inputTokens: 200_000, prices: base } };
    const sizes = { contextTokens: 32_000, maxOutputTokens: 8_000 };
    const config = await read({
      models: [
        { id: 'seeing', ...sizes, media: ['image'], prices },
        { id: 'reading', ...sizes },
        { id: DEFAULT_MODEL, media: [] },
      ],
    });
    const catalogue = createModelCatalogue({ apiKey: 'k', ...config });
    expect(catalogue.resolve('seeing')).toMatchObject({ media: ['image'], prices });
    expect(catalogue.resolve('reading').media).toEqual([]);
    expect(catalogue.resolve(DEFAULT_MODEL)).toMatchObject({ media: [], effort: expect.any(Array) });
    expect(catalogue.resolve('claude-opus-5-5').media).toEqual(['image', 'pdf']);
  });

  test.each([
    ['media', { models: [{ id: DEFAULT_MODEL, media: ['video'] }] }, 'models[0].media[0]'],
    [
      'a dearer table without its limit',
      { models: [{ id: DEFAULT_MODEL, prices: { above: {} } }] },
      'models[0].prices.above.inputTokens',
    ],
    ['an unknown way to show the key', { providers: [{ ...HOUSE, auth: 'basic' }] }, 'providers[0].auth'],
    ['no date', { providers: [{ ...HOUSE, apiVersion: 'latest' }] }, 'providers[0].apiVersion'],
    [
      'the header of the key',
      { providers: [{ ...HOUSE, headersEnv: { authorization: 'X' } }] },
      'this header is set by auth',
    ],
    ['a header in capitals', { providers: [{ ...HOUSE, headersEnv: { 'X-Team': 'X' } }] }, 'lower-case'],
    [
      'a variable that is not set',
      { providers: [{ ...HOUSE, apiKeyEnv: 'NO_KEY', headersEnv: { 'x-team': 'NO_TEAM' } }] },
      'its header x-team in the environment variable NO_TEAM; the provider house needs its key in the environment variable NO_KEY',
    ],
  ])('with %s is refused where it stands', async (_name, content, where) => {
    expect((await faultOf(content)).message).toContain(where);
  });

  test('whose key holds a line end is refused by the variable’s name, without the key', async () => {
    const config = { providers: [{ ...HOUSE, apiKeyEnv: 'HOUSE_KEY' }] };
    const fault = await read(config, { HOUSE_KEY: 'house-secret\n' }).catch((error: Fault) => error);
    expect((fault as Fault).message).toContain('HOUSE_KEY, as one line of printable characters');
    expect(JSON.stringify(fault)).not.toContain('house-secret');
  });

  test('whose provider has no key in the environment is refused by the variable’s name', async () => {
    const provider = { name: 'house', baseUrl: 'https://models.example', apiKeyEnv: 'HOUSE_KEY' };
    expect((await faultOf({ providers: [provider] })).message).toContain('HOUSE_KEY');
  });
});

describe('the catalogue', () => {
  test('refuses a model it does not know, naming those it does', () => {
    const catalogue = createModelCatalogue({ apiKey: 'k' });
    expect(() => catalogue.resolve('gpt')).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(DEFAULT_MODEL) }),
    );
  });

  test('refuses a default model or a provider that does not exist', () => {
    const invalid = expect.objectContaining({ code: 'invalid_configuration' });
    expect(() => createModelCatalogue({ defaultModel: 'gone' })).toThrow(invalid);
    const [first] = DEFAULT_MODELS;
    const entries = first === undefined ? [] : [{ ...first, provider: 'gone' }];
    expect(() => createModelCatalogue({ entries })).toThrow(invalid);
  });

  test('has a price for its default model, and whole micro-dollars everywhere', () => {
    const catalogue = createModelCatalogue({ apiKey: 'k' });
    expect(catalogue.resolve(null).prices).not.toBeNull();
    for (const { prices } of catalogue.list()) {
      const { above, ...base } = prices ?? {};
      const amounts = [...Object.values(base), ...Object.values(above?.prices ?? {})];
      expect([amounts.length >= 5, amounts.every(Number.isInteger)]).toEqual([true, true]);
    }
  });
});
