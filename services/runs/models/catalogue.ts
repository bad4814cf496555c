import { Fault } from '../../kit/fault.ts';
import { createModelClient, type ModelClient } from './client.ts';
import { DEFAULT_MODEL, DEFAULT_MODELS } from './default-models.ts';
import { type ModelEndpoint, plainEndpoint } from './endpoint.ts';
import type { ModelPrices } from './price.ts';

type Medium = 'image' | 'pdf';

export interface ModelEntry {
  id: string;
  /** Name of the provider that serves it: `anthropic`, or one of models.json. */
  provider: string;
  contextTokens: number;
  maxOutputTokens: number;
  /** Effort levels it takes; empty when thinking cannot be set. */
  effort: string[];
  /** What it reads besides text. */
  media: Medium[];
  /** Null: the price is not known, so neither is any cost. */
  prices: ModelPrices | null;
}

export interface ResolvedModel extends ModelEntry {
  client: ModelClient;
}

export interface ModelProvider extends ModelEndpoint {
  name: string;
  /** The environment variable of its key; null when it is to have none. */
  keyFrom: string | null;
}

export interface ModelCatalogue {
  defaultModel: string;
  /** The model of that id, or the default one. @throws Fault `invalid_request` when it is not listed. */
  resolve(modelId: string | null): ResolvedModel;
  list(): ModelEntry[];
}

export interface ModelCatalogueConfig {
  baseUrl?: string | null;
  apiKey?: string | null;
  defaultModel?: string | null;
  /** In place of the built-in list. */
  entries?: readonly ModelEntry[];
  /** Servers besides the one of `baseUrl` and `apiKey`, which is `anthropic`; one of that name stands in its place. */
  providers?: readonly ModelProvider[];
}

/** @throws Fault `invalid_configuration` when the default model or an entry's provider does not exist. */
export function createModelCatalogue(config: ModelCatalogueConfig): ModelCatalogue {
  const entries = new Map((config.entries ?? DEFAULT_MODELS).map((entry) => [entry.id, entry]));
  const clients = clientsOf(config);
  const defaultModel = config.defaultModel ?? DEFAULT_MODEL;
  checkReferences(entries, clients, defaultModel);
  return {
    defaultModel,
    list: () => [...entries.values()],
    resolve: (modelId) => {
      const entry = entries.get(modelId ?? defaultModel);
      const client = entry === undefined ? undefined : clients.get(entry.provider);
      if (entry === undefined || client === undefined) throw unknownModel(modelId, entries);
      return { ...entry, client };
    },
  };
}

/** Every provider that a model may name, once. */
export function providersOf({ baseUrl, apiKey, providers }: ModelCatalogueConfig): ModelProvider[] {
  const endpoint = plainEndpoint(baseUrl ?? null, apiKey ?? null);
  const own = { name: 'anthropic', keyFrom: 'ANTHROPIC_API_KEY', ...endpoint };
  return [...new Map([own, ...(providers ?? [])].map((provider) => [provider.name, provider])).values()];
}

function clientsOf(config: ModelCatalogueConfig): Map<string, ModelClient> {
  return new Map(providersOf(config).map((provider) => [provider.name, createModelClient(provider)]));
}

function checkReferences(
  entries: ReadonlyMap<string, ModelEntry>,
  clients: ReadonlyMap<string, ModelClient>,
  defaultModel: string,
): void {
  const stray = [...entries.values()].find((entry) => !clients.has(entry.provider));
  if (stray !== undefined) {
    throw new Fault(
      'invalid_configuration',
      `The model ${stray.id} names the provider ${JSON.stringify(stray.provider)}, which is not listed. Add it to the providers of models.json, or name one of: ${[...clients.keys()].join(', ')}.`,
    );
  }
  if (!entries.has(defaultModel)) {
    throw new Fault(
      'invalid_configuration',
      `The default model ${JSON.stringify(defaultModel)} is not in the catalogue. Add it to models.json, or choose one of: ${[...entries.keys()].join(', ')}.`,
    );
  }
}

function unknownModel(modelId: string | null, entries: ReadonlyMap<string, ModelEntry>): Fault {
  const models = [...entries.keys()];
  return new Fault(
    'invalid_request',
    `There is no model ${JSON.stringify(modelId)}. Choose one of: ${models.join(', ')}; others are added in models.json.`,
    { modelId, models },
  );
}
