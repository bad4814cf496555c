import { problemOf } from '../api/problem.ts';

/** Ends the session here and on the server, and begins the page anew, so that nothing of the person stays in memory. */
export async function signOut(): Promise<void> {
  const response = await fetch('/api/session', { method: 'DELETE' });
  if (!response.ok) throw await problemOf(response);
  location.replace('/');
}
