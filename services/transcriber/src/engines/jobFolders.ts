import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'nolo-voice-';
/** Age from which folders are abandoned. Exceeds the duration of any job. */
const leftOverAfterMs = 10 * 60_000;

/**
 * Runs work in a folder that only this account can read and that is named after this process. Always removes the
 * folder.
 */
export async function withJobFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes folders of a service that was killed together with its workers, as with its container or machine. */
export async function removeAbandonedJobFolders(): Promise<number> {
  let removed = 0;
  // Compares with the file system's own clock, which wrote the times.
  const { mtimeMs: now } = await withJobFolder((folder) => stat(folder));
  for (const entry of await readdir(tmpdir())) {
    if (!entry.startsWith(prefix)) continue;
    const folder = join(tmpdir(), entry);
    const made = (await stat(folder).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (now - made < leftOverAfterMs) continue;
    // Folders of other accounts on a shared machine are left to their owners.
    const gone = await rm(folder, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
    if (gone) removed += 1;
  }
  return removed;
}
