/** The host by which links to sign in name this server, beside 127.0.0.1 and localhost. */
export const BROWSER_HOST = 'control-center.localhost';
