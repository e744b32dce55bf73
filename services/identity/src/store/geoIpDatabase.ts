import { readFile, stat } from 'node:fs/promises';
import type { Log } from '@nolo/kit/log';
import { networksOf } from '@nolo/kit/network';
import { isPublicAddress } from '@nolo/kit/publicAddress';
import type { LocateIpAddress } from '../domain/places.ts';
import { readGeoRecord } from '../domain/places.ts';

interface Places {
  placeOf: LocateIpAddress;
  /** Reloads the file if it has changed. If it is unreadable, keeps the previous data. */
  refresh(): Promise<void>;
}

/**
 * Loads a location database in MaxMind's format into memory.
 *
 * @throws with a sentence if it cannot be read
 */
export async function openGeoIpDatabase(file: string, log: Pick<Log, 'info' | 'warn'>): Promise<Places> {
  // Loaded only if a database is configured.
  const { Reader } = await import('mmdb-lib');
  const read = async () => {
    const { mtimeMs } = await stat(file);
    return { mtimeMs, reader: new Reader(await readFile(file)) };
  };
  let open = await read().catch((cause: unknown) => {
    throw new Error(`GEOIP_DATABASE_FILE: ${file} cannot be read as a location database.`, { cause });
  });
  return {
    placeOf(address) {
      // The gateway passes on the first 64 bits of IPv6 addresses.
      const text = (networksOf(address.trim())[0] ?? '').replace(/\/64$/, '');
      if (!isPublicAddress(text)) return undefined;
      try {
        return readGeoRecord(open.reader.get(text));
      } catch {
        // The database lacks this address family.
        return undefined;
      }
    },
    async refresh() {
      try {
        const { mtimeMs } = await stat(file);
        if (mtimeMs === open.mtimeMs) return;
        open = await read();
        log.info({}, 'location database reloaded');
      } catch (error) {
        log.warn({ err: error }, 'reloading the location database failed');
      }
    },
  };
}
