import { interrupted } from './prompts.ts';

/** Makes Ctrl-C and SIGTERM abort with `interrupted`; gives back what undoes that. */
export function stopOnSignals(stop: AbortController): () => void {
  const onSignal = () => stop.abort(interrupted());
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  return () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
}
