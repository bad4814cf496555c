import { readFileSync } from 'node:fs';

/** Clock ticks a second in which Linux counts a process's time. */
const TICKS = 100;

/** Time on a processor since the process began, microseconds. */
export function cpuMicrosOf(pid: number): number {
  // The name of the program, in brackets, may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / TICKS;
}

export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
