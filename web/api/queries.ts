import { QueryClient } from '@tanstack/react-query';
import { ApiProblem, hasCode } from './problem.ts';

const TRIES = 3;

/** Answers of the server. They stay fresh until an event says otherwise (live/invalidation.ts), so that nothing polls. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The server may be on this very machine: that there is no network says nothing of it.
      networkMode: 'always',
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < TRIES && (!(error instanceof ApiProblem) || error.retryable),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

export const isSignedOut = (error: unknown): boolean => hasCode(error, 'unauthenticated');

/** Keys of queries: `[noun, workspaceId, …]`, so that an event of a workspace finds what it changed. */
export const keys = {
  me: () => ['me'] as const,
  members: () => ['members'] as const,
  sessions: (memberId: string) => ['sessions', memberId] as const,
  tokens: (memberId: string) => ['tokens', memberId] as const,
  workspaces: () => ['workspaces'] as const,
  spaces: (ws: string) => ['spaces', ws] as const,
  space: (ws: string, id: string) => ['spaces', ws, id] as const,
  conversations: (ws: string, spaceId: string) => ['conversations', ws, spaceId] as const,
  messages: (ws: string, conversationId: string) => ['messages', ws, conversationId] as const,
  inbox: (ws: string) => ['inbox', ws] as const,
  approval: (ws: string, id: string) => ['approvals', ws, id] as const,
  agents: (ws: string) => ['agents', ws] as const,
  liveStates: (ws: string) => ['live-states', ws] as const,
  models: (ws: string) => ['models', ws] as const,
  honesty: (ws: string) => ['honesty', ws] as const,
  runTrees: (ws: string, conversationId: string) => ['run-trees', ws, conversationId] as const,
  run: (ws: string, id: string) => ['runs', ws, id] as const,
  runPage: (ws: string, id: string) => ['run-pages', ws, id] as const,
  orchestrations: (ws: string) => ['orchestrations', ws] as const,
  orchestration: (ws: string, id: string) => ['orchestrations', ws, id] as const,
  revisions: (ws: string, id: string) => ['orchestrations', ws, id, 'revisions'] as const,
  estimateBasis: (ws: string, id: string) => ['orchestrations', ws, id, 'basis'] as const,
};
