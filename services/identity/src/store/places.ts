import { readFile, stat } from 'node:fs/promises';
import type { Log } from '@nolo/kit/log';
import { networksOf } from '@nolo/kit/network';
import { isPublicAddress } from '@nolo/kit/publicAddress';
import type { PlaceOf } from '../domain/places.ts';
import { readPlace } from '../domain/places.ts';

interface Places {
  placeOf: PlaceOf;
  /** Reads the file again where it is another one; one that cannot be read leaves the one before. */
  refresh(): Promise<void>;
}

/**
 * Opens a database of places in the format of MaxMind, which is held in memory.
 *
 * @throws with a sentence where it cannot be read
 */
export async function openPlaces(file: string, log: Pick<Log, 'info' | 'warn'>): Promise<Places> {
  // Only who has a database loads what reads it.
  const { Reader } = await import('mmdb-lib');
  const read = async () => {
    const { mtimeMs } = await stat(file);
    return { mtimeMs, reader: new Reader(await readFile(file)) };
  };
  let open = await read().catch((cause: unknown) => {
    throw new Error(`GEOIP_DATABASE_FILE: ${file} cannot be read as a database of places.`, { cause });
  });
  return {
    placeOf(address) {
      // Of IPv6 the first 64 bits are what the gateway hands on.
      const text = (networksOf(address.trim())[0] ?? '').replace(/\/64$/, '');
      if (!isPublicAddress(text)) return undefined;
      try {
        return readPlace(open.reader.get(text));
      } catch {
        // Of a family of addresses that it does not have.
        return undefined;
      }
    },
    async refresh() {
      try {
        const { mtimeMs } = await stat(file);
        if (mtimeMs === open.mtimeMs) return;
        open = await read();
        log.info({}, 'the database of places was read again');
      } catch (error) {
        log.warn({ err: error }, 'the database of places could not be read again');
      }
    },
  };
}
