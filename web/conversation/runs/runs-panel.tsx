import { useText } from '../../i18n/text.ts';
import css from '../conversation.module.css';
import { conversationText } from '../text.ts';
import { useGivenBackFocus } from '../use-given-back-focus.ts';
import { useRunTrees } from './run-data.ts';
import { RunTree } from './run-tree.tsx';

interface RunsPanelProps {
  ws: string;
  conversationId: string;
  /** All of them: since the space was made. */
  sinceMs: number;
  onClose(): void;
}

/** The runs of a conversation, beside it. */
export default function RunsPanel({ ws, conversationId, sinceMs, onClose }: RunsPanelProps) {
  const t = useText(conversationText);
  const { runs, looks } = useRunTrees(ws, conversationId, sinceMs);
  const pane = useGivenBackFocus();
  return (
    <aside ref={pane} className={css.side} aria-label={t.runs}>
      <RunTree runs={runs} looks={looks} onClose={onClose} />
    </aside>
  );
}
