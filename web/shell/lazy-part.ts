import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A part of the app could not be fetched; it is gone after an update of the server, or the network is. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super('A part of the app could not be loaded.', { cause });
    this.name = 'PartMissing';
  }
}

/** `lazy` whose failure can be told from a fault of the part itself. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().catch((error: unknown) => {
      throw new PartMissing(error);
    }),
  );
}
