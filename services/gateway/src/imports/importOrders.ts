import { randomUUID } from 'node:crypto';
import type { Redis } from '@nolo/kit/redis';
import { z } from 'zod';
import type { ImportOrder } from './ImportJob.ts';

/** For how long a client may take to open the socket. */
const waitingSeconds = 60;

const order = z.object({ userId: z.string(), url: z.string(), name: z.string(), kind: z.string() });

export interface ImportOrders {
  /** @returns the token, which is as good as the order: it cannot be guessed, and is good for one socket. */
  place(order: ImportOrder): Promise<string>;
  /** Undefined where there is none, or somebody took it. */
  take(token: string): Promise<ImportOrder | undefined>;
}

/** Imports that have not begun: whichever replica the socket leads to does the work. */
export function createImportOrders(redis: Redis): ImportOrders {
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
