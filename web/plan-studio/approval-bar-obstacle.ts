import { useQuery } from '@tanstack/react-query';
import { ask, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { useDesk, useDraft, useEstimate, useProposal } from './plan-screen-context.ts';
import { usePlanUrl } from './plan-screen-url.ts';

const words = texts(
  {
    viewer: 'You may look at this plan, not decide about it',
    older: 'You are looking at another revision: go back to the present plan first',
    conflict: 'The plan moved on: compare and reapply your edits first',
    sentBack: 'Changes were requested: the plan waits for its next revision',
    circle: 'The dependencies run in a circle',
    faults: 'Some fields have to be mended first',
    schema: 'An output schema is not valid yet',
    failed: 'Your edits are not saved',
  },
  {
    viewer: 'Vous pouvez consulter ce plan, pas le décider',
    older: 'Vous regardez une autre révision : revenez d’abord au plan actuel',
    conflict: 'Le plan a avancé : comparez et réappliquez d’abord vos modifications',
    sentBack: 'Des modifications sont demandées : le plan attend sa prochaine révision',
    circle: 'Les dépendances forment un cercle',
    faults: 'Certains champs sont d’abord à corriger',
    schema: 'Un schéma de résultat n’est pas encore valide',
    failed: 'Vos modifications ne sont pas enregistrées',
  },
);

/** Whether the person may decide here at all. */
export function useIsViewer(): boolean {
  const me = useQuery({ queryKey: keys.me(), queryFn: () => ask(spaces.api.me.$get()) });
  return me.data?.member?.role === 'viewer';
}

/** Why the plan cannot be approved, or sent back, in words; null when it can. */
export function useApprovalObstacle(): { approve: string | null; changes: string | null } {
  const t = useText(words);
  const { detail } = useDesk();
  const { rev, diff } = usePlanUrl();
  const isViewer = useIsViewer();
  const isOlder = diff !== null || (rev !== null && rev !== detail.revision);
  const isCircular = useEstimate(useProposal()) === null;
  const draft = useDraft((state) => state);
  const first = (reasons: [boolean, string][]) => reasons.find(([holds]) => holds)?.[1] ?? null;
  const both: [boolean, string][] = [
    [isViewer, t.viewer],
    [isOlder, t.older],
    [detail.changesRequestedRevision !== null, t.sentBack],
    [draft.conflict !== null, t.conflict],
    [draft.save === 'failed', t.failed],
  ];
  const approve: [boolean, string][] = [
    [isCircular, t.circle],
    [draft.faults.length > 0, t.faults],
    // A sub-ticket that is gone has no schema to wait for.
    [draft.proposal.tickets.some(({ key }) => Object.hasOwn(draft.schemaTexts, key)), t.schema],
  ];
  return { approve: first([...both, ...approve]), changes: first(both) };
}
