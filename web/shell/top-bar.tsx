import { Menu as MenuIcon } from 'lucide-react';
import { texts, useText } from '../i18n/text.ts';
import { IconButton } from '../ui/button.tsx';
import { ConnectionState } from './connection-state.tsx';
import { InboxCount } from './inbox-count.tsx';
import { openDrawer } from './panes.ts';
import css from './top-bar.module.css';

const words = texts({ open: 'Open the navigation' }, { open: 'Ouvrir la navigation' });

/** On narrow screens: the way to the navigation, where one is, what waits, and whether it is live. */
export function TopBar({ ws, title }: { ws: string; title: string | null }) {
  const t = useText(words);
  return (
    <header className={css.bar}>
      <IconButton label={t.open} icon={<MenuIcon size={18} aria-hidden />} onClick={() => openDrawer(true)} />
      <span className={css.title}>{title}</span>
      <InboxCount ws={ws} />
      <ConnectionState isShapeOnly />
    </header>
  );
}
