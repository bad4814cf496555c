import type { ReactNode } from 'react';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import css from './cards.module.css';

interface CardProps {
  icon: ReactNode;
  title: ReactNode;
  /** At the end of the title's line. */
  aside?: ReactNode;
  tone?: 'plain' | 'asks';
  children?: ReactNode;
  actions?: ReactNode;
}

/** What a message is besides text: something to decide, or something that was made. */
export function Card({ icon, title, aside, tone = 'plain', children, actions }: CardProps) {
  const card = useKeptFocus<HTMLDivElement>((part) => part.closest<HTMLElement>('[data-row]'));
  return (
    <div ref={card} className={`${css.card} ${css[tone]}`}>
      <div className={css.head}>
        <span className={css.icon} aria-hidden="true">
          {icon}
        </span>
        <div className={css.title}>{title}</div>
        {aside ? <div className={css.aside}>{aside}</div> : null}
      </div>
      {children ? <div className={css.body}>{children}</div> : null}
      {actions ? <div className={css.actions}>{actions}</div> : null}
    </div>
  );
}
