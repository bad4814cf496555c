import { EFFECT_CLASSES } from '../../../../../core-wasm/core.ts';
import type { Call } from './call.ts';
import { namedInText } from './named-in-text.ts';

/** Text in another language: a process, and whatever its text names. `null` where it is only known at run time. */
export function readCode(call: Call, text: string | null): void {
  call.add('process_launch');
  if (text === null) {
    call.anything('runs text that is only known at run time');
    return;
  }
  const named = namedInText(text);
  if (named === 'anything') {
    call.anything('makes up what it runs');
    return;
  }
  call.add(...EFFECT_CLASSES.filter((effect) => named.has(effect)));
}
