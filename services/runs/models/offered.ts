import { APIError } from '@anthropic-ai/sdk';
import { type ModelEndpoint, secretsOf } from './endpoint.ts';
import { ModelFailure } from './failure.ts';
import { createSdk } from './sdk.ts';
import { modelFailureOf } from './sdk-failure.ts';

const PAGE = 1_000;
const MOST = 10_000;
/** What servers answer that keep no list of their models. */
const NO_LIST = [404, 405, 501];

/**
 * Ids of the models that a server lists; null when it keeps no list, which leaves the key untried.
 * @throws ModelFailure when it cannot be reached within the time, or refuses
 */
export async function listOffered(endpoint: ModelEndpoint, timeoutMs: number): Promise<string[] | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  const ids: string[] = [];
  try {
    const asked = createSdk(endpoint).models.list({ limit: PAGE }, { signal });
    const { data: page, response } = await asked.withResponse();
    const type = response.headers.get('content-type') ?? '';
    if (!/[/+]json/i.test(type)) throw noList();
    for await (const item of page as AsyncIterable<{ id?: unknown } | null>) {
      if (typeof item?.id === 'string') ids.push(item.id);
      if (ids.length >= MOST) break;
    }
  } catch (error) {
    if (error instanceof APIError && NO_LIST.includes(error.status ?? 0)) return null;
    if (signal.aborted) throw tooLate(timeoutMs);
    // The client library takes whatever it is given for a list.
    throw error instanceof TypeError ? noList() : modelFailureOf(error, secretsOf([endpoint]));
  }
  return ids.length === 0 ? null : ids;
}

function tooLate(timeoutMs: number): ModelFailure {
  const message = `The model server did not answer within ${timeoutMs} ms.`;
  return new ModelFailure('network', message, { retryable: true });
}

function noList(): ModelFailure {
  const message = 'What it answers when asked for its models is no list of models.';
  return new ModelFailure('invalidRequest', message, { retryable: false });
}

/** Whether a list has the model, by its id or by the dated one that the id is short for. */
export function isOffered(modelId: string, offered: readonly string[]): boolean {
  const dated = `${modelId}-`;
  return offered.some(
    (id) => id === modelId || (id.startsWith(dated) && /^\d{8}$/.test(id.slice(dated.length))),
  );
}
