/** Runs `npm run load -- <name>`: the measurements of docs/performance.md, each in its own process. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

const measurements: Record<string, string> = {
  send: 'durable send to receive, compared with raw inserts',
  encryption: 'keys, messages, pages, and an epoch for 1,000 devices, in Node [rounds]',
  sealed: 'sealed conversations: sending, opening, and epochs of a group of 500 with 1,000 devices [people, messages]',
  heldSnapshot: 'live delivery while a backup holds a snapshot, before and after [minutes, messages per second]',
  receipts: 'CPU time of a message to a group of 500, and of its readers',
  fanOut: 'gateway CPU time per delivery, compared with a bare ws broadcast',
  group: 'a message in a group of 500: from the commit to the last of 500 sockets',
  catchUp: 'catch-up of a device that missed 10,000 changes',
  connections: 'memory of 18,000 idle connections in one gateway',
  history: 'pages of a conversation with 2,000,000 messages',
  conversations: 'the conversation list of a user with 2,000 conversations',
  offlineStart: 'starting the app offline, from the device, 20 times',
  vitals: 'LCP, CLS, and INP of cold visits with a throttled network and CPU [visits]',
  lighthouse:
    'the four categories of Lighthouse 12 for landing, sign-in, chats, and a conversation [visits, folder for reports]',
  scroll: 'scrolling a conversation of 10,000 messages in Chromium: longest task, elements, jumps',
  search: 'searching 100,000 messages in Chromium: time to answer, index size, longest task of the page [messages]',
  joins:
    'joining a meeting until the first frame of the other participant, 50 joins in Chromium for each way, compared with LiveKit [joins, ways]',
  calls:
    'from a click on Answer to the first sound, directly and through a media node, 30 calls each in Chromium [calls]',
  frames: 'the cost to browsers of passing encoded frames through a worker [pairs]',
  resume: 'from the death of a media node to the next frame of the other participant, 5 kills in Chromium',
  sfu: 'CPU time of the media worker per forwarded packet, compared with a bare sendto',
  hundred:
    'a meeting of a hundred with cameras on, two of them in Chromium [people, frames per second, seconds, processes]',
  uploads: 'file uploads and downloads compared with a plain file server, and the memory of the gateway and files',
  export: 'an archive of an account: its duration, and the memory of files [messages, megabytes of files]',
  jobs: 'lateness of jobs, and 2,000 due at once, compared with bare BullMQ',
  posts: '2,000 scheduled posts due at one instant, and 10,000 in a minute, compared with bare BullMQ [pairs, minutes]',
  status: 'a status update of a user with 2,000 contacts: from the request to the last of their sockets [contacts]',
  entitlements: 'looking up plan limits: cached in the process, and fetched from billing [people]',
  notify: 'response time to payment gateways while notifications arrive all at once and are processed [number]',
  push: 'from the commit of a message to the receipt of a push service, 200 subscriptions [number]',
  idle: 'CPU time of every process of an idle stack, and its Postgres transactions',
  startTime: 'the second npm start, five times',
  k6: 'sign-in and chat scenarios with thresholds, by k6',
};

const [name = '', ...words] = process.argv.slice(2);
if (measurements[name] === undefined) {
  console.error('Usage: npm run load -- <name>, where <name> is one of');
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
