import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { blocksOf, type MessagesRequest } from '../../../test/model/messages-request.ts';
import type { ScriptedTurn } from '../../../test/model/script.ts';
import { startScriptedModel } from '../../../test/model/server.ts';
import { checkRequest } from '../../../test/model/validate-request.ts';
import { createModelCatalogue } from '../models/catalogue.ts';
import { type ContextPlan, planContext, triggerTokens } from './context-plan.ts';
import { type Conversation, openCalls, readConversation } from './conversation.ts';
import type { HarnessJob } from './job.ts';
import type { Entry } from './journal.ts';
import { loadMedia } from './load-media.ts';
import { buildRequest, frameOf } from './request.ts';
import { turnsToSummarize } from './summarize.ts';
import { anyLog, LOG_TOOLS, MEDIA } from './test-doubles/arbitrary-log.ts';
import { createCountingTools, result } from './test-doubles/counting-tools.ts';
import { createMemoryJournal } from './test-doubles/memory-journal.ts';
import { problemsOf, runAgainst, TEST_MODEL } from './test-doubles/scripted-run.ts';

const LOGS = 200;
/** A window that most logs outgrow, and the model's own. */
const WINDOWS = [null, 12_000];

const catalogue = createModelCatalogue({ entries: [TEST_MODEL], defaultModel: TEST_MODEL.id });
const files = { [MEDIA[0]?.file ?? '']: new Uint8Array([1, 2, 3]) };
const media = async (file: string) => files[file] ?? null;

function jobOf(contextTokens: number | null): HarnessJob {
  return {
    ...{ runId: 'run_1', prompt: 'Do the work.', model: catalogue.resolve(null), effort: 'high' },
    ...{ system: [{ text: 'You are an agent.', cache: true }], exitVerb: null, outputSchema: null },
    ...{ maxTurns: 100, contextTokens },
  };
}

async function nextRequest(conversation: Conversation, job: HarnessJob) {
  const plan = planContext(conversation, frameOf(job, LOG_TOOLS), true);
  const loaded = await loadMedia(job, conversation, plan, { media });
  const text = JSON.stringify(buildRequest(job, LOG_TOOLS, conversation, plan, loaded));
  return { plan, text };
}

const seen = { cuts: 0, summarized: 0, rewound: 0, cleared: 0, media: 0, open: 0, shrinkable: 0 };

function note(cut: readonly Entry[], conversation: Conversation, plan: ContextPlan, job: HarnessJob): void {
  const frame = frameOf(job, LOG_TOOLS);
  const isTight = plan.cleared.size > 0 || plan.tokens > triggerTokens(frame);
  seen.cuts += 1;
  seen.summarized += Number(conversation.summary !== null);
  seen.rewound += Number(cut.at(-1)?.kind === 'rewind');
  seen.cleared += Number(plan.cleared.size > 0);
  seen.open += Number(openCalls(conversation).length > 0);
  seen.shrinkable += Number(isTight && turnsToSummarize(conversation, plan, frame, 'large') !== null);
}

/** Reads now and then, asks, writes, and says something in the end; whatever it is asked to summarize, it does. */
function improvise(request: MessagesRequest): ScriptedTurn {
  const last = JSON.stringify(blocksOf(request.messages.at(-1)?.content));
  if (last.includes('Write the summary')) return { text: 'What was done so far.', thinking: 'What matters?' };
  const dice = Number(Bun.hash(last) % 7n);
  if (dice < 3) return { text: 'Done.' };
  const names = ['read_file', 'write_file', 'ask_user', 'read_file', 'no_tool'].slice(0, dice - 2);
  return { thinking: 'Hm.', tools: names.map((name, at) => ({ name, input: { dice, at } })) };
}

const model = startScriptedModel({ name: 'improvised', dialogues: [], otherwise: improvise });
afterAll(() => model.stop());

/** A tool that asks a person has the answer when it is called again. */
function toolsOfLog() {
  const asked = new Set<string>();
  return createCountingTools(LOG_TOOLS, {
    read_file: () => result('y'.repeat(3_000)),
    ask_user: ({ callId }) => {
      if (asked.has(callId)) return result('Yes.');
      asked.add(callId);
      return { kind: 'suspend', waitingFor: 'apr_9' };
    },
  });
}

async function driveOn(entries: readonly Entry[], contextTokens: number | null): Promise<string> {
  const journal = createMemoryJournal({ entries, inbox: ['And mind the tests.'] });
  const tools = toolsOfLog();
  const job = { contextTokens, maxTurns: readConversation(entries).known.answers + 6 };
  for (let life = 0; life < 20; life++) {
    const { outcome } = await runAgainst(model.url, { journal, tools, job, files });
    if (outcome.status !== 'suspended') return `${outcome.status}/${outcome.errorFamily}`;
  }
  throw new Error('The run went on waiting.');
}

describe('from any cut of any long log', () => {
  const logs = fc.sample(fc.tuple(anyLog, fc.constantFrom(...WINDOWS)), { numRuns: LOGS, seed: 20_261_130 });

  test('the next request is one that the server takes', async () => {
    for (const [entries, contextTokens] of logs) {
      const job = jobOf(contextTokens);
      for (let length = 0; length <= entries.length; length++) {
        const cut = entries.slice(0, length);
        const conversation = readConversation(cut);
        const { plan, text } = await nextRequest(conversation, job);
        const { problem } = checkRequest(JSON.parse(text), new Set(), true);
        if (problem !== null) throw new Error(`${problem}\nafter ${JSON.stringify(cut, null, 1)}`);
        note(cut, conversation, plan, job);
        seen.media += Number(text.includes('"base64"'));
      }
    }
    // Every kind of case has to be among them, or the test says less than it seems to.
    for (const [kind, count] of Object.entries(seen)) expect([kind, count > 200]).toEqual([kind, true]);
    expect(seen.cuts).toBeGreaterThan(8_000);
  }, 60_000);

  test('the run goes on to an end', async () => {
    const ends = new Map<string, number>();
    for (const [at, [entries, contextTokens]] of logs.entries()) {
      const length = 1 + ((at * 7_919) % entries.length);
      const end = await driveOn(entries.slice(0, length), contextTokens);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    expect(problemsOf(model)).toEqual([]);
    // A few end at their turn limit, which is an end as well.
    expect([...ends.keys()].sort()).toEqual(['completed/null', 'failed/silentRun']);
    expect(ends.get('completed/null')).toBeGreaterThan(LOGS * 0.75);
    const summaries = model.requests.filter(({ body }) =>
      JSON.stringify(body.messages.at(-1)).includes('Write the summary'),
    );
    expect(summaries.length).toBeGreaterThan(20);
  }, 60_000);
});
