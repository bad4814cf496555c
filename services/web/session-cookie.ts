/** Not `Secure`: the server is on loopback and speaks plain HTTP. A cookie knows no port, so that its name has it. */
const ATTRIBUTES = 'HttpOnly; SameSite=Strict; Path=/';

export function cookieNameOf(port: number): string {
  return `cc_session_${port}`;
}

export function sessionCookie(name: string, token: string, lastsMs: number): string {
  return `${name}=${token}; ${ATTRIBUTES}; Max-Age=${Math.floor(lastsMs / 1_000)}`;
}

export function clearedCookie(name: string): string {
  return `${name}=; ${ATTRIBUTES}; Max-Age=0`;
}
