import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mount = (folder: string, size: string) =>
  spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${size},mode=711`, 'tmpfs', folder]).status === 0;
const unmount = (folder: string) => spawnSync('/bin/umount', ['--lazy', folder]);

/** Disk that a test can fill to the last byte. */
export interface SmallDisk {
  fill(): void;
  free(): void;
  remove(): void;
}

/** Returns true if this process may mount one; only root may, and not in every container. */
export function canMountDisks(): boolean {
  if (process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'nolo-mount-'));
  const mounted = mount(folder, '64k');
  if (mounted) unmount(folder);
  rmSync(folder, { recursive: true, force: true });
  return mounted;
}

/** Mounts a disk at a folder, and makes `owner` its owner. */
export function mountSmallDisk(folder: string, size: string, owner?: { uid: number; gid: number }): SmallDisk {
  mkdirSync(folder, { recursive: true });
  if (!mount(folder, size)) throw new Error(`${folder} could not be mounted.`);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const ballast = join(folder, 'ballast');
  return {
    fill() {
      for (const bytes of [65_536, 4_096, 1]) {
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(bytes));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => void unmount(folder),
  };
}
