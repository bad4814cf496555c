import { CircleUserRound, Keyboard, LogOut, Moon, Settings, Sun } from 'lucide-react';
import { useLocation } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
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
  },
  {
    label: (name: string) => `${name} : réglages, touches, déconnexion`,
    keys: 'Clavier',
    dark: 'Thème sombre',
    light: 'Thème clair',
    out: 'Se déconnecter',
  },
);

/** Who is signed in, and what belongs to them alone. */
export function PersonMenu({ isIcon = false }: { isIcon?: boolean }) {
  const t = useText(words);
  const places = useText(placeText);
  const { name } = useMe();
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
          <CircleUserRound size={18} aria-hidden />
          {isIcon ? null : <span className={css.name}>{name}</span>}
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
