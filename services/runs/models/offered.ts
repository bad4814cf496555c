import { APIError } from '@anthropic-ai/sdk';
import type { ModelEndpoint } from './endpoint.ts';
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
    for await (const { id } of createSdk(endpoint).models.list({ limit: PAGE }, { signal })) {
      if (typeof id === 'string') ids.push(id);
      if (ids.length >= MOST) break;
    }
  } catch (error) {
    if (error instanceof APIError && NO_LIST.includes(error.status ?? 0)) return null;
    throw signal.aborted ? tooLate(timeoutMs, error) : modelFailureOf(error);
  }
  return ids.length === 0 ? null : ids;
}

function tooLate(timeoutMs: number, cause: unknown): ModelFailure {
  const message = `The model server did not answer within ${timeoutMs} ms.`;
  return new ModelFailure('network', message, { retryable: true, cause });
}

/** Whether a list has the model, by its id or by the dated one that the id is short for. */
export function isOffered(modelId: string, offered: readonly string[]): boolean {
  const dated = `${modelId}-`;
  return offered.some(
    (id) => id === modelId || (id.startsWith(dated) && /^\d{8}$/.test(id.slice(dated.length))),
  );
}
