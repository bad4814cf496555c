const STORED = 'control-center.workspace';

/** The workspace that this browser had open last. */
export const rememberedWorkspace = (): string | null => localStorage.getItem(STORED);
export const rememberWorkspace = (ws: string): void => localStorage.setItem(STORED, ws);
