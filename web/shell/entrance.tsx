import type { ReactNode } from 'react';
import css from './entrance.module.css';

/** The page outside any workspace: one card in the middle. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={css.entrance}>
      <div className={css.card}>
        <svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true" className={css.mark}>
          <rect width="32" height="32" rx="7" />
          <circle cx="9" cy="16" r="3.2" />
          <circle cx="23" cy="9.500" r="3.2" />
          <circle cx="23" cy="22.500" r="3.2" />
          <path d="M11.500 15 20 10.500M11.500 17 20 21.500" />
        </svg>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
