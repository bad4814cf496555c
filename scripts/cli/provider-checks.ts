import type { Config } from '../../services/config.ts';
import type { ModelEntry, ModelProvider } from '../../services/runs/models/catalogue.ts';
import { addressOf } from '../../services/runs/models/endpoint.ts';
import { ModelFailure } from '../../services/runs/models/failure.ts';
import type { Check } from './check.ts';
import { type ConfiguredModels, configuredModels, isBare } from './model-check.ts';
import { plainLine } from './plain-text.ts';

const TIMEOUT_MS = 5_000;
const SAID_CHARS = 200;

/**
 * Asks each provider for its models, with its key, and looks for models without a price. Only the provider of the default
 * model is required. @throws Fault invalid_configuration
 */
export async function providerChecks(config: Config, timeoutMs = TIMEOUT_MS): Promise<Check[]> {
  const models = await configuredModels(config);
  const needed = models.catalogue.resolve(null).provider;
  const checks = models.providers
    // That the default model has neither key nor server is told by the check of the model.
    .filter((provider) => !(isBare(provider) && provider.name === needed))
    .map((provider) => providerCheck(provider, models, provider.name === needed, timeoutMs));
  return [...(await Promise.all(checks)), priceCheck(models.catalogue.list())];
}

async function providerCheck(
  provider: ModelProvider,
  { catalogue }: ConfiguredModels,
  required: boolean,
  timeoutMs: number,
): Promise<Check> {
  const name = `provider ${provider.name}`;
  const models = catalogue.list().filter((model) => model.provider === provider.name);
  if (isBare(provider)) {
    const mend = `Set ${provider.keyFrom} to use its models: ${namesOf(models)}.`;
    return { name, required, ok: false, found: 'no key', mend };
  }
  // Loads the client library, which nothing else here needs.
  const { listOffered, isOffered } = await import('../../services/runs/models/offered.ts');
  try {
    const offered = await listOffered(provider, timeoutMs);
    if (offered === null) return listless(name, provider, required);
    const strangers = models.filter(({ id }) => !isOffered(id, offered));
    return knownCheck(name, required, provider, models, strangers);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { name, required, ok: false, ...failureText(error, provider) };
  }
}

function listless(name: string, provider: ModelProvider, required: boolean): Check {
  const found = `answers at ${placeOf(provider)}, but lists no models, so key and models are untried`;
  return { name, required, ok: true, found, mend: null };
}

// Not required: a list need not be whole, and the model may be known by a name that is not on it.
function knownCheck(
  name: string,
  required: boolean,
  provider: ModelProvider,
  models: readonly ModelEntry[],
  strangers: readonly ModelEntry[],
): Check {
  const says = provider.apiKey === null ? 'answers' : 'takes the key';
  const found = `${says} at ${placeOf(provider)}, lists ${models.length - strangers.length} of ${models.length} models`;
  if (strangers.length === 0) return { name, required, ok: true, found, mend: null };
  const mend = `It does not list ${namesOf(strangers)}. Choose others, or mend their names in models.json.`;
  return { name, required: false, ok: false, found, mend };
}

function failureText(failure: ModelFailure, provider: ModelProvider): Pick<Check, 'found' | 'mend'> {
  const said = plainLine(failure.message, SAID_CHARS);
  const place = placeOf(provider);
  switch (failure.family) {
    case 'authentication': {
      const key = provider.apiKey === null ? 'has no key, and needs one' : 'refuses the key';
      return { found: `${key} at ${place}. ${said}`, mend: keyMend(provider) };
    }
    case 'network': {
      const variable = provider.name === 'anthropic' ? 'ANTHROPIC_BASE_URL' : 'its baseUrl in models.json';
      return {
        found: `not reached at ${place}. ${said}`,
        mend: `See whether it runs, whether the address is right (${variable}), and whether a proxy or firewall stands between.`,
      };
    }
    default:
      return {
        found: `answers at ${place} with a failure. ${said}`,
        mend: 'Try again later; if it stays so, see whether the address is one of the Messages API.',
      };
  }
}

function keyMend({ apiKey, keyFrom, auth }: ModelProvider): string {
  if (apiKey === null && keyFrom === null) return 'Name the variable of its key as apiKeyEnv in models.json.';
  const header = auth === 'bearer' ? 'Authorization: Bearer' : 'x-api-key';
  const other = auth === 'bearer' ? 'x-api-key' : 'bearer';
  return `Set ${keyFrom} to a key that it takes. It is sent as \`${header}\`; for a server that wants the other header say "auth": "${other}" in models.json.`;
}

function priceCheck(models: readonly ModelEntry[]): Check {
  const unpriced = models.filter(({ prices }) => prices === null);
  const shared = { name: 'prices', required: false };
  if (unpriced.length === 0)
    return { ...shared, ok: true, found: `known for all ${models.length} models`, mend: null };
  const mend =
    'With these no run under a budget can start, and costs are unknown. State prices in models.json.';
  return { ...shared, ok: false, found: `unknown for ${namesOf(unpriced)}`, mend };
}

function namesOf(models: readonly ModelEntry[]): string {
  return models.map(({ id }) => id).join(', ') || 'none';
}

function placeOf(provider: ModelProvider): string {
  return new URL(addressOf(provider)).origin;
}
