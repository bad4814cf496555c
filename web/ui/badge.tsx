import type { ReactNode } from 'react';
import css from './badge.module.css';

/** A word beside a name: a state, a count, a role. */
export function Badge({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'warn' | 'bad' | 'good' | 'accent';
  children: ReactNode;
}) {
  return <span className={`${css.badge} ${css[tone]}`}>{children}</span>;
}
