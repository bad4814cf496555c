/** For what changes without an event of a workspace: it is looked at anew by whoever comes to it. */
export const toldByNoEvent = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;
