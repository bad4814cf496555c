/** Milliseconds since the epoch; injected so that tests own time. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
