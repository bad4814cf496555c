import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault } from '../../kit/fault.ts';
import { createModelCatalogue } from './catalogue.ts';
import { DEFAULT_MODEL, DEFAULT_MODELS } from './default-models.ts';
import { readModelsFile } from './models-file.ts';

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
        { id: 'a', prices: { inputMicrosPerMTok: -1 } },
        { id: 7, colour: 'red' },
      ],
      providers: [{ name: 'House!', baseUrl: 'nowhere' }],
    });
    expect(fault.code).toBe('invalid_configuration');
    for (const where of [
      'models[0].prices.inputMicrosPerMTok',
      'models[0].prices.outputMicrosPerMTok',
      'models[1].id',
      'models[1]',
      'providers[0].name',
      'providers[0].baseUrl',
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
      expect(Object.values(prices ?? {}).every(Number.isInteger)).toBe(true);
    }
  });
});
