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
import { changeOf, draftOf, type EditableSpace, type SpaceDraft } from './space-draft.ts';
import { SpaceFields } from './space-fields.tsx';
import { spaceText } from './space-text.ts';
import { useMe } from './use-me.ts';

const words = texts(
  {
    title: 'Space settings',
    save: 'Save',
    same: 'Nothing has been changed yet.',
    gone: 'This space is not here.',
  },
  {
    title: 'Réglages de l’espace',
    save: 'Enregistrer',
    same: 'Rien n’a encore été modifié.',
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
  const list = useQuery(spacesQuery(ws));
  const now = list.data?.items.find(({ id }) => id === spaceId);
  const [start] = useState(now);
  const [edits, setEdits] = useState<Partial<EditableSpace>>({});
  /** The version that the person has seen; another one is a conflict. */
  const [version, setVersion] = useState(start?.version ?? 0);
  const draft: SpaceDraft | null = start ? { ...draftOf(start), ...edits } : null;
  const change = draft && now ? changeOf(draftOf(now), draft) : null;
  const isStale = now !== undefined && now.version !== version;
  const save = useMutation({
    mutationFn: (wanted: SpaceEdit) => changeSpace(ws, spaceId, wanted),
    onError: (error) =>
      hasCode(error, 'conflict', 'stale_version') &&
      void queryClient.invalidateQueries({ queryKey: keys.spaces(ws) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.spaces(ws) });
      onClose();
    },
  });
  const nameFault = draft?.name.trim() === '' ? common.needsName : null;
  const reason = cannotChange ?? nameFault ?? (change === null ? t.same : null);
  const submit = () => {
    if (reason === null && !save.isPending) save.mutate({ ...change, version });
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
      {draft && start && now ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          {isStale ? (
            <SpaceConflict
              ws={ws}
              theirs={draftOf(now)}
              mine={draft}
              onKeepMine={() => setVersion(now.version)}
              onTakeTheirs={() => {
                setEdits(draftOf(now));
                setVersion(now.version);
              }}
            />
          ) : null}
          <SpaceFields
            ws={ws}
            draft={draft}
            onChange={(part) => setEdits((before) => ({ ...before, ...part }))}
            error={save.error}
            nameFault={nameFault}
          >
            <section className={css.repositories} aria-label={common.repositories}>
              <h3>{common.repositories}</h3>
              {start.repositories.length === 0 ? <p>{common.noRepositories}</p> : null}
              <ul>
                {start.repositories.map(({ name, path }) => (
                  <li key={name}>
                    {name} <code>{path}</code>
                  </li>
                ))}
              </ul>
            </section>
          </SpaceFields>
          <FormError error={isStale ? null : save.error} />
        </form>
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
