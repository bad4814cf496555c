import { Fault } from '../kit/fault.ts';

/** Also for an id of another workspace: its row is in another database, so it does not exist here. */
export function notFound(noun: string, id: string): Fault {
  return new Fault('not_found', `There is no ${noun} ${JSON.stringify(id)} in this workspace.`, { noun, id });
}

export function found<Row>(row: Row | null | undefined, noun: string, id: string): Row {
  if (row === null || row === undefined) throw notFound(noun, id);
  return row;
}
