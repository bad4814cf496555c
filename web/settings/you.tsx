import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { ask, spaces } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { faultAt } from '../shell/faults.ts';
import { signOut } from '../shell/sign-out.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { notify, notifyFailure } from '../ui/notices.tsx';
import css from './panel.module.css';
import { roleText } from './role-text.ts';

const words = texts(
  {
    name: 'Your name',
    nameHint: 'How others see you.',
    save: 'Save',
    saved: 'Your name is saved.',
    same: 'This is your name already.',
    role: 'Your role',
    session: 'This browser',
    stays:
      'You stay signed in here for 30 days after your last visit. Signing out removes from this browser what you wrote and did not send.',
    out: 'Sign out',
    elsewhere: 'Where else you are signed in',
  },
  {
    name: 'Votre nom',
    nameHint: 'Tel que les autres vous voient.',
    save: 'Enregistrer',
    saved: 'Votre nom est enregistré.',
    same: 'C’est déjà votre nom.',
    role: 'Votre rôle',
    session: 'Ce navigateur',
    stays:
      'Vous restez connecté ici 30 jours après votre dernière visite. La déconnexion efface de ce navigateur ce que vous avez écrit sans l’envoyer.',
    out: 'Se déconnecter',
    elsewhere: 'Où vous êtes encore connecté',
  },
);

/** The person's own name, role and session. */
export function You() {
  const t = useText(words);
  const roles = useText(roleText);
  const { role } = useMe();
  return (
    <div className={`${css.stack} ${css.narrow}`}>
      <NameForm />
      <div>
        <h2>{t.role}</h2>
        <p>
          {role ? roles[role].name : null} <span className={css.soft}>{role ? roles[role].may : null}</span>
        </p>
      </div>
      <div>
        <h2>{t.session}</h2>
        <div className={css.row}>
          <p className={css.soft}>{t.stays}</p>
          <Button onClick={() => void signOut().catch(notifyFailure)}>{t.out}</Button>
        </div>
        <p className={css.more}>
          <Link href="/settings?tab=access">{t.elsewhere}</Link>
        </p>
      </div>
    </div>
  );
}

function NameForm() {
  const t = useText(words);
  const { name: before, memberId, cannotChange } = useMe();
  // Null while the field shows what the server has: a name that comes meanwhile takes nothing that is being typed.
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? before;
  const rename = useMutation({
    mutationFn: (wanted: string) =>
      ask(spaces.api.members[':id'].$patch({ param: { id: memberId ?? '' }, json: { name: wanted } })),
    onSuccess: async (_, wanted) => {
      await queryClient.invalidateQueries({ queryKey: keys.me() });
      await queryClient.invalidateQueries({ queryKey: keys.members() });
      setTyped((now) => (now?.trim() === wanted ? null : now));
      notify(t.saved);
    },
  });
  const reason = cannotChange ?? (name.trim() === before ? t.same : null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason === null && !rename.isPending) rename.mutate(name.trim());
  };
  const error = rename.error && (faultAt(rename.error, 'name') ?? rename.error.message);
  return (
    <form className={css.form} onSubmit={submit}>
      <Field label={t.name} hint={t.nameHint} error={error}>
        {(control) => (
          <input
            {...control}
            value={name}
            maxLength={100}
            autoComplete="name"
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <Button type="submit" disabledReason={reason} isPending={rename.isPending}>
        {t.save}
      </Button>
    </form>
  );
}
