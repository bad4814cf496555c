import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, spaces } from '../api/client.ts';
import { hasCode } from '../api/problem.ts';
import { keys, queryClient } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import css from './edit-space.module.css';
import { FormError } from './form-error.tsx';
import { spacesQuery } from './shell-queries.ts';
import { SpaceConflict } from './space-conflict.tsx';
import { changeOf, draftOf, type EditableSpace } from './space-draft.ts';
import { conflictsOf, edited, keepMine, NO_EDITS, takeTheirs } from './space-edits.ts';
import { SpaceFields } from './space-fields.tsx';
import { SpaceForm } from './space-form.tsx';
import { spaceText } from './space-text.ts';
import { useMe } from './use-me.ts';

const words = texts(
  {
    title: 'Space settings',
    save: 'Save',
    same: 'Nothing has been changed yet.',
    choose: 'Choose first whose values hold.',
    gone: 'This space is not here.',
  },
  {
    title: 'Réglages de l’espace',
    save: 'Enregistrer',
    same: 'Rien n’a encore été modifié.',
    choose: 'Choisissez d’abord les valeurs à garder.',
    gone: 'Cet espace n’est pas là.',
  },
);

interface EditSpaceProps {
  ws: string;
  spaceId: string;
  onClose(): void;
}

/** Changes what can be changed of a space; what another person changed meanwhile is shown before it is written over. */
export default function EditSpace({ ws, spaceId, onClose }: EditSpaceProps) {
  const t = useText(words);
  const common = useText(spaceText);
  const { cannotChange } = useMe();
  const space = useQuery(spacesQuery(ws)).data?.items.find(({ id }) => id === spaceId);
  const [edits, setEdits] = useState(NO_EDITS);
  const now = space ? draftOf(space) : null;
  const draft = now && { ...now, ...edits.mine };
  const change = now && draft && changeOf(now, draft);
  const conflicts = now ? conflictsOf(edits, now) : [];
  const save = useMutation({
    mutationFn: (wanted: SpaceEdit) => changeSpace(ws, spaceId, wanted),
    onError: (error) =>
      hasCode(error, 'conflict') && void queryClient.invalidateQueries({ queryKey: keys.spaces(ws) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.spaces(ws) });
      onClose();
    },
  });
  const nameFault = draft?.name.trim() === '' ? common.needsName : null;
  const reason =
    cannotChange ??
    nameFault ??
    (change === null ? t.same : null) ??
    (conflicts.length > 0 ? t.choose : null);
  const submit = () => {
    if (reason === null && space && !save.isPending) save.mutate({ ...change, version: space.version });
  };
  return (
    <Dialog
      title={t.title}
      closeLabel={common.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" disabledReason={reason} isPending={save.isPending} onClick={submit}>
            {t.save}
          </Button>
        </>
      }
    >
      {draft && now ? (
        <SpaceForm cannotChange={cannotChange} error={save.error} onSubmit={submit}>
          {conflicts.length > 0 ? (
            <SpaceConflict
              ws={ws}
              fields={conflicts}
              theirs={now}
              mine={draft}
              onKeepMine={() => setEdits(keepMine(edits, now))}
              onTakeTheirs={() => setEdits(takeTheirs(edits, now))}
            />
          ) : null}
          <SpaceFields
            ws={ws}
            draft={draft}
            onChange={(part) => setEdits((before) => edited(before, now, part))}
            error={save.error}
            nameFault={nameFault}
          >
            <section className={css.repositories} aria-label={common.repositories}>
              <h3>{common.repositories}</h3>
              {now.repositories.length === 0 ? <p>{common.noRepositories}</p> : null}
              <ul>
                {now.repositories.map(({ name, path }) => (
                  <li key={name}>
                    {name} <code>{path}</code>
                  </li>
                ))}
              </ul>
            </section>
          </SpaceFields>
          <FormError error={hasCode(save.error, 'conflict') && conflicts.length > 0 ? null : save.error} />
        </SpaceForm>
      ) : (
        <p>{t.gone}</p>
      )}
    </Dialog>
  );
}

type SpaceEdit = Partial<EditableSpace> & { version: number };

function changeSpace(ws: string, id: string, change: SpaceEdit) {
  const { agents, ...rest } = change;
  const json = { ...rest, ...(agents && { agents: [...agents] }) };
  return ask(
    spaces.api.workspaces[':workspaceId'].spaces[':id'].$patch({ param: { workspaceId: ws, id }, json }),
  );
}
