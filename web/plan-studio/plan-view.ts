import type { NodeEstimate, StepKind } from '../../core-wasm/core.ts';
import type { StatusWord } from '../ui/status-words.ts';

/** What a newer revision did to a node or to one of its needs. */
export type Change = 'added' | 'removed' | 'changed';

/** A step of a plan as the canvas, the outline and the inspector show it. */
export interface PlanNode {
  /** The pipeline's key of the step, `ticket/api`: steps, estimates and the selection all use it. */
  key: string;
  kind: StepKind;
  title: string;
  role: string | null;
  roleTitle: string | null;
  /** Keys of nodes of the same view; a need that names none is not drawn. */
  needs: readonly string[];
  /** Structural, executed, or of a plan that cannot be edited. */
  isReadOnly: boolean;
  /** Null while it is not computed; a node nothing is known about has an estimate with null ranges. */
  estimate: NodeEstimate | null;
  /** Null before the plan is approved. A step whose run stands still has what that is: `awaiting`, `paused` or `blocked`. */
  status: StatusWord | null;
  /** The same more exactly in a few words of the person's language, "Disk is full"; absent where the status's own word says it. */
  statusNote?: string | null;
  isDeferred: boolean;
  /** In a comparison of two revisions alone. */
  change?: Change;
  /** In a comparison: of the needs, those that one of the two revisions does not have. */
  needChanges?: Readonly<Record<string, 'added' | 'removed'>>;
}

export interface PlanView {
  nodes: readonly PlanNode[];
  /** Keys from the first node to the last. */
  criticalPath: readonly string[];
}

/** Somebody else who looks at a node. */
export interface Onlooker {
  /** Decides the colour, which is the same wherever they are. */
  actor: string;
  name: string;
}

/** Props of the canvas (canvas.tsx, its default export, for `lazy`). */
export interface PlanCanvasProps {
  view: PlanView;
  selectedKey: string | null;
  onSelect(key: string | null): void;
  /** Enter or a double click on a node: its fields are wanted. */
  onOpen?(key: string): void;
  /** `to` is to need `from`. Called only for what `connectProblem` (cycle.ts) does not refuse. */
  onConnect(from: string, to: string): void;
  /** `to` is no longer to need `from`. */
  onDisconnect(from: string, to: string): void;
  onDelete(key: string): void;
  isEditable: boolean;
  /** While a part is chosen: what is not in it is drawn faint. */
  chosenKeys?: ReadonlySet<string> | null;
  /** Who else looks at which node, by key; the same lists while nothing changed, since a new one draws its node again. */
  onlookers?: ReadonlyMap<string, readonly Onlooker[]>;
}
