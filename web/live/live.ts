import { setConnection } from './connection.ts';
import { LiveSocket, type StreamReader } from './socket.ts';

/** The tab's one connection. */
const socket = new LiveSocket(`${location.origin.replace(/^http/, 'ws')}/api/live`, setConnection);

export const openStream = (path: string, reader: StreamReader): (() => void) => socket.open(path, reader);
export const retryConnection = (): void => socket.retry();

const wake = (): void => socket.wake();
addEventListener('online', wake);
addEventListener('pageshow', wake);
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake());
