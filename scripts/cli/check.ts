export interface Check {
  name: string;
  ok: boolean;
  /** Whether the main job cannot work without it. */
  required: boolean;
  found: string;
  /** How to get it; null when it is there. */
  mend: string | null;
}
