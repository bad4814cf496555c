import { Check, ListPlus, SendHorizontal, Settings2 } from 'lucide-react';
import { useText } from '../i18n/text.ts';
import { keyCaps } from '../keys/key-caps.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import css from './send-button.module.css';
import { useSendSetting } from './send-setting.ts';
import { composerText } from './text.ts';

interface SendButtonProps {
  action: 'send' | 'queue' | 'save';
  cannot: string | null;
  isPending: boolean;
  onPress(): void;
}

const ICONS = {
  send: <SendHorizontal size={15} aria-hidden />,
  queue: <ListPlus size={15} aria-hidden />,
  save: <Check size={15} aria-hidden />,
};

export function SendButton({ action, cannot, isPending, onPress }: SendButtonProps) {
  const t = useText(composerText);
  return (
    <Button kind="primary" disabledReason={cannot} isPending={isPending} onClick={onPress}>
      {ICONS[action]} <span className={css.word}>{t[action]}</span>
    </Button>
  );
}

/** What Mod is called on this keyboard. */
export const modName = (): string => keyCaps('$mod+Enter')[0]?.[0] ?? 'Ctrl';

/** Whether Enter sends or begins a new line. */
export function SendSettingMenu() {
  const t = useText(composerText);
  const { enterSends, setEnterSends } = useSendSetting();
  const mod = modName();
  return (
    <Menu
      className={css.setting as string}
      label={t.enterSetting}
      button={<Settings2 size={15} aria-hidden />}
      items={[
        { value: 'enter', label: t.enter, hint: t.enterHint },
        { value: 'mod', label: t.modEnter(mod), hint: t.modEnterHint },
      ]}
      selected={enterSends ? 'enter' : 'mod'}
      onChoose={(chosen) => setEnterSends(chosen === 'enter')}
    />
  );
}
