import { useMutation } from '@tanstack/react-query';
import type { TokenView } from '../../services/spaces/members/token-store.ts';
import { ask, spaces } from '../api/client.ts';
import { hasCode } from '../api/problem.ts';
import { keys, queryClient } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { FormError } from '../shell/form-error.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import css from './panel.module.css';

const words = texts(
  {
    title: 'Revoke a token',
    ends: (name: string) => `Whatever uses the token “${name}” is refused at once. This cannot be undone.`,
    first: 'This is the token of the first start. It stands in the file owner-token of the data directory.',
    breaks:
      'cctl on the server’s machine, and every program that reads that file, gets in with it and will be refused.',
    before:
      'Make another token first, and write it into that file or set CONTROL_CENTER_TOKEN to it. Without one, only browsers that are signed in still open this server to you, until somebody deletes the file and starts the server again, which makes a new one.',
    revoke: 'Revoke it',
    cancel: 'Cancel',
    close: 'Close',
  },
  {
    title: 'Révoquer un jeton',
    ends: (name: string) => `Ce qui utilise le jeton « ${name} » est refusé aussitôt. C’est irréversible.`,
    first: 'C’est le jeton du premier démarrage, inscrit dans le fichier owner-token du dossier de données.',
    breaks:
      'cctl sur la machine du serveur, et tout programme qui lit ce fichier, entre avec lui et sera refusé.',
    before:
      'Créez d’abord un autre jeton, puis écrivez-le dans ce fichier ou donnez-le à CONTROL_CENTER_TOKEN. Sinon, seuls les navigateurs connectés vous ouvriront encore ce serveur, jusqu’à ce que quelqu’un supprime le fichier et redémarre le serveur, qui en crée alors un nouveau.',
    revoke: 'Révoquer',
    cancel: 'Annuler',
    close: 'Fermer',
  },
);

/** Asks once more; of the first token it says what it breaks. */
export function RevokeToken({ token, onClose }: { token: TokenView; onClose(): void }) {
  const t = useText(words);
  const { id, memberId, name, isOwnerFile } = token;
  const revoke = useMutation({
    mutationFn: async () => {
      await ask(spaces.api.tokens[':id'].$delete({ param: { id } })).catch((error: unknown) => {
        // One that is gone already is what was wanted.
        if (!hasCode(error, 'not_found')) throw error;
      });
      await queryClient.invalidateQueries({ queryKey: keys.tokens(memberId) });
    },
    onSuccess: onClose,
  });
  return (
    <Dialog
      title={t.title}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="danger" isPending={revoke.isPending} onClick={() => revoke.mutate()}>
            {t.revoke}
          </Button>
        </>
      }
    >
      <div className={css.say}>
        {isOwnerFile ? <p>{t.first}</p> : <p>{t.ends(name)}</p>}
        {isOwnerFile ? <p className={css.warning}>{t.breaks}</p> : null}
        {isOwnerFile ? <p>{t.before}</p> : null}
        <FormError error={revoke.error} />
      </div>
    </Dialog>
  );
}
