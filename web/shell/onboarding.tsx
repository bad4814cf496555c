import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { notifyFailure } from '../ui/notices.tsx';
import { Entrance } from './entrance.tsx';
import { NewWorkspace } from './new-workspace.tsx';
import css from './onboarding.module.css';
import { signOut } from './sign-out.ts';
import { useMe } from './use-me.ts';

const words = texts(
  {
    title: 'Welcome to Control Center',
    text: 'People and agents work here as one team, in workspaces.',
    viewer: 'There is no workspace yet, and you may look but not change anything. Ask an owner to make one.',
    again: 'Look again',
    as: (name: string) => `You are ${name}.`,
    out: 'Sign out',
  },
  {
    title: 'Bienvenue dans Control Center',
    text: 'Personnes et agents y travaillent comme une seule équipe, dans des espaces de travail.',
    viewer:
      'Il n’y a pas encore d’espace de travail, et vous pouvez consulter mais rien modifier. Demandez à un propriétaire d’en créer un.',
    again: 'Regarder de nouveau',
    as: (name: string) => `Vous êtes ${name}.`,
    out: 'Se déconnecter',
  },
);

/** The first workspace of all. @param onLookAgain asks whether somebody else has made it */
export default function Onboarding({ onLookAgain }: { onLookAgain(): void }) {
  const t = useText(words);
  const { name, cannotChange } = useMe();
  return (
    <Entrance title={t.title}>
      {cannotChange === null ? (
        <>
          <p>{t.text}</p>
          <NewWorkspace onOpened={() => undefined} />
        </>
      ) : (
        <>
          <p>{t.viewer}</p>
          <div>
            <Button kind="primary" onClick={onLookAgain}>
              {t.again}
            </Button>
          </div>
        </>
      )}
      <p className={css.who}>
        {t.as(name)}
        <Button kind="quiet" onClick={() => void signOut().catch(notifyFailure)}>
          {t.out}
        </Button>
      </p>
    </Entrance>
  );
}
