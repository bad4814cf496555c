import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { inboxQuery, workspacesQuery } from './shell-queries.ts';

const APP = 'Control Center';

/** The tab of the browser says how much waits, where one is, and in which workspace. */
export function useDocumentTitle(ws: string, place: string | null): void {
  const waiting = useQuery(inboxQuery(ws)).data?.count ?? 0;
  const workspace = useQuery(workspacesQuery()).data?.items.find(({ id }) => id === ws)?.name;
  useEffect(() => {
    const parts = [place, workspace, APP].filter(Boolean).join(' · ');
    document.title = waiting > 0 ? `(${waiting}) ${parts}` : parts;
    return () => {
      document.title = APP;
    };
  }, [place, workspace, waiting]);
}
