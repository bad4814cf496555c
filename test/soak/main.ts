import { parseArgs } from 'node:util';
import { soak } from './soak.ts';

/** `bun test/soak/main.ts [--minutes 30] [--agents 50] [--kill-every 40]`: ends with 1 when something does not hold. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    agents: { type: 'string', default: '50' },
    'kill-every': { type: 'string', default: '40' },
  },
});
const report = await soak({
  minutes: Number(values.minutes),
  agents: Number(values.agents),
  killEverySeconds: Number(values['kill-every']),
  say: (line) => {
    process.stderr.write(`${new Date().toISOString()} ${line}
`);
  },
});
console.log(JSON.stringify(report, null, 2));
process.exit(report.findings.length === 0 ? 0 : 1);
