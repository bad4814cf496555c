import { engineConformance } from './conformance.ts';
import { engineKillConformance } from './conformance-kill.ts';
import { createEngine } from './engine-factory.ts';

engineConformance('the embedded journal', createEngine);
engineKillConformance(
  'the embedded journal, killed',
  new URL('./engine-factory.ts', import.meta.url).pathname,
);
