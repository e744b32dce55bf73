import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instanceOwner } from './instanceLock.ts';
import type { Options } from './options.ts';
import { projectRoot } from './paths.ts';
import { Refusal } from './refusal.ts';
import { serviceEnv, type Surroundings } from './serviceEnv.ts';

/** What the command line of identity reads, for as long as the instance runs. */
const fileOf = (home: string) => join(home, 'admin.json');
const variables = ['DATABASE_URL', 'REDIS_URL', 'REDIS_PREFIX', 'CODE_PEPPER'] as const;

/** Lets `npm run admin` reach this instance; the answer ends that. */
export function openAdmin(home: string, around: Surroundings): () => void {
  const env = serviceEnv('identity', around, { metricsPort: 0 });
  const kept = Object.fromEntries(variables.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  writeFileSync(fileOf(home), JSON.stringify(kept), { mode: 0o600 });
  return () => rmSync(fileOf(home), { force: true });
}

/** `npm run admin -- ...`: what operators of this machine's instance do at the command line. Answers with the exit code. */
export async function admin({ home, words }: Options): Promise<number> {
  let env: Record<string, string>;
  try {
    if (instanceOwner(home) === undefined) throw new Error('Nothing runs.');
    env = JSON.parse(readFileSync(fileOf(home), 'utf8')) as Record<string, string>;
  } catch {
    throw new Refusal(
      `Nothing runs in ${home}: start it with "npm start" first. In an image it is "node services/identity/src/admin.ts".`,
    );
  }
  const command = ['--no-warnings', join(projectRoot, 'services/identity/src/admin.ts'), ...words];
  const child = spawn(process.execPath, command, { env: { ...process.env, ...env }, stdio: 'inherit' });
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
