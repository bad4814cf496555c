import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { Fault } from '../../kit/fault.ts';
import type { ModelCatalogueConfig, ModelEntry, ModelProvider } from './catalogue.ts';
import { DEFAULT_MODELS } from './default-models.ts';

const Price = z.int().nonnegative();
const Prices = z.strictObject({
  inputMicrosPerMTok: Price,
  outputMicrosPerMTok: Price,
  cacheReadMicrosPerMTok: Price,
  cacheWriteMicrosPerMTok: Price,
});

const Model = z.strictObject({
  id: z.string().min(1).max(200),
  provider: z.string().min(1).optional(),
  contextTokens: z.int().positive().optional(),
  maxOutputTokens: z.int().positive().optional(),
  effort: z.array(z.string().min(1)).optional(),
  media: z.array(z.enum(['image', 'pdf'])).optional(),
  prices: Prices.nullable().optional(),
});

const Provider = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'use lower-case letters, digits and hyphens'),
  baseUrl: z.url({ protocol: /^https?$/ }),
  /** Name of the environment variable that holds the key; the file itself holds none. */
  apiKeyEnv: z.string().min(1).optional(),
});

const ModelsFile = z.strictObject({
  defaultModel: z.string().min(1).optional(),
  providers: z.array(Provider).default([]),
  models: z.array(Model).default([]),
});

export type FileConfig = Pick<ModelCatalogueConfig, 'defaultModel' | 'entries' | 'providers'>;

/**
 * Reads the user's `models.json` over the built-in models: a known id overrides the fields it gives (`"prices": null`
 * makes a price unknown), a new id adds a model. A file that does not exist changes nothing.
 * @throws Fault `invalid_configuration` that names every fault of the file.
 */
export async function readModelsFile(
  path: string,
  environment: Record<string, string | undefined> = process.env,
): Promise<FileConfig> {
  const text = await textOf(path);
  if (text === null) return { entries: DEFAULT_MODELS, providers: [] };
  const { defaultModel, providers, models } = parse(text, path);
  return {
    defaultModel: defaultModel ?? null,
    entries: mergeModels(models, path),
    providers: providers.map((provider) => withKey(provider, environment, path)),
  };
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (code === 'ENOENT') return null;
    throw invalid(path, [`it cannot be read (${message})`]);
  }
}

function parse(text: string, path: string): z.infer<typeof ModelsFile> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw invalid(path, [`it is not JSON (${(error as Error).message})`]);
  }
  const parsed = ModelsFile.safeParse(json);
  if (parsed.success) return parsed.data;
  throw invalid(
    path,
    parsed.error.issues.map((issue) => `${z.core.toDotPath(issue.path) || '(whole)'}: ${issue.message}`),
  );
}

function mergeModels(models: readonly z.infer<typeof Model>[], path: string): ModelEntry[] {
  const entries = new Map(DEFAULT_MODELS.map((entry) => [entry.id, entry]));
  const faults: string[] = [];
  for (const [index, given] of models.entries()) {
    const { contextTokens, maxOutputTokens, ...rest } = { ...entries.get(given.id), ...defined(given) };
    if (contextTokens === undefined) faults.push(`models[${index}].contextTokens: needed for a new model`);
    if (maxOutputTokens === undefined)
      faults.push(`models[${index}].maxOutputTokens: needed for a new model`);
    if (contextTokens === undefined || maxOutputTokens === undefined) continue;
    const base = { provider: 'anthropic', effort: [], media: [], prices: null };
    entries.set(given.id, { ...base, ...rest, id: given.id, contextTokens, maxOutputTokens });
  }
  if (faults.length > 0) throw invalid(path, faults);
  return [...entries.values()];
}

function defined(given: z.infer<typeof Model>): Partial<ModelEntry> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function withKey(
  { name, baseUrl, apiKeyEnv }: z.infer<typeof Provider>,
  environment: Record<string, string | undefined>,
  path: string,
): ModelProvider {
  const apiKey = apiKeyEnv === undefined ? null : (environment[apiKeyEnv] ?? '');
  if (apiKey !== '') return { name, baseUrl, apiKey };
  throw invalid(path, [`the provider ${name} needs its key in the environment variable ${apiKeyEnv}`]);
}

function invalid(path: string, faults: readonly string[]): Fault {
  return new Fault('invalid_configuration', `${path} cannot be used: ${faults.join('; ')}.`, {
    path,
    faults,
  });
}
