import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInstanceOwner } from './instanceLock.ts';
import type { LauncherOptions } from './launcherOptions.ts';
import { projectRoot } from './paths.ts';
import { CommandError } from './commandError.ts';
import { createServiceEnv, type InstanceSettings } from './serviceEnv.ts';

/** File that the command lines of identity and the gateway read while the instance runs. */
const fileOf = (home: string) => join(home, 'admin.json');
const variables = {
  identity: /^(DATABASE_URL|REDIS_URL|REDIS_PREFIX|CODE_PEPPER|NOLO_MODE|PUBLIC_URL|SMTP_URL)$/,
  gateway: /^(REDIS_URL|REDIS_PREFIX|RPC_SECRET|[A-Z_]+_ADDR)$/,
} as const;
type Place = keyof typeof variables;

/** Commands of the gateway; all others belong to identity. */
const atGateway: ReadonlySet<string> = new Set(['state', 'jobs', 'rooms']);

/** Makes this instance reachable for `npm run admin`. Returns a function that ends that. */
export function enableAdminCommands(home: string, around: InstanceSettings): () => void {
  const keptOf = (place: Place) => {
    const env = Object.entries(createServiceEnv(place, around, { metricsPort: 0 }));
    return Object.fromEntries(env.filter(([name, value]) => variables[place].test(name) && value !== ''));
  };
  const kept = { identity: keptOf('identity'), gateway: keptOf('gateway') };
  writeFileSync(fileOf(home), JSON.stringify(kept), { mode: 0o600 });
  return () => rmSync(fileOf(home), { force: true });
}

/** Runs `npm run admin -- ...`, the operator commands for this machine's instance. Returns the exit code. */
export async function runInstanceAdminCommand({ home, words }: LauncherOptions): Promise<number> {
  const place: Place = atGateway.has(words[0] ?? '') ? 'gateway' : 'identity';
  let env: Record<string, string>;
  try {
    if (findInstanceOwner(home) === undefined) throw new Error('Nothing runs.');
    env = (JSON.parse(readFileSync(fileOf(home), 'utf8')) as Record<Place, Record<string, string>>)[place];
  } catch {
    throw new CommandError(
      `Nothing is running in ${home}. Start Nolo with "npm start" first. In an image, the command is "node services/${place}/src/admin.ts".`,
    );
  }
  const command = ['--no-warnings', join(projectRoot, `services/${place}/src/admin.ts`), ...words];
  const child = spawn(process.execPath, command, { env: { ...process.env, ...env }, stdio: 'inherit' });
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
