import { Bot, Map as MapIcon, Network, ScanEye } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Mode } from '../../core-wasm/core.ts';
import { useText } from '../i18n/text.ts';
import { Menu } from '../ui/menu.tsx';
import css from './mode-menu.module.css';
import { chooseMode, type ModeSpace, OFFERED_MODES, useShownMode } from './space-mode.ts';
import { composerText, modeText } from './text.ts';

const ICONS: Record<Mode, ReactNode> = {
  chat: <Bot size={15} aria-hidden />,
  plan: <MapIcon size={15} aria-hidden />,
  orchestrate: <Network size={15} aria-hidden />,
  review: <ScanEye size={15} aria-hidden />,
};

/** In which mode the space is, and the way to another. A review's is shown alone: nobody chooses it, and none leads back. */
export function ModeMenu({ ws, space, isFixed }: { ws: string; space: ModeSpace; isFixed: boolean }) {
  const t = useText(composerText);
  const modes = useText(modeText);
  const mode = useShownMode(space);
  if (mode === 'review' || isFixed)
    return (
      <span className={css.fixed} title={mode === 'review' ? t.reviewFixed : modes[mode].hint}>
        {ICONS[mode]} <span className="visually-hidden">{t.mode}:</span> {modes[mode].label}
      </span>
    );
  return (
    <Menu
      className={css.menu as string}
      label={t.modeIs(modes[mode].label)}
      button={
        <>
          {ICONS[mode]} <span>{modes[mode].label}</span>
        </>
      }
      items={OFFERED_MODES.map((value) => ({ value, icon: ICONS[value], ...modes[value] }))}
      selected={mode}
      onChoose={(chosen) => chooseMode(ws, space, chosen)}
    />
  );
}
