import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { Drawer } from './drawer.tsx';
import { lazyPart } from './lazy-part.ts';
import { usePanes } from './panes.ts';
import { followPresence } from './presence-store.ts';
import css from './shell.module.css';
import { ShellDialogs } from './shell-dialogs.tsx';
import { Sidebar } from './sidebar.tsx';
import { TabStrip } from './tab-strip.tsx';
import { TopBar } from './top-bar.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { useIsNarrow } from './use-media.ts';
import { usePlaceTitle } from './use-place-title.ts';
import { useSeenSpaces } from './use-seen-spaces.ts';
import { useShellKeys } from './use-shell-keys.ts';

const Rail = lazyPart('rail', () => import('./rail.tsx'));

const words = texts({ skip: 'Skip to the screen' }, { skip: 'Aller au contenu' });

/** What is around every screen of a workspace. */
export function Shell({ ws, children }: { ws: string; children: ReactNode }) {
  const t = useText(words);
  const isNarrow = useIsNarrow();
  const isFolded = usePanes((state) => state.isSidebarFolded);
  const content = useRef<HTMLElement>(null);
  const [path] = useLocation();
  const title = usePlaceTitle(ws, path);
  useShellKeys(ws, isNarrow);
  useDocumentTitle(ws, title);
  useSeenSpaces(ws);
  useEffect(() => followPresence(ws), [ws]);
  return (
    <div className={css.shell}>
      <button type="button" className={css.skip} onClick={() => content.current?.focus()}>
        {t.skip}
      </button>
      {isNarrow ? (
        <Drawer>
          <Sidebar ws={ws} isDrawer />
        </Drawer>
      ) : isFolded ? (
        <Suspense>
          <Rail ws={ws} />
        </Suspense>
      ) : (
        <Sidebar ws={ws} />
      )}
      <div className={css.column}>
        {isNarrow ? <TopBar ws={ws} title={title} /> : null}
        <ConnectionBanner />
        <TabStrip ws={ws} />
        <main ref={content} id="content" tabIndex={-1} className={css.content}>
          {children}
        </main>
      </div>
      <p role="status" className="visually-hidden">
        {title}
      </p>
      <ShellDialogs ws={ws} />
    </div>
  );
}
