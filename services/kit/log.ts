import pino from 'pino';

export type Log = pino.Logger;

/** Structured log on stderr; known secret fields are masked wherever they stand. */
export function createLog(level: string = 'info'): Log {
  const secrets = ['authorization', 'token', 'apiKey', 'x-api-key', 'cookie', 'password'];
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[redacted]',
      },
    },
    pino.destination(2),
  );
}

export const silentLog: Log = pino({ level: 'silent' });
