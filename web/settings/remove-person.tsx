import { useMutation } from '@tanstack/react-query';
import { ask, spaces } from '../api/client.ts';
import { hasCode } from '../api/problem.ts';
import { keys, queryClient } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { FormError } from '../shell/form-error.tsx';
import { forgetPerson } from '../shell/person-storage.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { notify } from '../ui/notices.tsx';
import css from './panel.module.css';

const words = texts(
  {
    title: (name: string) => `Remove ${name}`,
    ends: 'Ends within seconds: their sign-in links, the browsers in which they are signed in, and their tokens.',
    stays:
      'Stays: what they wrote and decided, under their name, and runs that they started go on. Work assigned to them stays theirs until somebody assigns it anew.',
    back: 'Whoever is removed does not come back: added again, they are somebody new.',
    remove: 'Remove',
    removed: (name: string) => `${name} was removed.`,
    leave: 'Leave this server',
    leaveEnds:
      'You are signed out everywhere, your tokens open nothing any more, and what you wrote here and did not send is gone.',
    leaveStays: 'What you wrote and decided stays under your name, and runs that you started go on.',
    leaveBack: 'You do not come back by yourself: an owner would add you as somebody new.',
    doLeave: 'Leave',
    cancel: 'Cancel',
    close: 'Close',
  },
  {
    title: (name: string) => `Retirer ${name}`,
    ends: 'Prend fin en quelques secondes : ses liens de connexion, les navigateurs où cette personne est connectée et ses jetons.',
    stays:
      'Reste : ce qu’elle a écrit et décidé, sous son nom ; les exécutions qu’elle a lancées continuent. Le travail qui lui est confié le reste jusqu’à ce que quelqu’un le confie à d’autres.',
    back: 'Une personne retirée ne revient pas : ajoutée de nouveau, elle est quelqu’un d’autre.',
    remove: 'Retirer',
    removed: (name: string) => `${name} a été retiré.`,
    leave: 'Quitter ce serveur',
    leaveEnds:
      'Vous êtes déconnecté partout, vos jetons n’ouvrent plus rien, et ce que vous avez écrit ici sans l’envoyer est perdu.',
    leaveStays:
      'Ce que vous avez écrit et décidé reste sous votre nom, et les exécutions que vous avez lancées continuent.',
    leaveBack:
      'Vous ne revenez pas de vous-même : un propriétaire vous ajouterait comme une nouvelle personne.',
    doLeave: 'Quitter',
    cancel: 'Annuler',
    close: 'Fermer',
  },
);

interface RemovePersonProps {
  member: { id: string; name: string };
  onClose(): void;
}

/** Says what ends and what stays, and removes somebody, or oneself, when that is wanted all the same. */
export function RemovePerson({ member: { id, name }, onClose }: RemovePersonProps) {
  const t = useText(words);
  const { memberId } = useMe();
  const isMe = id === memberId;
  const remove = useMutation({
    mutationFn: async () => {
      await ask(spaces.api.members[':id'].$delete({ param: { id } })).catch((error: unknown) => {
        // Whoever is gone already is what was wanted.
        if (!hasCode(error, 'not_found')) throw error;
      });
      if (!isMe) await queryClient.invalidateQueries({ queryKey: keys.members() });
    },
    onSuccess: () => {
      if (isMe) return leave();
      onClose();
      notify(t.removed(name));
    },
  });
  const said = isMe ? [t.leaveEnds, t.leaveStays, t.leaveBack] : [t.ends, t.stays, t.back];
  return (
    <Dialog
      title={isMe ? t.leave : t.title(name)}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="danger" isPending={remove.isPending} onClick={() => remove.mutate()}>
            {isMe ? t.doLeave : t.remove}
          </Button>
        </>
      }
    >
      <div className={css.say}>
        {said.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <FormError error={remove.error} />
      </div>
    </Dialog>
  );
}

/** Nothing of theirs stays in the browser, as after signing out. */
function leave(): void {
  forgetPerson();
  location.replace('/');
}
