import type { Call } from '../reading/call.ts';
import type { Program } from './program.ts';

const NET = 'network_egress';

/** Programs that look at networks, fetch, or send mail. */
export const NETWORK_TOOLS: readonly Program[] = [
  {
    names: 'nmap',
    does: NET,
    options:
      'oN:write oX:write oG:write oS:write oA:write o:write script:launch script-args:text iL:read resume:write p:text',
    operands: 'text',
    singleDash: true,
  },
  {
    names: 'tcpdump tshark dumpcap',
    does: NET,
    options: 'z:shell w:write r:read F:read X:launch i:text c:text G:text W:text C:text s:text Z:text',
    operands: 'text',
  },
  {
    names: 'aria2c',
    does: `file_write ${NET}`,
    options:
      'd|dir:write o|out:write i|input-file:read l|log:write save-session:write conf-path:launch on-download-complete|on-bt-download-complete|on-download-error|on-download-pause|on-download-start|on-download-stop:starter',
    operands: 'text',
  },
  {
    names: 'mail mailx Mail sendmail msmtp telnet',
    does: NET,
    options:
      'exec:anything passwordeval:shell C:launch file:launch X:write q:read a:read r:text s:text c:text b:text',
    operands: 'text',
    read: readEscapes,
  },
];

/** Lines of their input that begin with a sign run commands. */
function readEscapes(call: Call): void {
  const { input } = call.facts;
  if (input.kind === 'runtime' || (input.kind === 'text' && /^\s*[~!]/m.test(input.text)))
    call.anything('may run commands of its input');
}
