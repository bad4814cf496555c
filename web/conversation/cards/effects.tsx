import type { EffectClass } from '../../../core-wasm/core.ts';
import { useText } from '../../i18n/text.ts';
import { effectText } from './text.ts';

export function Effects({ effects }: { effects: readonly EffectClass[] }) {
  const words = useText(effectText);
  return effects.map((effect) => words[effect] ?? effect).join(', ');
}
