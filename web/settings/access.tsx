import { texts, useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { NewToken } from './new-token.tsx';
import css from './panel.module.css';
import { SessionList } from './session-list.tsx';
import { TokenList } from './token-list.tsx';

const words = texts(
  {
    signedIn: 'Where you are signed in',
    ends: 'Ending a session signs that browser out within seconds. If you do not know one, end it.',
    tokens: 'Tokens',
    may: 'With a token, cctl and other programs do what you may do.',
  },
  {
    signedIn: 'Où vous êtes connecté',
    ends: 'Fermer une session déconnecte ce navigateur en quelques secondes. Si l’une vous est inconnue, fermez-la.',
    tokens: 'Jetons',
    may: 'Avec un jeton, cctl et d’autres programmes font ce que vous pouvez faire.',
  },
);

/** By what somebody gets in: browsers that are signed in, and tokens. */
export function Access() {
  const t = useText(words);
  const { memberId } = useMe();
  if (memberId === null) return null;
  return (
    <div className={`${css.stack} ${css.medium}`}>
      <section aria-label={t.signedIn}>
        <h2>{t.signedIn}</h2>
        <p className={css.soft}>{t.ends}</p>
        <SessionList memberId={memberId} />
      </section>
      <section aria-label={t.tokens}>
        <h2>{t.tokens}</h2>
        <p className={css.soft}>{t.may}</p>
        <TokenList memberId={memberId} />
        <NewToken memberId={memberId} />
      </section>
    </div>
  );
}
