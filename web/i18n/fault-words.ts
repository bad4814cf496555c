import { ApiProblem, UNKNOWN, UNREACHABLE } from '../api/problem.ts';
import type { faultsInFrench } from './fault-sentences.ts';
import { type Language, useLanguage } from './language.ts';
import { texts } from './text.ts';

const words = texts(
  {
    [UNREACHABLE]: 'The server cannot be reached. Try again when the connection is back.',
    [UNKNOWN]: 'The server gave an answer that this page does not understand.',
    bug: 'This part of the app made a mistake. Reload the page.',
  },
  {
    [UNREACHABLE]: 'Le serveur est injoignable. Réessayez une fois la connexion revenue.',
    [UNKNOWN]: 'Le serveur a donné une réponse que cette page ne comprend pas.',
    bug: 'Cette partie de l’application a fait une erreur. Rechargez la page.',
  },
);

let inFrench: Partial<typeof faultsInFrench> = {};

/** French has a sentence for every code. They come only to whoever reads French, before the first fault is told. */
export async function fetchFaultWords(): Promise<void> {
  if (useLanguage.getState().language !== 'fr') return;
  // Without them the server's own sentences are shown.
  const words = await import('./fault-sentences.ts').catch(() => null);
  if (words) inFrench = words.faultsInFrench;
}

export interface FaultWords {
  /** In the person's language. */
  text: string;
  /** What the server or the browser says more exactly, in English; null when `text` is that already. */
  detail: string | null;
}

/** What an error tells the person, from the stable code of the server's answer where there is one. */
export function faultWords(error: unknown, language: Language = useLanguage.getState().language): FaultWords {
  if (error instanceof ApiProblem) return problemWords(error, language);
  const text = error instanceof Error ? error.message : String(error);
  return isBug(error) ? { text: words[language].bug, detail: text } : { text, detail: null };
}

function problemWords({ code, detail }: ApiProblem, language: Language): FaultWords {
  if (code === UNREACHABLE) return { text: words[language][code], detail: null };
  if (code === UNKNOWN) return { text: words[language][UNKNOWN], detail };
  const sentence =
    language === 'fr' && Object.hasOwn(inFrench, code) && inFrench[code as keyof typeof inFrench];
  // A code of a newer server: what it says is all there is.
  return sentence ? { text: sentence, detail } : { text: detail, detail: null };
}

/** What the language itself throws is nobody's message to a person. */
const isBug = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;

/** The same as one sentence, for where there is room for text alone. */
export function faultSentence(error: unknown): string {
  const { text, detail } = faultWords(error);
  return detail === null ? text : `${text} (${detail})`;
}
