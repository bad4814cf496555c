import { useQuery } from '@tanstack/react-query';
import { Bot, Inbox, Network, PanelLeftOpen, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { plural, texts, useText } from '../i18n/text.ts';
import { IconButton } from '../ui/button.tsx';
import { ConnectionState } from './connection-state.tsx';
import { openDialog } from './dialogs.ts';
import { foldSidebar } from './panes.ts';
import { PersonMenu } from './person-menu.tsx';
import { placeText } from './place-text.ts';
import css from './rail.module.css';
import { inboxQuery } from './shell-queries.ts';

const words = texts(
  {
    name: 'Workspace',
    unfold: 'Unfold the sidebar ([)',
    search: 'Find or do…',
    waiting: (n: number) => plural(n, 'waits for you', 'wait for you'),
  },
  {
    name: 'Espace de travail',
    unfold: 'Déplier la barre latérale ([)',
    search: 'Chercher, agir…',
    waiting: (n: number) => plural(n, 'vous attend', 'vous attendent'),
  },
);

/** The folded sidebar: its main places as icons. */
export default function Rail({ ws }: { ws: string }) {
  const t = useText(words);
  const places = useText(placeText);
  const count = useQuery(inboxQuery(ws)).data?.count ?? 0;
  return (
    <aside className={css.rail} aria-label={t.name}>
      <IconButton
        label={t.unfold}
        icon={<PanelLeftOpen size={16} aria-hidden />}
        onClick={() => foldSidebar(false)}
      />
      <IconButton
        label={t.search}
        icon={<Search size={16} aria-hidden />}
        onClick={() => openDialog({ kind: 'palette' })}
      />
      <nav aria-label={t.name}>
        <ul>
          <Place to="/inbox" pattern="/inbox/:id?" name={places.inbox} icon={<Inbox size={17} aria-hidden />}>
            {count > 0 ? (
              <>
                <span className={css.count} aria-hidden="true">
                  {count > 99 ? '99+' : count}
                </span>
                <span className="visually-hidden">, {t.waiting(count)}</span>
              </>
            ) : null}
          </Place>
          <Place
            to="/agents"
            pattern="/agents/*?"
            name={places.agents}
            icon={<Bot size={17} aria-hidden />}
          />
          <Place to="/org" pattern="/org" name={places.org} icon={<Network size={17} aria-hidden />} />
        </ul>
      </nav>
      <footer className={css.foot}>
        <ConnectionState isShapeOnly />
        <PersonMenu isIcon />
      </footer>
    </aside>
  );
}

interface PlaceProps {
  to: string;
  pattern: string;
  name: string;
  icon: ReactNode;
  children?: ReactNode;
}

function Place({ to, pattern, name, icon, children }: PlaceProps) {
  const [isHere] = useRoute(pattern);
  return (
    <li>
      <Link href={to} className={css.place} aria-current={isHere ? 'page' : undefined} title={name}>
        {icon}
        <span className="visually-hidden">{name}</span>
        {children}
      </Link>
    </li>
  );
}
