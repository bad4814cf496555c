import { texts, useText } from '../i18n/text.ts';
import { Entrance } from './entrance.tsx';
import { NewWorkspace } from './new-workspace.tsx';

const words = texts(
  {
    title: 'Welcome to Control Center',
    text: 'People and agents work here as one team. Begin with a workspace.',
  },
  {
    title: 'Bienvenue dans Control Center',
    text: 'Personnes et agents y travaillent comme une seule équipe. Commencez par un espace de travail.',
  },
);

/** The first workspace of all. */
export default function Onboarding() {
  const t = useText(words);
  return (
    <Entrance title={t.title}>
      <p>{t.text}</p>
      <NewWorkspace onOpened={() => undefined} />
    </Entrance>
  );
}
