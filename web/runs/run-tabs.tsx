import { TabList } from '../agents/tab-list.tsx';
import { useUrlChoice } from '../agents/url-state.ts';
import { useText } from '../i18n/text.ts';
import { runWords } from './run-words.ts';

const TABS = ['steps', 'timeline', 'prompt', 'checkpoints'] as const;
type Tab = (typeof TABS)[number];

/** Which part of the run is shown; it stands in the address. */
export function useRunTab(): [Tab, (tab: Tab) => void] {
  return useUrlChoice('tab', TABS);
}

export function RunTabs() {
  const t = useText(runWords);
  const [tab, choose] = useRunTab();
  return (
    <TabList
      label={t.tabsLabel}
      tabs={TABS}
      words={t.tabs}
      selected={tab}
      panelId="run-panel"
      onSelect={choose}
    />
  );
}
