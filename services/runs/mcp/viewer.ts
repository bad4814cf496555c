/** Says that a person looks on and changes nothing; the edge alone sets it, from the person's role. */
export const VIEWER_HEADER = 'x-control-center-viewer';
