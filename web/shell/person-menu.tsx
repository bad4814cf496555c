import { Keyboard, LogOut, Moon, Settings, Sun } from 'lucide-react';
import { useLocation } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu } from '../ui/menu.tsx';
import { notifyFailure } from '../ui/notices.tsx';
import { openDialog } from './dialogs.ts';
import css from './person-menu.module.css';
import { placeText } from './place-text.ts';
import { signOut } from './sign-out.ts';
import { useTheme } from './theme.ts';
import { useMe } from './use-me.ts';
import { useMedia } from './use-media.ts';

const words = texts(
  {
    label: (name: string) => `${name}: settings, keys, sign out`,
    keys: 'Keyboard',
    dark: 'Dark theme',
    light: 'Light theme',
    out: 'Sign out',
    roles: { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' },
  },
  {
    label: (name: string) => `${name} : réglages, touches, déconnexion`,
    keys: 'Clavier',
    dark: 'Thème sombre',
    light: 'Thème clair',
    out: 'Se déconnecter',
    roles: { owner: 'Propriétaire', operator: 'Opérateur', viewer: 'Lecteur' },
  },
);

/** Who is signed in, and what belongs to them alone. */
export function PersonMenu({ isIcon = false }: { isIcon?: boolean }) {
  const t = useText(words);
  const places = useText(placeText);
  const { name, role } = useMe();
  const [, navigate] = useLocation();
  const { theme, choose } = useTheme();
  const systemIsDark = useMedia('(prefers-color-scheme: dark)');
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark);
  const act = {
    settings: () => navigate('/settings'),
    keys: () => openDialog({ kind: 'keys' }),
    theme: () => choose(isDark ? 'light' : 'dark'),
    out: () => void signOut().catch(notifyFailure),
  };
  return (
    <Menu<keyof typeof act>
      className={(isIcon ? css.icon : css.person) ?? ''}
      label={t.label(name)}
      button={
        <>
          <Avatar name={name} kind="person" />
          {isIcon ? null : (
            <>
              <span className={css.name}>{name}</span>
              <span className={css.role}>{role && t.roles[role]}</span>
            </>
          )}
        </>
      }
      items={[
        { value: 'settings', label: places.settings, icon: <Settings size={15} aria-hidden /> },
        { value: 'keys', label: t.keys, icon: <Keyboard size={15} aria-hidden /> },
        {
          value: 'theme',
          label: isDark ? t.light : t.dark,
          icon: isDark ? <Sun size={15} aria-hidden /> : <Moon size={15} aria-hidden />,
        },
        { value: 'out', label: t.out, icon: <LogOut size={15} aria-hidden /> },
      ]}
      onChoose={(value) => act[value]()}
    />
  );
}
