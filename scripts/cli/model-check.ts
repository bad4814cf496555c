import { join } from 'node:path';
import type { Config } from '../../services/config.ts';
import {
  createModelCatalogue,
  type ModelCatalogue,
  type ModelProvider,
  providersOf,
} from '../../services/runs/models/catalogue.ts';
import { readModelsFile } from '../../services/runs/models/models-file.ts';
import type { Check } from './check.ts';

/** The models that a server of this configuration would use, and where they are. */
export interface ConfiguredModels {
  catalogue: ModelCatalogue;
  providers: ModelProvider[];
}

/** @throws Fault invalid_configuration */
export async function configuredModels({ model, dataDir }: Config): Promise<ConfiguredModels> {
  const fromFile = await readModelsFile(join(dataDir, 'models.json'));
  const own = model.defaultModel === null ? {} : { defaultModel: model.defaultModel };
  const config = { ...fromFile, baseUrl: model.baseUrl, apiKey: model.apiKey, ...own };
  return { catalogue: createModelCatalogue(config), providers: providersOf(config) };
}

/** Whether the default model has a server, a key and a price; asks nobody. @throws Fault invalid_configuration */
export async function modelCheck(config: Config): Promise<Check> {
  const shared = { name: 'model', required: true };
  const { catalogue, providers } = await configuredModels(config);
  const { id, provider, prices } = catalogue.resolve(null);
  const server = providers.find((one) => one.name === provider);
  if (server === undefined || isBare(server)) {
    const mend = 'Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL to a server that speaks the Messages API.';
    return { ...shared, ok: false, found: `${id}, but no key and no server`, mend };
  }
  const where = server.baseUrl === null ? '' : ` at ${new URL(server.baseUrl).origin}`;
  if (prices !== null) return { ...shared, ok: true, found: `${id}${where}, price known`, mend: null };
  const mend =
    'Without a price no run under a budget can start. State it in models.json, or choose another model.';
  return { ...shared, ok: false, found: `${id}${where}, price unknown`, mend };
}

/** Neither key nor address: nobody can be asked. */
export function isBare({ apiKey, baseUrl }: ModelProvider): boolean {
  return apiKey === null && baseUrl === null;
}
