import { useQuery } from '@tanstack/react-query';
import { Bot, Inbox, Network } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { plural, texts, useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import css from './place-links.module.css';
import { placeText } from './place-text.ts';
import { inboxQuery } from './shell-queries.ts';

const words = texts(
  { nav: 'Places', waiting: (n: number) => plural(n, 'waits for you', 'wait for you') },
  { nav: 'Lieux', waiting: (n: number) => plural(n, 'vous attend', 'vous attendent') },
);

export function PlaceLinks({ ws }: { ws: string }) {
  const t = useText(words);
  const places = useText(placeText);
  const count = useQuery(inboxQuery(ws)).data?.count ?? 0;
  return (
    <nav aria-label={t.nav}>
      <ul className={css.places}>
        <Place to="/inbox" pattern="/inbox/:id?" icon={<Inbox size={16} aria-hidden />} name={places.inbox}>
          {count > 0 ? (
            <Badge tone="warn">
              <span aria-hidden="true">{count}</span>
              <span className="visually-hidden">{t.waiting(count)}</span>
            </Badge>
          ) : null}
        </Place>
        <Place to="/agents" pattern="/agents/*?" icon={<Bot size={16} aria-hidden />} name={places.agents} />
        <Place to="/org" pattern="/org" icon={<Network size={16} aria-hidden />} name={places.org} isBelow />
      </ul>
    </nav>
  );
}

interface PlaceProps {
  to: string;
  /** Where the link stands for the place that is open. */
  pattern: string;
  icon: ReactNode;
  name: string;
  isBelow?: boolean;
  children?: ReactNode;
}

function Place({ to, pattern, icon, name, isBelow = false, children }: PlaceProps) {
  const [isHere] = useRoute(pattern);
  return (
    <li>
      <Link
        href={to}
        className={isBelow ? `${css.place} ${css.below}` : css.place}
        aria-current={isHere ? 'page' : undefined}
      >
        {icon}
        <span className={css.name}>{name}</span>
        {children}
      </Link>
    </li>
  );
}
