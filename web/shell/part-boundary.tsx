import { Component, type ReactNode, useEffect, useState } from 'react';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Failed } from '../ui/states.tsx';
import { PartMissing } from './lazy-part.ts';

const words = texts(
  {
    newTitle: 'There is a new version',
    newText: 'Control Center was updated while this tab was open. Drafts are kept.',
    awayTitle: 'This part could not be loaded',
    awayText: 'The server cannot be reached. What you wrote is kept; try again when the connection is back.',
    reload: 'Reload',
  },
  {
    newTitle: 'Une nouvelle version est là',
    newText:
      'Control Center a été mis à jour pendant que cet onglet était ouvert. Vos brouillons sont conservés.',
    awayTitle: 'Cette partie n’a pas pu être chargée',
    awayText:
      'Le serveur est injoignable. Ce que vous avez écrit est conservé ; réessayez une fois la connexion revenue.',
    reload: 'Recharger',
  },
);

interface Props {
  /** Another place is another try. */
  place: string;
  children: ReactNode;
}

interface State {
  error: unknown;
  place: string;
}

/** Keeps the fault of one screen from taking the rest of the app with it. */
export class PartBoundary extends Component<Props, State> {
  override state: State = { error: null, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps({ place }: Props, state: State): Partial<State> | null {
    return place === state.place ? null : { place, error: null };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof PartMissing) return <Missing />;
    return <Failed error={error} onRetry={() => this.setState({ error: null })} />;
  }
}

/** The browser does not say why a part is missing: when the server answers, the part is gone from it. */
function Missing() {
  const t = useText(words);
  const [isUpdated, setUpdated] = useState<boolean | null>(null);
  useEffect(() => {
    fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => setUpdated(ok),
      () => setUpdated(false),
    );
  }, []);
  if (isUpdated === null) return null;
  return (
    <div role="alert">
      <Empty title={isUpdated ? t.newTitle : t.awayTitle}>
        <p>{isUpdated ? t.newText : t.awayText}</p>
        <Button kind="primary" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      </Empty>
    </div>
  );
}
