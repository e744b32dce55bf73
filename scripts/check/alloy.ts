import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProgram, getCacheFolder, isExecutable } from '../paths.ts';
import { runCommand, type CommandResult } from '../runCommand.ts';

/** The model finder. Its version and hash are pinned so that the result of a check does not change overnight. */
const alloy = {
  version: '6.2.0',
  sha256: '6037cbeee0e8423c1c468447ed10f5fcf2f2743a2ffc39cb1c81f2905c0fdb9d',
};
const wantedJava = 17;
const minutes = 60_000;

/** Alloy, ready to run. */
export interface Alloy {
  version: string;
  /** Checks all commands of a model, and writes `receipt.json` into the output folder. Never throws. */
  execute: (model: string, output: string) => Promise<CommandResult>;
}

/** Reads the major version from what `java -version` prints. */
export function readJavaVersion(output: string): number | undefined {
  const version = /version "(?:1\.)?(\d+)/.exec(output)?.[1];
  return version === undefined ? undefined : Number(version);
}

/**
 * Returns Alloy, downloaded once into the cache folder, or why it is not available.
 *
 * @throws Error if the download is not the pinned program
 */
export async function provideAlloy(env: NodeJS.ProcessEnv = process.env): Promise<Alloy | { reason: string }> {
  const java = findJava(env);
  if (java === undefined) return { reason: 'Java was not found' };
  const { output } = await runCommand(java, ['-version'], { env });
  const version = readJavaVersion(output);
  if (version === undefined || version < wantedJava)
    return { reason: `Java ${version ?? 'of an unknown version'} is older than ${wantedJava}` };
  const jar = join(getCacheFolder(env), 'alloy', `alloy-${alloy.version}.jar`);
  if (!existsSync(jar)) {
    const reason = await download(jar, env);
    if (reason !== undefined) return { reason };
  }
  // Commands are short, so a JVM that compiles little and collects with one thread takes half the time.
  const flags = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Djava.awt.headless=true'];
  return {
    version: alloy.version,
    execute: (model, folder) =>
      runCommand(java, [...flags, '-jar', jar, 'exec', '-f', '-q', '-c', '*', '-t', 'none', '-o', folder, model], {
        env,
        timeoutMs: 5 * minutes,
      }),
  };
}

function findJava(env: NodeJS.ProcessEnv): string | undefined {
  const home = env['JAVA_HOME'] ? join(env['JAVA_HOME'], 'bin/java') : undefined;
  return home !== undefined && isExecutable(home) ? home : findProgram('java', env);
}

/** Stores the program, or returns why it could not be downloaded. */
async function download(jar: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const repository = (env['MAVEN_REPOSITORY_URL'] || 'https://repo1.maven.org/maven2').replace(/\/+$/, '');
  const name = 'org.alloytools.alloy.dist';
  const url = `${repository}/org/alloytools/${name}/${alloy.version}/${name}-${alloy.version}.jar`;
  let bytes: Uint8Array;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2 * minutes) });
    if (!response.ok) return `Alloy could not be downloaded: the repository answered ${response.status}`;
    bytes = await response.bytes();
  } catch (error) {
    return `Alloy could not be downloaded: ${error instanceof Error ? error.message : String(error)}`;
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== alloy.sha256) throw new Error(`${url} has SHA-256 ${sha256}, not ${alloy.sha256}.`);
  await mkdir(dirname(jar), { recursive: true });
  const unfinished = `${jar}.${process.pid}`;
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, jar);
  } finally {
    await rm(unfinished, { force: true });
  }
  return undefined;
}
