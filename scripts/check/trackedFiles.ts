import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { runTool } from './runTool.ts';

export interface TextFile {
  /** Path from the root of the checkout, with forward slashes. */
  path: string;
  text: string;
}

const binary = /\.(png|jpe?g|webp|gif|ico|woff2?|mp[34]|webm|ogg|pdf|zip|gz)$/i;

let files: Promise<TextFile[]> | undefined;

/** Returns every text file that git tracks or would add, read once per run. */
export function readTrackedFiles(): Promise<TextFile[]> {
  return (files ??= load());
}

/** Returns the paths of all files that git tracks or would add, pictures included. */
export async function listTrackedPaths(): Promise<Set<string>> {
  const listed = await runTool('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  if (listed.code !== 0) throw new Error(`git could not list the files: ${listed.output.trim()}`);
  return new Set(listed.stdout.split('\0').filter((path) => path !== ''));
}

async function load(): Promise<TextFile[]> {
  const paths = [...(await listTrackedPaths())].filter((path) => !binary.test(path));
  const found = await Promise.all(
    paths.map(async (path) => {
      // A file that was deleted but not yet staged is still listed.
      const text = await readFile(join(projectRoot, path), 'utf8').catch(() => undefined);
      return text === undefined ? [] : [{ path, text }];
    }),
  );
  return found.flat();
}
