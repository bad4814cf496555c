import { type Proposal, partOf } from '../../../core-wasm/core.ts';
import { Fault } from '../../kit/fault.ts';

/** The start of the answer by which a decision says that it approves a part; the keys follow. */
const ONLY = 'Only these sub-tickets:';

/**
 * What approving `approved` alone leaves for later, in the order of the proposal.
 * @throws Fault invalid_request that names unknown keys, or what the approved ones depend on and lack
 */
export function deferredBy({ tickets }: Proposal, approved: readonly string[]): string[] {
  const { deferred, missing, unknown } = partOf(tickets, approved);
  if (unknown.length > 0) {
    const known = tickets.slice(0, 20).map(({ key }) => key);
    const more = tickets.length > known.length ? ', …' : '';
    throw new Fault(
      'invalid_request',
      `No sub-ticket has the key ${named(unknown)}; the keys are ${known.join(', ')}${more}.`,
      { unknown },
    );
  }
  if (missing.length > 0) {
    throw new Fault(
      'invalid_request',
      `These sub-tickets depend on others that are not approved: approve ${named(missing)} with them.`,
      { missing },
    );
  }
  return deferred;
}

/** The answer that carries a part in the decision itself, so that whoever reads the decision approves no more than that. */
export function partAnswer({ tickets }: Proposal, deferred: readonly string[]): string {
  const keys = tickets.map(({ key }) => key).filter((key) => !deferred.includes(key));
  return `${ONLY} ${keys.join(', ')}`;
}

/** What a decision with this answer leaves for later; a part that is not sound approves nothing yet. */
export function deferredByAnswer({ tickets }: Proposal, answer: string | undefined): string[] {
  const said = answer?.trim() ?? '';
  if (!said.startsWith(ONLY)) return [];
  const { deferred, missing, unknown } = partOf(tickets, said.slice(ONLY.length).match(/[^\s,]+/g) ?? []);
  const isSound = missing.length === 0 && unknown.length === 0;
  return isSound ? deferred : tickets.map(({ key }) => key);
}

function named(keys: readonly string[]): string {
  const shown = keys.slice(0, 20).join(', ');
  return keys.length > 20 ? `${shown} and ${keys.length - 20} more` : shown;
}
