import { useQuery } from '@tanstack/react-query';
import { useText } from '../i18n/text.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import { addressesOne } from './completing.ts';
import type { ModeSpace } from './space-mode.ts';
import { composerText } from './text.ts';

/** Where a message would set nobody to work: that it would, and how to. */
export function useAddressHint(ws: string, space: ModeSpace, isOff: boolean, text: string): string | null {
  const t = useText(composerText);
  const agents = useQuery(agentsQuery(ws)).data?.items;
  if (isOff || agents === undefined || space.agents.length === 1 || text.trim() === '') return null;
  const names = agents.map(({ name }) => name);
  if (addressesOne(text, names)) return null;
  return space.agents.length === 0 ? t.noAgents : t.nobody;
}
