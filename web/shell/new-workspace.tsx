import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ask, spaces } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { faultAt } from './faults.ts';
import { firstFocus } from './first-focus.ts';
import { FormError } from './form-error.tsx';
import css from './new-workspace.module.css';
import { useMe } from './use-me.ts';
import { WorkspaceTeam } from './workspace-team.tsx';

export const newWorkspaceText = texts(
  {
    title: 'New workspace',
    name: 'Name',
    hint: 'A workspace is a company or a team: its spaces, its agents and their work. A first team of agents comes with it.',
    create: 'Create workspace',
    close: 'Close',
    needsName: 'Give the workspace a name.',
  },
  {
    title: 'Nouvel espace de travail',
    name: 'Nom',
    hint: 'Un espace de travail est une entreprise ou une équipe : ses espaces, ses agents et leur travail. Une première équipe d’agents vient avec.',
    create: 'Créer l’espace de travail',
    close: 'Fermer',
    needsName: 'Donnez un nom à l’espace de travail.',
  },
);

/** A name, then the first agents as they arrive, then the way in. */
export function NewWorkspace({ onOpened }: { onOpened(): void }) {
  const t = useText(newWorkspaceText);
  const { cannotChange } = useMe();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [wasSent, setSent] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const create = useMutation({
    mutationFn: (json: { name: string; key: string }) => ask(spaces.api.workspaces.$post({ json })),
  });
  const id = create.data?.id ?? '';
  const workspace = useQuery({
    queryKey: ['workspaces', id],
    queryFn: () => ask(spaces.api.workspaces[':workspaceId'].$get({ param: { workspaceId: id } })),
    enabled: id !== '',
    // The control database has no events to follow.
    refetchInterval: ({ state }) => (state.data?.state === 'ready' ? false : LOOK_MS),
  });
  const open = async () => {
    await queryClient.invalidateQueries({ queryKey: keys.workspaces() });
    onOpened();
    navigate(`~/w/${id}/inbox`);
  };
  if (create.data) {
    return (
      <WorkspaceTeam
        ws={id}
        isReady={workspace.data?.state === 'ready'}
        error={workspace.error}
        onOpen={open}
      />
    );
  }
  const nameFault = wasSent && name.trim() === '' ? t.needsName : null;
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        setSent(true);
        if (name.trim() !== '' && cannotChange === null && !create.isPending) create.mutate({ name, key });
      }}
    >
      <Field label={t.name} hint={t.hint} error={nameFault ?? faultAt(create.error, 'name')}>
        {(control) => (
          <input
            {...control}
            ref={firstFocus}
            value={name}
            maxLength={300}
            autoComplete="organization"
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <FormError error={create.error} />
      <Button type="submit" kind="primary" disabledReason={cannotChange} isPending={create.isPending}>
        {t.create}
      </Button>
    </form>
  );
}

const LOOK_MS = 300;
