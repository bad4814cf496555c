import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member, Role } from '../../services/spaces/members/schema.ts';
import { ask, spaces } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { ChoiceList } from '../shell/choice-list.tsx';
import { faultAt } from '../shell/faults.ts';
import { firstFocus } from '../shell/first-focus.ts';
import { FormError } from '../shell/form-error.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import css from './panel.module.css';
import { roleText } from './role-text.ts';

const words = texts(
  {
    title: 'Add a person',
    name: 'Name',
    role: 'Role',
    add: 'Add and show the sign-in link',
    cancel: 'Cancel',
    close: 'Close',
    needsName: 'Give the person a name.',
  },
  {
    title: 'Ajouter une personne',
    name: 'Nom',
    role: 'Rôle',
    add: 'Ajouter et afficher le lien',
    cancel: 'Annuler',
    close: 'Fermer',
    needsName: 'Donnez un nom à la personne.',
  },
);

const ROLES = ['operator', 'viewer', 'owner'] as const;

/** A name and a role; the link to sign in with comes next. */
export function AddPerson({ onClose, onAdded }: { onClose(): void; onAdded(member: Member): void }) {
  const t = useText(words);
  const roles = useText(roleText);
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const [wasSent, setSent] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const add = useMutation({
    mutationFn: (json: { name: string; role: Role; key: string }) => ask(spaces.api.members.$post({ json })),
    onSuccess: async (member) => {
      await queryClient.invalidateQueries({ queryKey: keys.members() });
      onAdded(member);
    },
  });
  const submit = () => {
    setSent(true);
    if (name.trim() !== '' && !add.isPending) add.mutate({ name, role, key });
  };
  const nameFault = wasSent && name.trim() === '' ? t.needsName : null;
  return (
    <Dialog
      title={t.title}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" isPending={add.isPending} onClick={submit}>
            {t.add}
          </Button>
        </>
      }
    >
      <form
        className={css.stack}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label={t.name} error={nameFault ?? faultAt(add.error, 'name')}>
          {(control) => (
            <input
              {...control}
              ref={firstFocus}
              value={name}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <ChoiceList
          legend={t.role}
          value={role}
          choices={ROLES.map((value) => ({
            value,
            label: roles[value].name,
            hint: roles[value].may,
          }))}
          onChoose={(value) => setRole(value)}
        />
        <FormError error={add.error} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
