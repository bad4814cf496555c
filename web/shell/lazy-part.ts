import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { withStyles } from './part-styles.ts';

/** A part of the app could not be fetched; it is gone after an update of the server, or the network is. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super('A part of the app could not be loaded.', { cause });
    this.name = 'PartMissing';
  }
}

/**
 * `lazy` with the part's styles, whose failure can be told from a fault of the part itself.
 * @param part the name of the module: `plan-screen`
 */
export function lazyPart<Props extends object>(
  part: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    withStyles(part, load).catch((error: unknown) => {
      throw new PartMissing(error);
    }),
  );
}
