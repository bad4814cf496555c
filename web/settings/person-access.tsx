import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import css from './panel.module.css';
import { SessionList } from './session-list.tsx';
import { TokenList } from './token-list.tsx';

const words = texts(
  {
    title: (name: string) => `How ${name} gets in`,
    browsers: 'Browsers that are signed in',
    tokens: 'Tokens',
    done: 'Done',
    close: 'Close',
  },
  {
    title: (name: string) => `Accès de ${name}`,
    browsers: 'Navigateurs connectés',
    tokens: 'Jetons',
    done: 'Terminé',
    close: 'Fermer',
  },
);

interface PersonAccessProps {
  member: { id: string; name: string };
  onClose(): void;
}

/** Somebody else’s sessions and tokens, which an owner sees and ends. */
export function PersonAccess({ member: { id, name }, onClose }: PersonAccessProps) {
  const t = useText(words);
  return (
    <Dialog
      title={t.title(name)}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <div className={css.stack}>
        <section aria-label={t.browsers}>
          <h3>{t.browsers}</h3>
          <SessionList memberId={id} />
        </section>
        <section aria-label={t.tokens}>
          <h3>{t.tokens}</h3>
          <TokenList memberId={id} />
        </section>
      </div>
    </Dialog>
  );
}
