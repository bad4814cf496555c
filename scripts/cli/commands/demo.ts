import type { Command } from 'commander';
import { type Cli, onAction } from '../command.ts';

interface Options {
  json?: boolean;
  browser?: boolean;
  keep?: boolean;
  dir?: string;
}

export function addDemo(program: Command, cli: Cli): void {
  const command = program
    .command('demo')
    .description('the main job from start to end, on a repository and a model of its own')
    .option('--browser', 'give the goal and leave the rest to you, in a browser')
    .option('--keep', 'keep what it made')
    .option('--dir <dir>', 'a new or empty folder to make it in (default: a temporary one)');
  onAction<Options>(cli, command, async ({ terminal }, options) => {
    const given = { keep: options.keep ?? false, dir: options.dir ?? null, terminal };
    if (options.browser) {
      const { runBrowserDemo } = await import('../../demo/browser-demo.ts');
      return runBrowserDemo(given);
    }
    const { runDemo } = await import('../../demo/demo.ts');
    return runDemo(given);
  });
}
