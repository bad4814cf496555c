import { create } from 'zustand';

/** `reconnecting` says since when; screens show it and keep what they have. */
export type ConnectionState = 'connecting' | 'open' | 'reconnecting' | 'signedOut';

export const useConnection = create<{ state: ConnectionState; since: number }>()(() => ({
  state: 'connecting',
  since: Date.now(),
}));

export function setConnection(state: ConnectionState): void {
  if (useConnection.getState().state !== state) useConnection.setState({ state, since: Date.now() });
}
