import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'nolo-voice-';
/** No job lives as long as this, so nobody works in a folder that is older. */
const leftOverAfterMs = 10 * 60_000;

/** Gives the work a folder that only this account may look into, named after this process, and removes it whatever happens. */
export async function inJobFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes what a service left that was killed together with its workers, as with its container or its machine. */
export async function removeLeftFolders(): Promise<number> {
  let removed = 0;
  // The file system's own clock wrote the times, and is what they are held against.
  const { mtimeMs: now } = await inJobFolder((folder) => stat(folder));
  for (const entry of await readdir(tmpdir())) {
    if (!entry.startsWith(prefix)) continue;
    const folder = join(tmpdir(), entry);
    const made = (await stat(folder).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (now - made < leftOverAfterMs) continue;
    // Somebody else's, on a machine that several share, is theirs to remove.
    const gone = await rm(folder, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
    if (gone) removed += 1;
  }
  return removed;
}
