import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { create as createStore } from 'zustand';
import { ask, spaces } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from './form-error.tsx';
import { RepositoryFields } from './repository-fields.tsx';
import { EMPTY_SPACE, type SpaceDraft } from './space-draft.ts';
import { SpaceFields } from './space-fields.tsx';
import { SpaceForm } from './space-form.tsx';
import { spaceText } from './space-text.ts';
import { useMe } from './use-me.ts';

const words = texts(
  { title: 'New space', create: 'Create space' },
  { title: 'Nouvel espace', create: 'Créer l’espace' },
);

/** What was filled in and not sent, by workspace: closing the dialog, or a stray Escape, loses nothing. */
const useNewSpace = createStore<{ drafts: Readonly<Record<string, SpaceDraft>> }>()(() => ({ drafts: {} }));

const keepDraft = (ws: string, draft: SpaceDraft | null) =>
  useNewSpace.setState(({ drafts }) => ({ drafts: { ...drafts, [ws]: draft ?? EMPTY_SPACE } }));

/** Opens a room: its name, what agents do in it, who they are and what they work on. */
export default function NewSpace({ ws, onClose }: { ws: string; onClose(): void }) {
  const t = useText(words);
  const common = useText(spaceText);
  const { cannotChange } = useMe();
  const [, navigate] = useLocation();
  const draft = useNewSpace((state) => state.drafts[ws]) ?? EMPTY_SPACE;
  const [key] = useState(() => crypto.randomUUID());
  const [tries, setTries] = useState(0);
  const create = useMutation({
    mutationFn: (wanted: SpaceDraft) => createSpace(ws, wanted, key),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: keys.spaces(ws) });
      keepDraft(ws, null);
      onClose();
      // Whoever makes a room wants to say something in it: a letter typed at once is no key of the screen.
      navigate(`/spaces/${id}`, { state: { isNew: true } });
    },
  });
  const change = (part: Partial<SpaceDraft>) => keepDraft(ws, { ...draft, ...part });
  const nameFault = tries > 0 && draft.name.trim() === '' ? common.needsName : null;
  const submit = () => {
    setTries(tries + 1);
    if (draft.name.trim() !== '' && cannotChange === null && !create.isPending) create.mutate(draft);
  };
  return (
    <Dialog
      title={t.title}
      closeLabel={common.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" disabledReason={cannotChange} isPending={create.isPending} onClick={submit}>
            {t.create}
          </Button>
        </>
      }
    >
      <SpaceForm cannotChange={cannotChange} tries={tries} error={create.error} onSubmit={submit}>
        <SpaceFields ws={ws} draft={draft} onChange={change} error={create.error} nameFault={nameFault}>
          <RepositoryFields
            repositories={draft.repositories}
            onChange={(repositories) => change({ repositories })}
            error={create.error}
          />
        </SpaceFields>
        <FormError error={create.error} />
      </SpaceForm>
    </Dialog>
  );
}

function createSpace(ws: string, draft: SpaceDraft, key: string) {
  const json = {
    ...draft,
    agents: [...draft.agents],
    // A row that was added and left empty means nothing.
    repositories: draft.repositories.filter(({ path, name }) => path !== '' || name !== ''),
    key,
  };
  return ask(spaces.api.workspaces[':workspaceId'].spaces.$post({ param: { workspaceId: ws }, json }));
}
