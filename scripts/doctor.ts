import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { findNats } from './backing/nats.ts';
import { findPostgresBinaries } from './backing/postgresBinaries.ts';
import { findRedis } from './backing/redis.ts';
import { findChromium } from './chromium.ts';
import { nonChromiumBrowsers } from './nonChromiumBrowsers.ts';
import { findInstanceOwner } from './instanceLock.ts';
import { findCompilers } from './mediaWorker/buildPackages.ts';
import { findMediaWorker } from './mediaWorker/provideMediaWorker.ts';
import { mediasoupFolder } from './mediaWorker/workerPlaces.ts';
import type { LauncherOptions } from './launcherOptions.ts';
import { getCacheFolder, findProgram, projectRoot } from './paths.ts';
import { findListenError } from './ports.ts';
import { CommandError, describeFailure } from './commandError.ts';
import { runCommand } from './runCommand.ts';
import type { SystemBrowser } from './systemBrowser.ts';

interface Finding {
  what: string;
  found: string;
  /** Severity: "no" prevents a start; "later" matters only to something else. */
  good: 'yes' | 'later' | 'no';
}

/** Runs `npm start -- doctor`, which reports on every requirement. Returns 0 if a start is possible. */
export async function runDoctor(options: LauncherOptions): Promise<number> {
  const findings = [
    ...(await tools()),
    ...(await backingServices()),
    mediaWorker(),
    browser(),
    ...nonChromiumBrowsers.map(engine),
    ...(await surroundings(options)),
  ];
  const symbols = { yes: '✓', later: '–', no: '✗' };
  for (const { what, found, good } of findings) {
    process.stdout.write(`${symbols[good]} ${what.padEnd(12)} ${found}\n`);
  }
  const missing = findings.filter((finding) => finding.good === 'no').map((finding) => finding.what);
  process.stdout.write(
    missing.length === 0
      ? '\nA start is possible.\n'
      : `\nA start is not possible because of: ${missing.join(', ')}.\n`,
  );
  return missing.length === 0 ? 0 : 1;
}

async function tools(): Promise<Finding[]> {
  const npm = findProgram('npm');
  const npmVersion = npm === undefined ? undefined : (await runCommand(npm, ['--version'])).output.trim();
  const git = findProgram('git');
  const bootstrap = process.env['NOLO_BOOTSTRAP_NODE'];
  return [
    { what: 'system', found: `${platform()} ${arch()}`, good: platform() === 'linux' ? 'yes' : 'no' },
    {
      what: 'Node',
      found: `${process.version} (${process.execPath})${bootstrap === undefined ? '' : `, started by ${bootstrap}`}`,
      good: 'yes',
    },
    { what: 'npm', found: npmVersion ?? 'not found', good: npm === undefined ? 'later' : 'yes' },
    { what: 'git', found: git ?? 'not found', good: git === undefined ? 'later' : 'yes' },
  ];
}

/** Reports on the media worker. Without it, the app starts, but calls and meetings do not work. */
function mediaWorker(): Finding {
  if (!existsSync(mediasoupFolder)) {
    return { what: 'media worker', found: 'mediasoup is not installed; npm start installs it', good: 'later' };
  }
  const found = findMediaWorker();
  if (found !== undefined) return { what: 'media worker', found, good: 'yes' };
  const compilers = findCompilers();
  if (compilers instanceof CommandError) return { what: 'media worker', found: compilers.message, good: 'later' };
  return {
    what: 'media worker',
    found: `not here yet; npm start downloads it, or builds it with ${compilers.cpp}, which takes a few minutes`,
    good: 'yes',
  };
}

async function backingServices(): Promise<Finding[]> {
  const canBring = findProgram('apt-get') !== undefined && findProgram('dpkg') !== undefined;
  function finding(what: string, address: string, found: string | undefined, bring: boolean): Finding {
    const given = process.env[address];
    if (given) return { what, found: `at the address in ${address}`, good: 'yes' };
    if (found !== undefined) return { what, found, good: 'yes' };
    return bring
      ? { what, found: 'not installed; npm start downloads it from the Debian packages', good: 'yes' }
      : { what, found: `not installed, and there is no apt-get to download it; ${address} may name one`, good: 'no' };
  }
  const postgres = (await findPostgresBinaries())[0];
  const redis = findRedis();
  const nats = findNats();
  return [
    finding(
      'Postgres',
      'DATABASE_URL',
      postgres && `${postgres.version}, ${postgres.origin} (${postgres.folder})`,
      false,
    ),
    finding('Redis', 'REDIS_URL', redis && `${redis.origin} (${redis.command})`, canBring),
    finding('NATS', 'NATS_URL', nats && `${nats.origin} (${nats.command})`, canBring),
  ];
}

function browser(): Finding {
  const chromium = findChromium();
  return {
    what: 'Chromium',
    found: chromium ?? 'not found; only npm test needs it',
    good: chromium === undefined ? 'later' : 'yes',
  };
}

/** Reports on a browser for some tests of npm test. They are skipped without it. */
function engine({ title, find, wayOut }: SystemBrowser<string>): Finding {
  try {
    const found = find();
    if (found !== undefined) return { what: title, found, good: 'yes' };
    return { what: title, found: `not found; only npm test needs it: ${wayOut}`, good: 'later' };
  } catch (error) {
    return { what: title, found: describeFailure(error), good: 'later' };
  }
}

async function surroundings(options: LauncherOptions): Promise<Finding[]> {
  const owner = findInstanceOwner(options.home);
  const busy = await findListenError(options.port, options.host);
  const built = existsSync(join(projectRoot, 'web/dist/index.html'));
  return [
    {
      what: 'port',
      found: `${options.host}:${String(options.port)} ${busy === undefined ? 'is free' : `cannot be used (${busy})`}${owner !== undefined && busy !== undefined ? ', perhaps because of the running instance' : ''}`,
      good: busy === undefined ? 'yes' : 'no',
    },
    {
      what: 'instance',
      found:
        owner === undefined
          ? `${options.home} is not in use`
          : `${options.home} is in use by ${owner.purpose} (process ${String(owner.pid)})`,
      good: owner === undefined ? 'yes' : 'no',
    },
    writable('state', options.home),
    writable('cache', getCacheFolder()),
    { what: 'web app', found: built ? 'built' : 'not built yet; npm start builds it', good: 'yes' },
  ];
}

function writable(what: string, folder: string): Finding {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return { what, found: folder, good: 'yes' };
  } catch (error) {
    return { what, found: `${folder} is not writable (${describeFailure(error).split('\n')[0] ?? ''})`, good: 'no' };
  }
}
