import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Member } from '../../services/spaces/members/schema.ts';
import { problemOf } from '../api/problem.ts';
import { keys, queryClient } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { retryConnection } from '../live/live.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Entrance } from './entrance.tsx';
import { FormError } from './form-error.tsx';
import { isPlaceOf } from './person-storage.ts';
import { meQuery } from './shell-queries.ts';
import css from './sign-in.module.css';
import { codeOf } from './sign-in-code.ts';

const words = texts(
  {
    title: 'Sign in to Control Center',
    over: 'You are signed out. Sign in again to go on where you were.',
    how: 'Open the sign-in link that the server printed when it first started, or one that an owner gave you. This prints a new one on the server:',
    paste: 'Sign-in link',
    hint: 'Each link works once.',
    noCode: 'This is no sign-in link. Copy the whole line, with what follows #code=.',
    submit: 'Sign in',
    here: (name: string) => `You are still signed in here as ${name}.`,
    goOn: 'Go on',
  },
  {
    title: 'Connexion à Control Center',
    over: 'Vous êtes déconnecté. Reconnectez-vous pour reprendre où vous en étiez.',
    how: 'Ouvrez le lien de connexion affiché par le serveur à son premier démarrage, ou celui qu’un propriétaire vous a donné. Ceci en affiche un nouveau sur le serveur :',
    paste: 'Lien de connexion',
    hint: 'Chaque lien sert une seule fois.',
    noCode: 'Ce n’est pas un lien de connexion. Copiez la ligne entière, avec ce qui suit #code=.',
    submit: 'Se connecter',
    here: (name: string) => `Vous êtes toujours connecté ici, en tant que ${name}.`,
    goOn: 'Continuer',
  },
);

/**
 * Signs in with the code of a link. It stands in the fragment, so that neither a log nor another page sees it.
 * @param isOver whether somebody was signed in until now
 */
export default function SignIn({ isOver }: { isOver: boolean }) {
  const t = useText(words);
  const taken = useRef('');
  const [link, setLink] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const signIn = useMutation({ mutationFn: exchange });
  const { mutate } = signIn;
  useEffect(() => {
    const take = () => {
      if (location.hash === taken.current) return;
      taken.current = location.hash;
      const given = codeOf(location.hash);
      setFault(given === null && location.pathname === '/sign-in' ? t.noCode : null);
      if (given !== null) mutate(given);
    };
    take();
    // A link that is opened while this stands here already changes the fragment alone: the page is not loaded again.
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [mutate, t]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = codeOf(link);
    setFault(given === null ? t.noCode : null);
    if (given !== null && !signIn.isPending) mutate(given);
  };
  return (
    <Entrance title={t.title}>
      {isOver ? <p role="status">{t.over}</p> : null}
      <form className={css.form} onSubmit={submit}>
        <Field label={t.paste} hint={t.hint} error={fault}>
          {(control) => (
            <input
              {...control}
              value={link}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => setLink(target.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" isPending={signIn.isPending}>
          {t.submit}
        </Button>
      </form>
      <FormError error={signIn.error} />
      <StillHere isAsked={location.pathname === '/sign-in' && (fault !== null || signIn.isError)} />
      <div className={css.how}>
        <p>{t.how}</p>
        <pre className={css.command}>
          <code>bun run cctl sign-in</code>
        </pre>
      </div>
    </Entrance>
  );
}

/** Whoever opens a link once more, as from the history, has not been signed out by it. */
function StillHere({ isAsked }: { isAsked: boolean }) {
  const t = useText(words);
  const name = useQuery({ ...meQuery(), enabled: isAsked }).data?.member?.name;
  if (!isAsked || name === undefined) return null;
  return (
    <p role="status">
      {t.here(name)} <a href="/">{t.goOn}</a>
    </p>
  );
}

async function exchange(code: string): Promise<void> {
  const response = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (!response.ok) throw await problemOf(response);
  const { member } = (await response.json()) as { member: Member };
  // Somebody else may have been signed in before: nothing of theirs stays, and the code leaves the address.
  if (location.pathname === '/sign-in') history.replaceState(null, '', '/');
  if (!isPlaceOf(`person:${member.id}`)) return;
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me()[0] });
  retryConnection();
  await queryClient.resetQueries({ queryKey: keys.me() });
}
