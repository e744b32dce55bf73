/** Runs `npm run chaos -- <name>`: the trials of docs/faults.md, each in its own process. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

const trials: Record<string, string> = {
  badges: 'unread counts on three devices of one account during faults [rounds, seed]',
  deployment: 'sealed messages through a running deployment that you break yourself [address, seconds, people]',
  messages: 'a million acknowledged messages while services, stores, and connections break',
  payments: 'payments and usage while billing and its workers are killed [kills, seed, maximum minutes]',
  posts: 'scheduled posts while their workers are killed [kills, seed]',
  prove: 'small injected bugs, each of which must be found [some names]',
  reconnectStorm: 'a thousand clients that repeatedly lose their connection for two seconds',
  tabs: 'browsers that break in sealed conversations [kills, seed, --only scenario]',
  rollingRestart: 'gateways restarted one by one under a thousand clients',
};

const [name = '', ...words] = process.argv.slice(2);
if (trials[name] === undefined) {
  console.error('Usage: npm run chaos -- <name>, where <name> is one of');
  for (const [one, what] of Object.entries(trials)) console.error(`  ${one.padEnd(16)} ${what}`);
  process.exit(2);
}
// If this process dies, the closing channel makes the trial take its stack down.
const child = spawn(process.execPath, ['--no-warnings', join(projectRoot, `tests/chaos/${name}.ts`), ...words], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
// A terminal's Ctrl-C reaches the trial directly. This process waits for its stack to come down.
process.on('SIGINT', () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
