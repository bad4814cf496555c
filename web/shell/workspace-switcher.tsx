import { useQuery } from '@tanstack/react-query';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useLocation } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { Menu } from '../ui/menu.tsx';
import { openDialog } from './dialogs.ts';
import { workspacesQuery } from './shell-queries.ts';
import css from './workspace-switcher.module.css';

const words = texts(
  { label: (name: string) => `Workspace ${name}: choose another`, add: 'New workspace…', open: 'open' },
  {
    label: (name: string) => `Espace de travail ${name} : en choisir un autre`,
    add: 'Nouvel espace de travail…',
    open: 'ouvert',
  },
);

const NEW = '+new';

/** Names the workspace that is open; opens another one or makes one. */
export function WorkspaceSwitcher({ ws }: { ws: string }) {
  const t = useText(words);
  const [, navigate] = useLocation();
  const items = useQuery(workspacesQuery()).data?.items ?? [];
  const name = items.find(({ id }) => id === ws)?.name ?? '…';
  const choose = (value: string) => {
    if (value === NEW) openDialog({ kind: 'newWorkspace' });
    else if (value !== ws) navigate(`~/w/${value}/inbox`);
  };
  return (
    <Menu
      className={css.switcher ?? ''}
      label={t.label(name)}
      button={
        <>
          {/* Drawn and no text: what is spoken has to be what is written. */}
          <span className={css.mark} data-initial={name.slice(0, 1).toUpperCase()} />
          <span className={css.name}>{name}</span>
          <ChevronsUpDown size={14} aria-hidden />
        </>
      }
      items={[
        ...items.map((one) => ({
          value: one.id,
          label: one.name,
          icon: one.id === ws ? <Check size={15} aria-label={t.open} /> : <span className={css.noIcon} />,
        })),
        { value: NEW, label: t.add, icon: <Plus size={15} aria-hidden /> },
      ]}
      onChoose={choose}
    />
  );
}
