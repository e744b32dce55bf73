import { randomUUID } from 'node:crypto';
import type { Redis } from '@nolo/kit/redis';
import { z } from 'zod';
import type { FileImportRequest } from './FileImport.ts';

/** Time in which a client must open the socket. */
const waitingSeconds = 60;

const order = z.object({ userId: z.string(), url: z.string(), name: z.string(), kind: z.string() });

export interface PendingFileImportStore {
  /** @returns the token that stands for the order: unguessable and valid for one import */
  place(order: FileImportRequest): Promise<string>;
  /** Returns undefined if the order does not exist or has already been taken. */
  take(token: string): Promise<FileImportRequest | undefined>;
}

/** Stores imports that have not started. The replica that gets the socket does the work. */
export function createPendingFileImportStore(redis: Redis): PendingFileImportStore {
  const place = (token: string) => `import:${token}`;
  return {
    async place(placed) {
      const token = randomUUID();
      await redis.set(place(token), JSON.stringify(placed), 'EX', waitingSeconds);
      return token;
    },
    async take(token) {
      const found = await redis.getdel(place(token));
      return found === null ? undefined : order.parse(JSON.parse(found));
    },
  };
}
