import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ask, spaces } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { faultAt } from '../shell/faults.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import css from './panel.module.css';
import { ShownOnce } from './shown-once.tsx';

const words = texts(
  {
    name: 'New token for',
    hint: 'Where it will be used, to know it by: “laptop”, say.',
    make: 'Make a token',
    needsName: 'Say where it will be used.',
    title: (name: string) => `Token for ${name}`,
    once: 'It is shown only here. Whoever has it acts in your name, until you revoke it.',
    token: 'Token',
    copy: 'Copy the token',
    use: 'cctl takes it from CONTROL_CENTER_TOKEN.',
    done: 'Done',
    close: 'Close',
  },
  {
    name: 'Nouveau jeton pour',
    hint: 'Où il servira, pour le reconnaître : « portable », par exemple.',
    make: 'Créer un jeton',
    needsName: 'Dites où il servira.',
    title: (name: string) => `Jeton pour ${name}`,
    once: 'Il n’est affiché qu’ici. Qui le possède agit en votre nom, jusqu’à ce que vous le révoquiez.',
    token: 'Jeton',
    copy: 'Copier le jeton',
    use: 'cctl le lit dans CONTROL_CENTER_TOKEN.',
    done: 'Terminé',
    close: 'Fermer',
  },
);

/** Makes a token of one’s own and shows it, until the dialog is closed and never again. */
export function NewToken({ memberId }: { memberId: string }) {
  const t = useText(words);
  const [name, setName] = useState('');
  // One for each name: sent again after a lost answer it makes no second token.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [wasSent, setSent] = useState(false);
  const add = useMutation({
    mutationFn: (json: { name: string; key: string }) => ask(spaces.api.tokens.$post({ json })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.tokens(memberId) }),
    // Nothing keeps the token once the dialog is gone.
    gcTime: 0,
  });
  const change = (to: string) => {
    setName(to);
    setKey(crypto.randomUUID());
    setSent(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (name.trim() !== '' && !add.isPending) add.mutate({ name: name.trim(), key });
  };
  const close = () => {
    add.reset();
    change('');
  };
  const missing = wasSent && name.trim() === '' ? t.needsName : null;
  const refused = add.error && (faultAt(add.error, 'name') ?? add.error.message);
  return (
    <>
      <form className={css.form} onSubmit={submit}>
        <Field label={t.name} hint={t.hint} error={missing ?? refused}>
          {(control) => (
            <input
              {...control}
              value={name}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => change(target.value)}
            />
          )}
        </Field>
        <Button type="submit" isPending={add.isPending}>
          {t.make}
        </Button>
      </form>
      {add.data ? (
        <Dialog
          title={t.title(add.data.name)}
          closeLabel={t.close}
          onClose={close}
          actions={
            <Button kind="primary" onClick={close}>
              {t.done}
            </Button>
          }
        >
          <ShownOnce about={t.once} label={t.token} value={add.data.token} copyLabel={t.copy} foot={t.use} />
        </Dialog>
      ) : null}
    </>
  );
}
