import type { KeyboardEvent } from 'react';

/** What browsers give as the code of a key that an input method has taken. */
const TAKEN = 229;

/**
 * Whether the key belongs to an input method: Enter then chooses what it offers. One browser ends the composition before it
 * tells of the key that ended it, and says so by the code alone.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === TAKEN;
