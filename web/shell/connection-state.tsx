import { texts, useText } from '../i18n/text.ts';
import { type ConnectionState as State, useConnection } from '../live/connection.ts';
import { Status } from '../ui/status.tsx';
import type { StatusWord } from '../ui/status-words.ts';

const words = texts(
  { connecting: 'Connecting…', open: 'Live', reconnecting: 'Reconnecting…', signedOut: 'Signed out' },
  { connecting: 'Connexion…', open: 'En direct', reconnecting: 'Reconnexion…', signedOut: 'Déconnecté' },
);

const SHAPES: Record<State, StatusWord> = {
  connecting: 'pending',
  open: 'done',
  reconnecting: 'blocked',
  signedOut: 'offline',
};

/** Whether what is shown is live, in shape and word. */
export function ConnectionState({ isShapeOnly = false }: { isShapeOnly?: boolean }) {
  const t = useText(words);
  const state = useConnection((connection) => connection.state);
  return <Status status={SHAPES[state]} label={t[state]} isShapeOnly={isShapeOnly} />;
}
