import { join } from 'node:path';
import type { Config } from '../../services/config.ts';
import { createModelCatalogue } from '../../services/runs/models/catalogue.ts';
import { readModelsFile } from '../../services/runs/models/models-file.ts';
import type { Check } from './check.ts';

/** Whether the default model has a server, a key and a price. @throws Fault invalid_configuration */
export async function modelCheck({ model, dataDir }: Config): Promise<Check> {
  const shared = { name: 'model', required: true };
  const fromFile = await readModelsFile(join(dataDir, 'models.json'));
  const own = model.defaultModel === null ? {} : { defaultModel: model.defaultModel };
  const { baseUrl, apiKey } = model;
  const { id, provider, prices } = createModelCatalogue({ ...fromFile, baseUrl, apiKey, ...own }).resolve(
    null,
  );
  const given = fromFile.providers?.find((one) => one.name === provider) ?? model;
  if (given.apiKey === null && given.baseUrl === null) {
    const mend = 'Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL to a server that speaks the Messages API.';
    return { ...shared, ok: false, found: `${id}, but no key and no server`, mend };
  }
  const where = given.baseUrl === null ? '' : ` at ${new URL(given.baseUrl).origin}`;
  if (prices !== null) return { ...shared, ok: true, found: `${id}${where}, price known`, mend: null };
  const mend =
    'Without a price no run under a budget can start. State it in models.json, or choose another model.';
  return { ...shared, ok: false, found: `${id}${where}, price unknown`, mend };
}
