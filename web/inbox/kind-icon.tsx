import {
  CircleDollarSign,
  DoorOpen,
  MessageCircleQuestionMark,
  Network,
  OctagonAlert,
  ShieldQuestionMark,
  TriangleAlert,
  Workflow,
} from 'lucide-react';
import type { ItemKind } from './queue.ts';

const ICONS = {
  action: ShieldQuestionMark,
  question: MessageCircleQuestionMark,
  budget: CircleDollarSign,
  proposal: Network,
  plan: Workflow,
  planExit: DoorOpen,
  skillOverride: ShieldQuestionMark,
  failed: OctagonAlert,
  blocked: TriangleAlert,
} satisfies Record<ItemKind, typeof Network>;

export function KindIcon({ kind, size = 16 }: { kind: ItemKind; size?: number }) {
  const Icon = ICONS[kind];
  return <Icon size={size} aria-hidden />;
}
