/** Inner header of a request that came with a browser's cookie: the id of its session. The edge alone writes it. */
export const SESSION_HEADER = 'x-control-center-session';
