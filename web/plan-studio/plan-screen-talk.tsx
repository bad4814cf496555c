import { Link } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { useDesk } from './plan-screen-context.ts';

const words = texts({ open: 'Open the conversation' }, { open: 'Ouvrir la conversation' });

/** The conversation in which the plan was proposed. */
export default function PlanTalk() {
  const t = useText(words);
  const { detail } = useDesk();
  return <Link href={`/spaces/${detail.spaceId}`}>{t.open}</Link>;
}
