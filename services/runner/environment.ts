/** Every process the runner starts carries it, so that it is found again after its server has died. */
export const MARKER = 'CONTROL_CENTER_PROCESS';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The environment of the runner's own git calls: no user or system settings, no prompt, no editor, no pager. */
export function gitEnvironment(marker: string): Record<string, string> {
  return {
    PATH,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_EDITOR: 'true',
    GIT_PAGER: 'cat',
    [MARKER]: marker,
  };
}

/** The environment of a command: nothing of the server's, and `toolDir` with `bun` first on the path. */
export function commandEnvironment(i: {
  home: string;
  temp: string;
  toolDir: string;
  marker: string;
}): Record<string, string> {
  return {
    PATH: `${i.toolDir}:${PATH}`,
    HOME: i.home,
    TMPDIR: i.temp,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    SHELL: '/bin/bash',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    [MARKER]: i.marker,
  };
}
