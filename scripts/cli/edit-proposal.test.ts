import { expect, test } from 'bun:test';
import { Fault } from '../../services/kit/fault.ts';
import type { Client } from './client/client.ts';
import { editProposal } from './edit-proposal.ts';
import { sampleProposal, unknownEstimate } from './testing/sample.ts';

const view = {
  workspaceId: 'ws_1',
  id: 'orc_1',
  revision: 3,
  proposal: sampleProposal,
  estimate: unknownEstimate,
};

/** Saves the given texts one after the other; `answers` are what the server says to each post, null for taken. */
async function edit(saves: string[], answers: (Fault | null)[] = [], goOn = true) {
  const posted: unknown[] = [];
  const shown: string[][] = [];
  const said: string[] = [];
  const offered: string[] = [];
  const revise = async (...call: unknown[]) => {
    posted.push(call[2]);
    const fault = answers[posted.length - 1];
    if (fault) throw fault;
  };
  const ports = {
    edit: async (text: string) => {
      offered.push(text);
      return saves[offered.length - 1] ?? text;
    },
    again: async (faults: string[]) => {
      shown.push(faults);
      return goOn;
    },
    say: (text: string) => void said.push(text),
  };
  const made = await editProposal({ revise } as unknown as Client, view, ports);
  return { made, posted, shown, said, offered };
}

const changed = JSON.stringify({ ...sampleProposal, goal: 'Another' });

test('a valid edit becomes a revision of the one that was read', async () => {
  const { made, posted } = await edit([changed]);
  expect(made).toBe(true);
  expect(posted).toEqual([{ baseRevision: 3, proposal: { ...sampleProposal, goal: 'Another' } }]);
});

test('an unchanged or emptied text makes no revision', async () => {
  expect((await edit([])).posted).toEqual([]);
  expect((await edit([' \n'])).said).toEqual(['Nothing was changed.']);
});

test('faults are shown by path and the text goes back to the editor as it was saved', async () => {
  const faults = [
    { path: 'tickets[0].role', message: 'no role has this key' },
    { path: '', message: 'too large' },
  ];
  const refused = new Fault('invalid_proposal', 'Not valid.', { faults });
  const { made, shown, offered } = await edit(['{ nope', changed, changed], [refused, null]);
  expect(made).toBe(true);
  expect(shown[0]?.[0]).toStartWith('This is no JSON: ');
  expect(shown[1]).toEqual(['tickets[0].role: no role has this key', 'too large']);
  expect(offered.slice(1)).toEqual(['{ nope', changed]);
});

test('a person who gives up leaves the proposal as it was', async () => {
  const refused = new Fault('invalid_proposal', 'Not valid.');
  const { made, shown } = await edit([changed], [refused], false);
  expect([made, shown]).toEqual([false, [['Not valid.']]]);
});

test('an edit of a proposal that moved on overwrites nothing and says so', async () => {
  const { made, said } = await edit([changed], [new Fault('stale_revision', 'The plan moved on.')]);
  expect([made, said.length]).toEqual([false, 1]);
});
