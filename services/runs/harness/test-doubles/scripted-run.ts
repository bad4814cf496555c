import type { ModelScript, TurnSource } from '../../../../test/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../../../test/model/server.ts';
import { systemClock } from '../../../kit/clock.ts';
import { silentLog } from '../../../kit/log.ts';
import { createModelCatalogue, type ModelEntry } from '../../models/catalogue.ts';
import { runHarness } from '../harness.ts';
import type { HarnessEvents, HarnessJob, RetryPolicy } from '../job.ts';
import type { HarnessOutcome } from '../outcome.ts';
import type { ToolPort } from '../tool-port.ts';
import { createCountingTools } from './counting-tools.ts';
import { createMemoryJournal, type MemoryJournal } from './memory-journal.ts';

/** Prices at which one token of each kind costs 1, 10, 0.1 and 1.25 micro-dollars. */
export const TEST_MODEL: ModelEntry = {
  id: 'claude-opus-5-5',
  provider: 'anthropic',
  contextTokens: 200_000,
  maxOutputTokens: 64_000,
  effort: ['low', 'high'],
  media: ['image', 'pdf'],
  prices: {
    inputMicrosPerMTok: 1_000_000,
    outputMicrosPerMTok: 10_000_000,
    cacheReadMicrosPerMTok: 100_000,
    cacheWriteMicrosPerMTok: 1_250_000,
  },
};

const QUICK_RETRY: RetryPolicy = { tries: 3, minDelayMs: 1, maxDelayMs: 5, maxRetryAfterMs: 5_000 };

/** The scripted model with one dialogue that answers everything. */
export function startTurns(...turns: TurnSource[]): ScriptedModel {
  return startScriptedModel(scriptOf(...turns));
}

export function scriptOf(...turns: TurnSource[]): ModelScript {
  return { name: 'test', dialogues: [{ name: 'all', when: {}, turns }] };
}

export interface RunOptions {
  job?: Partial<HarnessJob>;
  model?: Partial<ModelEntry>;
  journal?: MemoryJournal;
  tools?: ToolPort;
  retry?: Partial<RetryPolicy>;
  signal?: AbortSignal;
  events?: Partial<HarnessEvents>;
  /** Files of tool results, by name. */
  files?: Record<string, Uint8Array>;
}

export interface FinishedRun {
  outcome: HarnessOutcome;
  journal: MemoryJournal;
  news: string[];
}

/** Runs the real harness over real HTTP against a server that speaks the Messages API. */
export async function runAgainst(url: string, options: RunOptions = {}): Promise<FinishedRun> {
  const entry = { ...TEST_MODEL, ...options.model };
  const catalogue = createModelCatalogue({
    baseUrl: url,
    apiKey: 'test-key',
    defaultModel: entry.id,
    entries: [entry],
  });
  const model = catalogue.resolve(null);
  const journal = options.journal ?? createMemoryJournal();
  const news: string[] = [];
  const outcome = await runHarness(
    { ...DEFAULT_JOB, model, ...options.job },
    {
      journal,
      tools: options.tools ?? createCountingTools([]),
      events: { ...recordingEvents(news), ...options.events },
      client: model.client,
      media: async (file) => options.files?.[file] ?? null,
      clock: systemClock,
      log: silentLog,
      retry: { ...QUICK_RETRY, ...options.retry },
    },
    options.signal ?? new AbortController().signal,
  );
  return { outcome, journal, news };
}

const DEFAULT_JOB: Omit<HarnessJob, 'model'> = {
  runId: 'run_test',
  system: [
    { text: 'You are an agent.', cache: true },
    { text: 'Today is a day.', cache: false },
  ],
  prompt: 'Do the work.',
  effort: null,
  exitVerb: null,
  outputSchema: null,
  maxTurns: 20,
  contextTokens: null,
};

function recordingEvents(news: string[]): HarnessEvents {
  return {
    delta: ({ type, text }) => news.push(`${type}:${text}`),
    toolStarted: ({ name }) => news.push(`started:${name}`),
    toolFinished: ({ name, isError }) => news.push(`finished:${name}:${isError ? 'error' : 'ok'}`),
    retrying: ({ errorFamily, attempt }) => news.push(`retrying:${errorFamily}:${attempt}`),
  };
}

/** Every request must have been one that the API takes. */
export function problemsOf(model: ScriptedModel): (string | null)[] {
  return model.requests.map((request) => request.problem).filter((problem) => problem !== null);
}
