import { ownerToken } from './server-process.ts';
import type { World } from './world.ts';

/** Follows the workspace's events as the owner, so that a person who may decide is connected. Ends with `leave`. */
export async function attend(world: World, ws: string): Promise<{ leave(): void }> {
  const gone = new AbortController();
  const response = await fetch(`${world.server.url}${ws}/events?follow=1&after=0`, {
    headers: { authorization: `Bearer ${ownerToken(world.stage.dataDir)}` },
    signal: gone.signal,
  });
  if (!response.ok || !response.body) throw new Error(`the event stream answered ${response.status}`);
  const reader = response.body.getReader();
  await reader.read();
  void drain(reader);
  return { leave: () => gone.abort() };
}

async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The server was killed or the reader left; either way nobody attends any more.
  }
}
