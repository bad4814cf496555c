import type { MAX_ATTACHMENTS } from '../../services/spaces/attachments/limits.ts';

/** As the server has them; a test compares. */
export const MOST_BYTES = 5 << 20;
export const MOST_FILES: typeof MAX_ATTACHMENTS = 20;
