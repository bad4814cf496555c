import { ArrowDown, ArrowRight, Info, Maximize, Minus, Plus, Search } from 'lucide-react';
import { percent } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import css from './canvas.module.css';
import { useView } from './canvas-camera.ts';
import { useCanvas } from './canvas-store.ts';
import { canvasText } from './canvas-text.ts';
import type { Flow } from './layout/layout.ts';
import type { CanvasView } from './use-canvas-view.ts';

interface ToolsProps {
  view: CanvasView;
  onFlow(flow: Flow): void;
  onSearch(): void;
  isLegendOpen: boolean;
  onLegend(): void;
}

/** What a pointer does to the view; each has a key as well. */
export function CanvasTools({ view, onFlow, onSearch, isLegendOpen, onLegend }: ToolsProps) {
  const t = useText(canvasText);
  const flow = useCanvas(({ model }) => model.layout.flow);
  const other = flow === 'LR' ? 'TB' : 'LR';
  return (
    <div className={css.tools} role="toolbar" aria-label={t.tools}>
      <IconButton
        label={t.zoomOut}
        icon={<Minus size={15} aria-hidden />}
        aria-keyshortcuts="-"
        onClick={view.zoomOut}
      />
      <Percent view={view} />
      <IconButton
        label={t.zoomIn}
        icon={<Plus size={15} aria-hidden />}
        aria-keyshortcuts="+"
        onClick={view.zoomIn}
      />
      <IconButton
        label={t.fit}
        icon={<Maximize size={15} aria-hidden />}
        aria-keyshortcuts="f"
        onClick={view.fit}
      />
      <IconButton
        label={other === 'LR' ? t.leftToRight : t.topToBottom}
        icon={other === 'LR' ? <ArrowRight size={15} aria-hidden /> : <ArrowDown size={15} aria-hidden />}
        onClick={() => onFlow(other)}
      />
      <IconButton
        label={t.search}
        icon={<Search size={15} aria-hidden />}
        aria-keyshortcuts="/"
        onClick={onSearch}
      />
      <IconButton
        label={t.showLegend}
        className={css.legendSwitch}
        icon={<Info size={15} aria-hidden />}
        aria-expanded={isLegendOpen}
        onClick={onLegend}
      />
    </div>
  );
}

function Percent({ view }: { view: CanvasView }) {
  const t = useText(canvasText);
  const now = percent(useView(({ zoom }) => zoom));
  return (
    <Button
      kind="quiet"
      className={css.percent}
      aria-label={t.actualSize(now)}
      aria-keyshortcuts="1"
      onClick={view.actualSize}
    >
      {now}
    </Button>
  );
}
