import type { Hono } from 'hono';
import { hc } from 'hono/client';
import type { OrchestrationApp } from '../../services/orchestration/service.ts';
import type { RunsApp } from '../../services/runs/service.ts';
import type { SpacesApp } from '../../services/spaces/service.ts';
import { faultSentence, fetchFaultWords } from '../i18n/fault-words.ts';
import { ApiProblem, problemOf, UNREACHABLE } from './problem.ts';

/** The session's cookie goes along by itself, to this origin alone. */
async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw inTheirLanguage(new ApiProblem(0, UNREACHABLE, 'The server cannot be reached.', {}, true));
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the client's own constraint on an app of any environment and schema
const clientOf = <App extends Hono<any, any, any>>() => hc<App>(location.origin, { fetch: send });

/** Typed calls: `spaces.api.workspaces[':workspaceId'].inbox.$get({ param, query })`. Read them with `ask`. */
export const spaces = clientOf<SpacesApp>();
export const runs = clientOf<RunsApp>();
export const orchestration = clientOf<OrchestrationApp>();

interface JsonResponse {
  ok: boolean;
  json(): Promise<unknown>;
}
type Body<R extends JsonResponse> = Awaited<ReturnType<R['json']>>;

/** The answer's body. @throws ApiProblem */
export async function ask<R extends JsonResponse>(answer: Promise<R>): Promise<Body<R>> {
  const response = await answer;
  if (response.ok) return (await response.json()) as Body<R>;
  const problem = await problemOf(response as unknown as Response);
  await fetchFaultWords();
  throw inTheirLanguage(problem);
}

function inTheirLanguage(problem: ApiProblem): ApiProblem {
  problem.message = faultSentence(problem);
  return problem;
}
