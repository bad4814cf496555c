import { problemOf } from '../api/problem.ts';
import { useLanguage } from '../i18n/language.ts';
import { texts } from '../i18n/text.ts';
import { forgetPerson } from './person-storage.ts';
import { hasUnsent } from './unsent.ts';

const words = texts(
  {
    unsent:
      'Something that you wrote is not sent or saved yet. Signing out removes it from this browser. Sign out all the same?',
  },
  {
    unsent:
      'Un texte que vous avez écrit n’est pas encore envoyé ou enregistré. La déconnexion l’efface de ce navigateur. Se déconnecter quand même ?',
  },
);

/**
 * Ends the session here and on the server, and begins the page anew: nothing of the person stays in memory, and nothing of
 * what they wrote in the browser, which the next one may sit at.
 */
export async function signOut(): Promise<void> {
  if (hasUnsent() && !confirm(words[useLanguage.getState().language].unsent)) return;
  const response = await fetch('/api/session', { method: 'DELETE' });
  if (!response.ok) throw await problemOf(response);
  forgetPerson();
  location.replace('/');
}
