import { PanelLeftClose, Search, X } from 'lucide-react';
import { texts, useText } from '../i18n/text.ts';
import { Keys } from '../keys/keys.tsx';
import { IconButton } from '../ui/button.tsx';
import { ConnectionState } from './connection-state.tsx';
import { openDialog } from './dialogs.ts';
import { foldSidebar, openDrawer } from './panes.ts';
import { PersonMenu } from './person-menu.tsx';
import { PlaceLinks } from './place-links.tsx';
import { PresenceButton } from './presence-button.tsx';
import css from './sidebar.module.css';
import { SpaceList } from './space-list.tsx';
import { useArrowWalk } from './use-arrow-walk.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const words = texts(
  { name: 'Workspace', search: 'Find or do…', fold: 'Fold the sidebar ([)', close: 'Close' },
  {
    name: 'Espace de travail',
    search: 'Chercher, agir…',
    fold: 'Replier la barre latérale ([)',
    close: 'Fermer',
  },
);

/** The workspace's places: inbox, agents, spaces; below them who is here and whether it is live. */
export function Sidebar({ ws, isDrawer = false }: { ws: string; isDrawer?: boolean }) {
  const t = useText(words);
  const walk = useArrowWalk();
  return (
    <aside className={css.sidebar} aria-label={t.name}>
      <header className={css.head}>
        <WorkspaceSwitcher ws={ws} />
        {isDrawer ? (
          <IconButton label={t.close} icon={<X size={16} aria-hidden />} onClick={() => openDrawer(false)} />
        ) : (
          <IconButton
            label={t.fold}
            icon={<PanelLeftClose size={16} aria-hidden />}
            onClick={() => foldSidebar(true)}
          />
        )}
      </header>
      <button type="button" className={css.search} onClick={() => openDialog({ kind: 'palette' })}>
        <Search size={15} aria-hidden />
        <span>{t.search}</span>
        <Keys keys="$mod+k" />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it are what people act on; it hears their arrows */}
      <div className={css.places} onKeyDown={walk}>
        <PlaceLinks ws={ws} />
        <SpaceList ws={ws} />
      </div>
      <footer className={css.foot}>
        <div className={css.here}>
          <PresenceButton />
          <ConnectionState />
        </div>
        <PersonMenu />
      </footer>
    </aside>
  );
}
