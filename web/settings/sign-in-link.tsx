import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ask, spaces } from '../api/client.ts';
import { dateTime } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { ShownOnce } from './shown-once.tsx';

const words = texts(
  {
    title: (name: string) => `Sign-in link for ${name}`,
    once: 'It works once and is shown only here. Give it to them by a way that others cannot read.',
    until: (time: string) => `It works until ${time}.`,
    link: 'Link',
    copy: 'Copy the link',
    done: 'Done',
    close: 'Close',
  },
  {
    title: (name: string) => `Lien de connexion pour ${name}`,
    once: 'Il sert une seule fois et n’est affiché qu’ici. Transmettez-le par une voie que d’autres ne peuvent pas lire.',
    until: (time: string) => `Il est valable jusqu’au ${time}.`,
    link: 'Lien',
    copy: 'Copier le lien',
    done: 'Terminé',
    close: 'Fermer',
  },
);

interface SignInLinkProps {
  member: { id: string; name: string };
  onClose(): void;
}

/** A fresh link for somebody, shown until the dialog is closed and never again. */
export function SignInLink({ member, onClose }: SignInLinkProps) {
  const t = useText(words);
  const code = useMutation({
    mutationFn: () => ask(spaces.api['sign-in-codes'].$post({ json: { memberId: member.id } })),
    // Nothing keeps it once the dialog is gone.
    gcTime: 0,
  });
  const { mutate } = code;
  const wasAsked = useRef(false);
  useEffect(() => {
    if (wasAsked.current) return;
    wasAsked.current = true;
    mutate();
  }, [mutate]);
  const link = code.data ? `${location.origin}/sign-in#code=${code.data.code}` : null;
  return (
    <Dialog
      title={t.title(member.name)}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      {code.error ? <Failed error={code.error} onRetry={() => mutate()} /> : null}
      {code.isPending ? <Loading /> : null}
      {link !== null && code.data ? (
        <ShownOnce
          about={t.once}
          label={t.link}
          value={link}
          copyLabel={t.copy}
          foot={t.until(dateTime(code.data.expiresAt))}
        />
      ) : null}
    </Dialog>
  );
}
