import type { Credentials } from './access.ts';
import { accessRefusal } from './access.ts';
import { createIds } from './answer-message.ts';
import type { Decision, ModelState } from './decide.ts';
import { decide, refusal } from './decide.ts';
import { errorDelivery } from './delivery.ts';
import { createFaultCounter } from './fault-counter.ts';
import { isRecord } from './is-record.ts';
import type { MessagesRequest } from './messages-request.ts';
import { offeredModels } from './offered-models.ts';
import { createPromptCache } from './prompt-cache.ts';
import type { RecordedRequest, RequestLog } from './request-log.ts';
import { createRequestLog } from './request-log.ts';
import { respond, waitMs } from './respond.ts';
import type { ModelScript } from './script.ts';

const WAIT_LIMIT_MS = 10_000;

export interface ScriptedModel {
  /** Base URL without a trailing slash, for ANTHROPIC_BASE_URL. */
  url: string;
  /** All requests under /v1/ in the order of their arrival. */
  requests: RecordedRequest[];
  /** Changes the script and forgets which faults were given; the prompt cache stays. */
  setScript(script: ModelScript): void;
  /**
   * The first request that fits, seen already or to come.
   * @throws Error naming what was seen, when none fits within `timeoutMs` (default 10 s) or the server stops.
   */
  waitForRequest(
    predicate: (request: RecordedRequest) => boolean,
    timeoutMs?: number,
  ): Promise<RecordedRequest>;
  /** Closes all connections, also those in use. */
  stop(): Promise<void>;
}

export interface ScriptedModelOptions {
  /** Default 0: any free port. */
  port?: number;
  /** When set, required in x-api-key or as a bearer token; without it any credentials do. */
  apiKey?: string;
  /** The one header that may hold the key; either will do unless told. */
  credentialHeader?: Credentials['header'];
  /** Ids of GET /v1/models, in place of the usual ones. */
  models?: readonly string[];
  /** Prompts that are longer (characters / 4) are refused as too long; no limit unless told. */
  contextTokens?: number;
}

/** JSON of a body; an empty one is null. */
function parseBody(text: string): { body: unknown; failure: string | null } {
  try {
    return { body: text === '' ? null : JSON.parse(text), failure: null };
  } catch (error) {
    return { body: null, failure: `The request body is not valid JSON: ${String(error)}` };
  }
}

/** The body for the record: whatever was sent if it is an object, with the fields readers rely on. */
function recordedBody(body: unknown): MessagesRequest {
  const empty: MessagesRequest = { model: '', max_tokens: 0, messages: [] };
  return isRecord(body) ? { ...empty, ...body } : empty;
}

function record(request: Request, path: string, body: unknown, decision: Decision): RecordedRequest {
  const { delivery, dialogue, turn, problem } = decision;
  return {
    at: Date.now(),
    path,
    headers: Object.fromEntries(request.headers),
    body: recordedBody(body),
    dialogue,
    turn,
    status: delivery.kind === 'error' ? delivery.status : 200,
    problem,
  };
}

/** Records the request when its client goes away before `end` is called. */
function watchAbort(signal: AbortSignal, recorded: RecordedRequest, log: RequestLog): { end: () => void } {
  const onAbort = () => log.markAborted(recorded);
  signal.addEventListener('abort', onAbort);
  return { end: () => signal.removeEventListener('abort', onAbort) };
}

type Handler = (request: Request) => Promise<Response>;

function createHandler(
  state: ModelState,
  log: RequestLog,
  closing: AbortSignal,
  credentials: Credentials,
): Handler {
  return async (request) => {
    const path = new URL(request.url).pathname;
    // Clients probe the root with HEAD; that is no request to the model.
    if (!path.startsWith('/v1/'))
      return new Response(null, { status: request.method === 'HEAD' ? 200 : 404 });
    const bytes = await request.arrayBuffer();
    const { body, failure } = parseBody(new TextDecoder().decode(bytes));
    const refused =
      accessRefusal(request.headers, bytes.byteLength, credentials) ??
      (failure && errorDelivery(400, failure));
    const decision = refused ? refusal(refused) : decide(state, request.method, path, body);
    const recorded = record(request, path, body, decision);
    log.add(recorded);
    const watch = watchAbort(request.signal, recorded, log);
    const signal = AbortSignal.any([request.signal, closing]);
    await waitMs(decision.delayMs, signal);
    const sending = { chunkDelayMs: decision.chunkDelayMs, signal, onEnd: watch.end };
    return respond(decision.delivery, state.newId('req'), sending);
  };
}

function createState(script: ModelScript, { models, contextTokens }: ScriptedModelOptions): ModelState {
  return {
    models: offeredModels(models),
    contextTokens: contextTokens ?? Number.POSITIVE_INFINITY,
    script,
    faults: createFaultCounter(),
    cache: createPromptCache(),
    offeredTools: new Set(),
    newId: createIds(),
  };
}

/**
 * Starts the stand-in for the model on 127.0.0.1: a Messages API (POST /v1/messages with and without
 * streaming, POST /v1/messages/count_tokens, GET /v1/models) that answers by script, refuses what the real
 * API would refuse and records every request.
 */
export function startScriptedModel(script: ModelScript, options: ScriptedModelOptions = {}): ScriptedModel {
  const log = createRequestLog();
  const closing = new AbortController();
  const state = createState(script, options);
  const credentials = { apiKey: options.apiKey, header: options.credentialHeader };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: options.port ?? 0,
    idleTimeout: 0,
    fetch: createHandler(state, log, closing.signal, credentials),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests: log.requests,
    setScript(next) {
      state.script = next;
      state.faults = createFaultCounter();
    },
    waitForRequest: (predicate, timeoutMs = WAIT_LIMIT_MS) => log.waitFor(predicate, timeoutMs),
    async stop() {
      log.close();
      closing.abort();
      await server.stop(true);
    },
  };
}
