/**
 * First step of `npm start`, `npm stop`, `npm test` and `npm run check`. Plain JavaScript for Node 18, the most that a
 * fresh machine can be expected to have. It installs the dependencies, finds Node 24 among them, and hands over to the
 * launcher, main.ts.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const argv = process.argv.slice(2);

function refuse(sentence) {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) < 18) {
  refuse(`Nolo needs Node 20 or later to start, but this is ${process.version}. Install a newer Node (nodejs.org).`);
}
if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
  refuse(
    `Nolo runs on Linux on x64 or arm64, but this is ${process.platform} on ${process.arch}. Use such a machine; a virtual one or WSL will do.`,
  );
}

/** Returns the Node that runs everything else: the one in our dependencies, or this one if it is new enough. */
function findNode() {
  const ours = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin/node');
  if (existsSync(ours)) return ours;
  return Number(process.versions.node.split('.')[0]) >= 24 ? process.execPath : undefined;
}

// Stopping must work even if installing does not.
if (argv[0] !== 'stop' || findNode() === undefined) {
  const { installDependencies } = await import('./install.mjs');
  const problem = await installDependencies(root);
  // The doctor is for diagnosing problems, so it continues as far as possible.
  if (problem !== undefined) {
    const lookingAround = argv.includes('doctor') && findNode() !== undefined;
    if (lookingAround) process.stderr.write(`${problem}\n`);
    else refuse(problem);
  }
}

const node = findNode();
if (node === undefined) {
  refuse(
    `The dependencies were installed without node_modules/node-linux-${process.arch}. It is optional for npm, so check whether "omit" is set in your npm configuration.`,
  );
}

// Starts the launcher in its own session: a Ctrl-C in the terminal then reaches only this process, which passes it on
// once. The channel closes when this process is gone.
const child = spawn(node, ['--no-warnings', join(root, 'scripts/main.ts'), ...argv], {
  detached: true,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    ...process.env,
    NOLO_BOOTSTRAP_NODE: process.version,
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/nolo/compile'),
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.once('error', (error) => {
  refuse(
    `Node 24 (${node}) cannot run here (${error.message}). It needs a Linux with glibc, such as Debian or Ubuntu.`,
  );
});
child.once('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
  process.exit(128 + (numbers[signal] ?? 1));
});
