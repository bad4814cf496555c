import { type Fault, hasFaultCode } from '../../services/kit/fault.ts';
import type { Client } from './client/client.ts';
import type { ProposalView } from './job/job.ts';
import { plainLine } from './plain-text.ts';

export interface EditPorts {
  /** Gives back the text as the person saved it. */
  edit(text: string): Promise<string>;
  /** Shows what is wrong and asks whether to edit again. */
  again(faults: string[]): Promise<boolean>;
  say(text: string): void;
}

/** Lets a person edit a proposal until the server takes it, or they give up; true when a revision was made. */
export async function editProposal(client: Client, view: ProposalView, ports: EditPorts): Promise<boolean> {
  const before = `${JSON.stringify(view.proposal, null, 2)}\n`;
  let text = before;
  for (;;) {
    text = await ports.edit(text);
    if (text === before || text.trim() === '') {
      ports.say('Nothing was changed.');
      return false;
    }
    const faults = await post(client, view, text);
    if (faults === null) return true;
    if (faults.length === 0) {
      ports.say('The proposal was changed or decided by someone else meanwhile; your edit was not applied.');
      return false;
    }
    if (!(await ports.again(faults))) return false;
  }
}

/** Null when taken, the faults when not, none when the proposal has moved on. */
async function post(client: Client, view: ProposalView, text: string): Promise<string[] | null> {
  const parsed = parseJson(text);
  if ('fault' in parsed) return [parsed.fault];
  const digest = new Bun.CryptoHasher('sha256').update(text).digest('hex');
  const body = { baseRevision: view.revision, proposal: parsed.value };
  try {
    await client.revise(
      view.workspaceId,
      view.id,
      body,
      `edit/${view.id}/${view.revision}/${digest.slice(0, 32)}`,
    );
    return null;
  } catch (error) {
    if (hasFaultCode(error, 'stale_revision', 'wrong_status', 'conflict')) return [];
    if (hasFaultCode(error, 'invalid_proposal', 'invalid_request', 'too_large'))
      return faultLines(error as Fault);
    throw error;
  }
}

function parseJson(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: `This is no JSON: ${(error as Error).message}` };
  }
}

/** `tickets[2].needs[0]: …`, one a line, or the fault's own words. */
function faultLines(fault: Fault): string[] {
  const faults = fault.detail.faults;
  if (!Array.isArray(faults) || faults.length === 0) return [fault.message];
  return faults.map((one: { path?: unknown; message?: unknown }) =>
    plainLine(`${one.path ? `${String(one.path)}: ` : ''}${String(one.message ?? '')}`, 300),
  );
}
