import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { problemOf } from '../api/problem.ts';
import { queryClient } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { Empty, Failed, Loading } from '../ui/states.tsx';

const words = texts(
  {
    title: 'Sign in',
    how: 'Open the link that the server printed at its first start, or run this on the server for a new one:',
  },
  {
    title: 'Connexion',
    how: 'Ouvrez le lien affiché par le serveur à son premier démarrage, ou lancez ceci sur le serveur pour en obtenir un nouveau :',
  },
);

/** Signs in with the code of the link, which stands in the fragment, so that neither a log nor another page sees it. */
export function SignIn() {
  const t = useText(words);
  const code = useRef(/^#code=(.+)$/.exec(location.hash)?.[1]);
  const signIn = useMutation({ mutationFn: exchange });
  const { mutate } = signIn;
  useEffect(() => {
    const given = code.current;
    if (given === undefined) return;
    code.current = undefined;
    mutate(given);
  }, [mutate]);
  if (signIn.isPending) return <Loading />;
  return (
    <main>
      {signIn.error ? <Failed error={signIn.error} /> : null}
      <Empty title={t.title}>
        <p>{t.how}</p>
        <pre>
          <code>bun run cctl sign-in</code>
        </pre>
      </Empty>
    </main>
  );
}

async function exchange(code: string): Promise<void> {
  const response = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (!response.ok) throw await problemOf(response);
  history.replaceState(null, '', '/');
  await queryClient.resetQueries();
}
