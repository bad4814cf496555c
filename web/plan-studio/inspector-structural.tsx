import { Lock } from 'lucide-react';
import type { Proposal } from '../../core-wasm/core.ts';
import { texts, useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import css from './inspector.module.css';
import { NodeEstimateFacts } from './inspector-estimate.tsx';
import { InspectorHead } from './inspector-head.tsx';
import { StepFacts } from './inspector-step.tsx';
import { useStructuralTitles } from './plan-screen-view.ts';

const words = texts(
  {
    readOnly: 'Read-only',
    why: 'A step of every plan of this shape. Ask for changes to have it written anew.',
    brief: 'Brief',
    question: 'Question',
    role: 'Role',
    gone: 'This node is not in the plan any more.',
    goneTitle: 'Not in the plan',
  },
  {
    readOnly: 'Lecture seule',
    why: 'Une étape de tout plan de cette forme. Demandez des modifications pour la faire réécrire.',
    brief: 'Consigne',
    question: 'Question',
    role: 'Rôle',
    gone: 'Ce nœud n’est plus dans le plan.',
    goneTitle: 'Absent du plan',
  },
);

/** Research, a position or the synthesis: shown, and not to be changed here. */
export function InspectorStructural({ proposal, nodeKey }: { proposal: Proposal; nodeKey: string }) {
  const t = useText(words);
  const step = useStructural(proposal, nodeKey);
  if (!step)
    return (
      <div className={css.inspector}>
        <InspectorHead title={t.goneTitle} />
        <p className={css.soft}>{t.gone}</p>
      </div>
    );
  const role = proposal.roles.find(({ key }) => key === step.role)?.title ?? step.role;
  return (
    <div className={css.inspector}>
      <InspectorHead title={step.title}>
        <Badge>
          <Lock size={12} aria-hidden /> {t.readOnly}
        </Badge>
      </InspectorHead>
      <p className={css.soft}>{t.why}</p>
      <StepFacts stepKey={nodeKey} ticketKey={null} />
      <NodeEstimateFacts proposal={proposal} stepKey={nodeKey} role={step.role} />
      <section className={css.block} aria-label={t.role}>
        <h3>{t.role}</h3>
        <p>{role}</p>
      </section>
      <section className={css.block} aria-label={t.brief}>
        <h3>{step.isQuestion ? t.question : t.brief}</h3>
        <p className={css.prose}>{step.brief}</p>
      </section>
    </div>
  );
}

function useStructural({ research, discussion, synthesis, roles }: Proposal, key: string) {
  const titles = useStructuralTitles();
  if (key === 'research' && research) return { ...research, title: titles.research, isQuestion: false };
  if (key === 'synthesis') return { ...synthesis, title: titles.synthesis, isQuestion: false };
  const role = roles.find((one) => key === `position/${one.key}`);
  if (!role || !discussion) return null;
  return {
    title: titles.position(role.title),
    role: role.key,
    brief: discussion.question,
    isQuestion: true,
  };
}
