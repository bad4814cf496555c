import { Fault } from '../kit/fault.ts';

const ID = '[A-Za-z0-9_-]{1,64}';
const STREAMS = `events|presence/stream|activities/stream|runs/${ID}/stream`;
/** Written in one way only, so that no other spelling of a path reaches another route. */
const PATH = new RegExp(`^/api/workspaces/${ID}/(${STREAMS})(?:\\?([^#\\s]*))?$`);

/** @throws Fault invalid_request for whatever is not the path of an event stream */
export function requireStreamPath(path: string): void {
  const [, stream, query = ''] = PATH.exec(path) ?? [];
  const goesOn = stream !== undefined && (stream !== 'events' || follows(query));
  if (goesOn) return;
  throw new Fault(
    'invalid_request',
    `${JSON.stringify(path.slice(0, 200))} is no stream. Open /api/workspaces/<id>/ with events?follow=1, presence/stream, activities/stream or runs/<id>/stream.`,
    { faults: [{ path: 'path', message: 'is not the path of a stream' }] },
  );
}

function follows(query: string): boolean {
  return (
    new URLSearchParams(query).getAll('follow').every((value) => value === '1') &&
    /(^|&)follow=1(&|$)/.test(query)
  );
}
