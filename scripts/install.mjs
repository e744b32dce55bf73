/** Installs the packages in package-lock.json. Plain JavaScript because it runs before anything is installed. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const networkTrouble =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network (?:request|timeout)/i;
// npm ci requires entries for the packages of other platforms. A lock file created against a registry without them has
// none.
const lockTrouble = /EUSAGE|EBADPLATFORM|ETARGET|E404|in sync|Missing: /;

/**
 * Installs the dependencies unless they match the lock file.
 * @param {string} root
 * @returns {Promise<string | undefined>} an error message if that failed
 */
export async function installDependencies(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex');
  const stamp = join(root, 'node_modules/.nolo-install');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined;
  if (!isComplete(root, JSON.parse(lock.toString()))) {
    const problem = await install(root);
    if (problem !== undefined) return problem;
  }
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(stamp, wanted);
  return undefined;
}

/** Returns false if npm was run manually since the lock file changed. npm keeps a list of what it installed. */
function isComplete(root, lock) {
  let installed;
  try {
    installed = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages;
  } catch {
    return false;
  }
  return Object.entries(lock.packages ?? {}).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true || wanted.peer === true;
    return wanted.link === true || found.version === wanted.version;
  });
}

async function install(root) {
  process.stdout.write('  Installing dependencies (once; a minute or two).\n');
  const began = Date.now();
  // Detects a missing network early: npm would retry for minutes before reporting it. A registry without ping returns
  // an error, too, but not one about the network, which is all that matters here.
  let result = await npm(root, ['ping', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=20000']);
  if (!networkTrouble.test(result.output) && !result.missing) result = await npm(root, ['ci']);
  if (result.code !== 0 && lockTrouble.test(result.output) && !networkTrouble.test(result.output)) {
    result = await npm(root, ['install', '--no-save']);
  }
  if (result.missing) {
    return 'npm was not found. Install it (it comes with Node from nodejs.org, and as the package "npm" on Debian), and start again.';
  }
  if (result.code !== 0) {
    const said = result.output
      .split('\n')
      .map((line) => line.replace(/^npm (?:ERR!|error)\s*/i, '').trim())
      .filter((line) => line !== '' && !/^(?:code|errno|syscall|A complete log)/.test(line));
    return networkTrouble.test(result.output)
      ? `The dependencies could not be installed because npm could not reach its registry (${said[0] ?? 'no answer'}). Check the network or npm's proxy settings, and start again.`
      : `The dependencies could not be installed; npm said: ${said.slice(0, 3).join(' / ')}`;
  }
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  process.stdout.write(`✓ Dependencies installed (${seconds} s)\n`);
  return undefined;
}

/** Runs npm: the one that runs this process if any, otherwise the one in PATH. */
function npm(root, args) {
  const self = process.env.npm_execpath;
  const [command, first] =
    self !== undefined && existsSync(self) && self.endsWith('npm-cli.js') ? [process.execPath, [self]] : ['npm', []];
  return new Promise((resolve) => {
    const child = spawn(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const take = (chunk) => {
      output += chunk.toString();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    // Passes on Ctrl-C and similar signals to npm, then exits.
    const end = (signal) => {
      child.kill(signal);
      process.exit(130);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, end);
    const done = (result) => {
      for (const signal of signals) process.off(signal, end);
      resolve(result);
    };
    child.once('error', (error) => {
      done({ code: 127, output, missing: error.code === 'ENOENT' });
    });
    child.once('close', (code) => {
      done({ code: code ?? 1, output, missing: false });
    });
  });
}
