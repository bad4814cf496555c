// One of the writers of database.test.ts: writes rows, reports each only after it was acknowledged, until killed.
import { Database } from './database.ts';

const [url, name] = process.argv.slice(2) as [string, string];
const database = await Database.open(url);
await Promise.all([0, 1, 2].map((lane) => writeForEver(lane)));

async function writeForEver(lane: number): Promise<void> {
  for (let i = 0; ; i++) {
    const value = `${name}-${lane}-${i}`;
    await database.write('hammer', [{ sql: 'INSERT INTO t (v) VALUES (?)', args: [value] }]);
    process.stdout.write(`${value}\n`);
    await Bun.sleep(Math.random() * 2);
  }
}
