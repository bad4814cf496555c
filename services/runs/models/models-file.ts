import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { Fault } from '../../kit/fault.ts';
import type { ModelCatalogueConfig, ModelEntry, ModelProvider } from './catalogue.ts';
import { DEFAULT_MODELS } from './default-models.ts';
import { type FileModel, type FileProvider, ModelsFile } from './models-schema.ts';

export type FileConfig = Pick<ModelCatalogueConfig, 'defaultModel' | 'entries' | 'providers'>;

type Environment = Record<string, string | undefined>;

/**
 * Reads the user's `models.json` over the built-in models: a known id overrides the fields it gives (`"prices": null`
 * makes a price unknown), a new id adds a model. A file that does not exist changes nothing.
 * @throws Fault `invalid_configuration` that names every fault of the file.
 */
export async function readModelsFile(
  path: string,
  environment: Environment = process.env,
): Promise<FileConfig> {
  const text = await textOf(path);
  if (text === null) return { entries: DEFAULT_MODELS, providers: [] };
  const { defaultModel, providers, models } = parse(text, path);
  return {
    defaultModel: defaultModel ?? null,
    entries: mergeModels(models, path),
    providers: withSecrets(providers, environment, path),
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

function parse(text: string, path: string): ModelsFile {
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
    parsed.error.issues.map((issue) => `${z.core.toDotPath(issue.path) || '(whole)'}: ${reasonOf(issue)}`),
  );
}

/** A name that is wrong in a record keeps its reason one level below. */
function reasonOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_key' ? issue.issues.map((inner) => inner.message).join(', ') : issue.message;
}

function mergeModels(models: readonly FileModel[], path: string): ModelEntry[] {
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

function defined(given: FileModel): Partial<ModelEntry> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function withSecrets(
  providers: readonly FileProvider[],
  environment: Environment,
  path: string,
): ModelProvider[] {
  const faults: string[] = [];
  const read = (variable: string, needs: string): string => {
    const value = environment[variable] ?? '';
    if (value === '') faults.push(`${needs} in the environment variable ${variable}`);
    else if (!HEADER_VALUE.test(value))
      faults.push(`${needs} in the environment variable ${variable}, as one line of printable characters`);
    return value;
  };
  const complete = providers.map(({ apiKeyEnv, headersEnv, apiVersion = null, ...rest }) => {
    const needs = `the provider ${rest.name} needs its`;
    const headers = Object.entries(headersEnv).map(([name, variable]) => [
      name,
      read(variable, `${needs} header ${name}`),
    ]);
    const apiKey = apiKeyEnv === undefined ? null : read(apiKeyEnv, `${needs} key`);
    return { ...rest, keyFrom: apiKeyEnv ?? null, apiKey, headers: Object.fromEntries(headers), apiVersion };
  });
  if (faults.length > 0) throw invalid(path, faults);
  return complete;
}

/** What a header can carry: a line end pasted along with a key would fail far from here. */
const HEADER_VALUE = /^[!-~](?:[ -~]*[!-~])?$/;

function invalid(path: string, faults: readonly string[]): Fault {
  return new Fault('invalid_configuration', `${path} cannot be used: ${faults.join('; ')}.`, {
    path,
    faults,
  });
}
