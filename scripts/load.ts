/** Runs `npm run load -- <name>`: the measurements of docs/performance.md, each in its own process. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

const measurements: Record<string, string> = {
  send: 'durable send to receive against raw inserts',
  heldSnapshot: 'live delivery while a backup holds a snapshot, before and after [minutes, messages a second]',
  receipts: 'CPU of a message to a group of 500, and of its readers',
  fanOut: 'CPU of the gateway per delivery against a bare ws broadcast',
  group: 'a message in a group of 500: from the commit to the last of 500 sockets',
  catchUp: 'a device that missed 10,000 changes comes back',
  connections: 'memory of idle connections, 18,000 in one gateway',
  history: 'pages of a conversation with 2,000,000 messages',
  conversations: 'the list of somebody with 2,000 conversations',
  offlineStart: 'the app opening from the device, without a network, 20 times',
  vitals: 'LCP, CLS and INP of cold visits on a throttled line and processor [visits]',
  lighthouse:
    'the four categories of Lighthouse 12 for landing, sign-in, chats and a conversation [visits, folder for reports]',
  scroll: 'a conversation of 10,000 messages scrolled in Chromium: longest task, elements, jumps',
  search: '100,000 messages searched in Chromium: answers, bytes of the index, longest task of the page [messages]',
  joins:
    'into a meeting to the first picture of the other one, 50 joins in Chromium by each way, beside LiveKit [joins, ways]',
  calls: 'click on Answer to the first sound, directly and through a media node, 30 calls each in Chromium [calls]',
  frames: 'what it costs browsers to lead encoded frames through a worker [pairs]',
  resume: 'death of a media node to the next picture of the other one, 5 kills in Chromium',
  sfu: 'CPU of the media worker per forwarded packet against a bare sendto',
  hundred:
    'a meeting of a hundred with cameras on, two of them in Chromium [people, pictures a second, seconds, processes]',
  uploads: 'files up and down against a plain file server, and the memory of the gateway and files',
  export: 'an archive of an account: how long it takes, and the memory of files [messages, megabytes of files]',
  jobs: 'lateness of jobs, and 2,000 due at once, against bare BullMQ',
  posts: '2,000 scheduled posts due at one instant, and 10,000 in a minute, against bare BullMQ [pairs, minutes]',
  status: 'a status update of somebody with 2,000 contacts: from the request to the last of their sockets [contacts]',
  entitlements: 'a service looks up what a plan allows: known in its process, and asked of billing [people]',
  notify: 'how soon gateways are answered, while notifications come at once and are worked off [number]',
  push: 'from the commit of a message to the receipt of a push service, 200 subscriptions [number]',
  idle: 'CPU of every process of a stack where nobody is, and transactions of Postgres',
  startTime: 'the second npm start, five times',
  k6: 'sign-in and chat scenarios with thresholds, by k6',
};

const [name = '', ...words] = process.argv.slice(2);
if (measurements[name] === undefined) {
  console.error('npm run load -- <name>, where the name is one of');
  for (const [one, what] of Object.entries(measurements)) console.error(`  ${one.padEnd(14)} ${what}`);
  process.exit(2);
}
// If this process dies, the closing channel makes the measurement take its stack down.
const child = spawn(process.execPath, ['--no-warnings', join(projectRoot, `tests/load/${name}.ts`), ...words], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
// A terminal's Ctrl-C reaches the measurement directly. This process waits for its stack to come down.
process.on('SIGINT', () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
