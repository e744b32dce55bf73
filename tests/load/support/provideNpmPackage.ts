import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getCacheFolder } from '../../../scripts/paths.ts';
import { printLine } from './measure.ts';

const run = promisify(execFile);
const timeoutMs = 600_000;

/**
 * Returns the folder of a package that only measurements need and that would make every installation of Nolo larger:
 * fetched from npm once, and stored in the cache folder.
 */
export async function provideNpmPackage(name: string, version: string): Promise<string> {
  const folder = join(getCacheFolder(), `${name}-${version}`);
  const found = join(folder, 'node_modules', name);
  if (existsSync(join(found, 'package.json'))) return found;
  printLine(`Fetching ${name} from npm, once.`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, `${name}@${version}`], { cwd: folder, timeout: timeoutMs });
  return found;
}
