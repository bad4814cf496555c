import { afterEach, describe, expect, test } from 'bun:test';
import { blocksOf, type RequestBlock } from '../../../test/model/messages-request.ts';
import type { TurnSource } from '../../../test/model/script.ts';
import type { ScriptedModel } from '../../../test/model/server.ts';
import { planContext } from './context-plan.ts';
import { readConversation } from './conversation.ts';
import type { Entry, MediaRef } from './journal.ts';
import { createCountingTools, tool } from './test-doubles/counting-tools.ts';
import {
  type FinishedRun,
  problemsOf,
  type RunOptions,
  runAgainst,
  startTurns,
} from './test-doubles/scripted-run.ts';

let model: ScriptedModel;
afterEach(() => model?.stop());

const PNG: MediaRef = { mediaType: 'image/png', file: `${'1'.repeat(64)}.png`, bytes: 4 };
const PDF: MediaRef = { mediaType: 'application/pdf', file: `${'2'.repeat(64)}.pdf`, bytes: 5 };
const files = { [PNG.file]: new Uint8Array([137, 80, 78, 71]), [PDF.file]: Buffer.from('%PDF-') };

/** The content of the one result that the model was sent. */
async function shown(content: string, isError = false, options: RunOptions = {}): Promise<RequestBlock[]> {
  model = startTurns({ tools: [{ name: 'read_file', input: {} }] }, { text: 'Seen.' });
  const tools = createCountingTools([tool('read_file')], {
    read_file: () => ({ kind: 'result', content, isError, media: [PNG, PDF] }),
  });
  const { outcome } = await runAgainst(model.url, {
    tools,
    files,
    model: { media: ['image', 'pdf'] },
    ...options,
  });
  expect(outcome.status).toBe('completed');
  expect(problemsOf(model)).toEqual([]);
  return blocksOf(blocksOf(model.requests[1]?.body.messages.at(-1)?.content)[0]?.content);
}

describe('media of a tool’s result', () => {
  test('are shown as an image and a document, after the text', async () => {
    expect(await shown('Two files.')).toMatchObject([
      { type: 'text', text: 'Two files.' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
    ]);
  });

  test('need no text beside them', async () => {
    expect((await shown('')).map(({ type }) => type)).toEqual(['image', 'document']);
  });

  test('that the model does not read are named, and the run goes on', async () => {
    const blocks = await shown('Two files.', false, { model: { media: ['image'] } });
    expect(blocks.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    expect(blocks[2]?.text).toContain('application/pdf (5 bytes) is not shown: this model does not read it');
  });

  test('whose file is gone are named', async () => {
    const blocks = await shown('', false, { files: { [PDF.file]: files[PDF.file] as Uint8Array } });
    expect(blocks[0]?.text).toContain('its file is gone');
  });

  test('of an error are left out, since an error is text alone', async () => {
    expect(await shown('Failed.', true)).toMatchObject([{ type: 'text', text: 'Failed.' }]);
  });

  test('are in the estimate of the prompt, and the oldest go when there are too many for one request', () => {
    const frame = { window: 1_000_000, answer: 10_000, fixed: 100, modelId: 'm' };
    const plan = planContext(readConversation(journalWith(100)), frame, true);
    const cleared = [...plan.cleared.keys()];
    expect(cleared).toContain('call_0');
    expect(cleared).not.toContain('call_99');
    expect(100 - cleared.length).toBeLessThanOrEqual(80);
    expect(plan.tokens).toBeGreaterThan((100 - cleared.length) * 1_600);
    // Those that come next change nothing of what was sent before.
    const later = planContext(readConversation(journalWith(110)), frame, true);
    expect([...later.cleared.keys()]).toEqual(cleared);
  });
});

function journalWith(images: number): Entry[] {
  const prompt: Entry = { kind: 'user', cause: 'prompt', text: 'Look.' };
  const looks = Array.from({ length: images }, (_, at): Entry[] => {
    const [callId, name] = [`call_${at}`, 'read_file'];
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const content = [{ type: 'tool_use' as const, id: callId, name, input: {} }];
    const facts = {
      model: 'm',
      stopReason: 'tool_use',
      usage,
      costMicros: null,
      durationMs: 1,
      firstByteMs: 1,
    };
    return [
      { kind: 'answer', messageId: `msg_${at}`, content, ...facts },
      { kind: 'toolFinished', callId, name, content: '', media: [PNG], isError: false, durationMs: 1 },
    ];
  });
  return [prompt, ...looks.flat()];
}

/** Refuses every request that shows one of these, as a server does that cannot read a file. */
function refusing(...refused: string[]): TurnSource {
  return ({ messages }) => {
    const shown = JSON.stringify(messages);
    const message = 'messages.2.content.0.image.source.base64: Could not process image';
    return refused.some((data) => shown.includes(data))
      ? {
          fault: {
            kind: 'status',
            status: 400,
            errorType: 'invalid_request_error',
            message,
            times: Infinity,
          },
        }
      : { text: 'Gone on.' };
  };
}
const DATA = { png: 'iVBORw==', pdf: 'JVBERi0=' };

/** Two answers that look at a file each, and then whatever `next` says. */
function lookTwice(next: TurnSource, options: RunOptions = {}): Promise<FinishedRun> {
  const look = (path: string) => ({ tools: [{ name: 'read_file', input: { path } }] });
  model = startTurns(look('a.pdf'), look('b.png'), ...Array.from({ length: 4 }, () => next));
  const shown = [PDF, PNG];
  const tools = createCountingTools([tool('read_file')], {
    read_file: () => ({
      kind: 'result',
      content: 'Seen.',
      isError: false,
      media: shown.splice(0, 1),
    }),
  });
  return runAgainst(model.url, { tools, files, model: { media: ['image', 'pdf'] }, ...options });
}

describe('media that the model server refuses', () => {
  test('are left out, the newest first, and the run goes on and says so', async () => {
    const { outcome, journal } = await lookTwice(refusing(DATA.png));
    expect(outcome).toMatchObject({ status: 'completed', summary: 'Gone on.' });
    const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(sent).toContain(DATA.pdf);
    expect(sent).not.toContain(DATA.png);
    expect(sent).toContain('Could not process image');
    // Whoever goes on with the run after a restart sends the same.
    expect(journal.entries.filter(({ kind }) => kind === 'user')).toHaveLength(2);
  });

  test('are all left out where the newest alone were not it', async () => {
    const { outcome } = await lookTwice(refusing(DATA.pdf));
    expect(outcome.status).toBe('completed');
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).not.toContain(DATA.pdf);
  });

  test('end nothing, but what the server refuses without them too does', async () => {
    const { outcome } = await lookTwice(refusing('Do the work.'));
    expect(outcome).toMatchObject({ status: 'failed', errorFamily: 'invalidRequest' });
    expect(outcome.summary).toContain('Could not process image');
    expect(model.requests).toHaveLength(5);
  });
});
