import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { texts, useText } from '../i18n/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Status } from '../ui/status.tsx';
import { openDialog } from './dialogs.ts';
import { FormError } from './form-error.tsx';
import { agentsQuery } from './shell-queries.ts';
import css from './workspace-team.module.css';

const words = texts(
  {
    coming: 'Your first agents are being set up…',
    ready: 'Your first agents are here.',
    open: 'Open the workspace',
    space: 'Open a first space',
    wait: 'The agents are still being set up.',
  },
  {
    coming: 'Vos premiers agents s’installent…',
    ready: 'Vos premiers agents sont là.',
    open: 'Ouvrir l’espace de travail',
    space: 'Ouvrir un premier espace',
    wait: 'Les agents s’installent encore.',
  },
);

interface WorkspaceTeamProps {
  ws: string;
  isReady: boolean;
  error: unknown;
  /** Goes to the workspace. */
  onOpen(): Promise<void>;
}

/** The agents that a new workspace comes with, as they arrive. */
export function WorkspaceTeam({ ws, isReady, error, onOpen }: WorkspaceTeamProps) {
  const t = useText(words);
  const agents = useQuery({
    ...agentsQuery(ws),
    refetchInterval: isReady ? false : LOOK_MS,
    enabled: ws !== '',
  });
  const { refetch } = agents;
  // The last of them may have come after the last look.
  useEffect(() => {
    if (isReady) void refetch();
  }, [isReady, refetch]);
  const team = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone.
  useEffect(() => team.current?.querySelector('button')?.focus(), []);
  const wait = isReady ? null : t.wait;
  return (
    <div ref={team} className={css.team}>
      <p role="status">
        <Status status={isReady ? 'done' : 'running'} label={isReady ? t.ready : t.coming} />
      </p>
      <ul>
        {(agents.data?.items ?? []).map(({ id, name, title }) => (
          <li key={id} className={css.agent}>
            <Avatar name={name} kind="agent" />
            <span>
              {name}
              <span className={css.title}>{title}</span>
            </span>
          </li>
        ))}
      </ul>
      <FormError error={error} />
      <div className={css.actions}>
        <Button
          kind="primary"
          disabledReason={wait}
          onClick={() => void onOpen().then(() => openDialog({ kind: 'newSpace' }))}
        >
          {t.space}
        </Button>
        <Button disabledReason={wait} onClick={() => void onOpen()}>
          {t.open}
        </Button>
      </div>
    </div>
  );
}

const LOOK_MS = 300;
