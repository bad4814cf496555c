import { EFFECT_CLASSES } from '../../../../../core-wasm/core.ts';

/** A line and exactly the classes that it has, with blanks between. */
export type Line = readonly [line: string, classes: string];

/** For a line that may do anything. */
export const EVERYTHING = EFFECT_CLASSES.join(' ');
