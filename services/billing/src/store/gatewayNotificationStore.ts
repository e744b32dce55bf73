import { createHash } from 'node:crypto';
import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { PaymentGatewayId } from '@nolo/rules';
import { newestFirstCursor, toPage } from '../domain/cursors.ts';
import type { RawNotification } from '../domain/gateway.ts';
import type { GatewayNotificationState, GatewayNotificationStore, StoredGatewayNotification } from '../domain/ports.ts';
import { gatewayNotificationQueue } from '../domain/queues.ts';

interface NotificationRow {
  id: string;
  gateway: PaymentGatewayId;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  source_address: string;
  received_at: Date;
  state: GatewayNotificationState;
  reason: string;
  order_id: string | null;
  attempts: number;
}

const notificationFrom = (row: NotificationRow): StoredGatewayNotification => ({
  id: row.id,
  gateway: row.gateway,
  raw: { body: row.body, headers: row.headers, sourceAddress: row.source_address },
  receivedAt: row.received_at,
  state: row.state,
  reason: row.reason,
  orderId: row.order_id,
  attempts: row.attempts,
});

/**
 * Returns a digest of the whole notification. One that differs in a header, such as the signature, may be genuine
 * although the first was not.
 */
function digestOf({ body, headers, sourceAddress }: RawNotification): Buffer {
  const names = Object.keys(headers).sort();
  const hash = createHash('sha256').update(sourceAddress);
  for (const name of names) hash.update(`\n${name}: ${headers[name]}`);
  return hash.update('\n\n').update(body).digest();
}

/** Stores notifications unchanged before they are verified. */
export function createGatewayNotificationStore(
  db: Knex,
  jobs: Pick<JobScheduler, 'add' | 'retry'>,
): GatewayNotificationStore<Knex> {
  const get: GatewayNotificationStore['get'] = async (id) => {
    const row = await db<NotificationRow>('notifications').where({ id }).first();
    return row && notificationFrom(row);
  };

  return {
    get,

    async store(gateway, raw, now) {
      const digest = digestOf(raw);
      // Counts a repeat without a transaction, in case of many.
      const countRepeat = async () => {
        const [row] = (await db('notifications')
          .where({ gateway, digest })
          .update({ times: db.raw('times + 1') })
          .returning('id')) as { id: string }[];
        return row?.id;
      };
      const before = await countRepeat();
      if (before !== undefined) return before;
      const id = newId();
      const isKept = await inTransaction(db, async (trx) => {
        const row = { id, gateway, digest, headers: JSON.stringify(raw.headers), body: Buffer.from(raw.body) };
        const added = await trx('notifications')
          .insert({ ...row, source_address: raw.sourceAddress, received_at: now })
          .onConflict(['gateway', 'digest'])
          .ignore()
          .returning('id');
        if (added.length > 0) await jobs.add(trx, gatewayNotificationQueue, { notificationId: id }, { id });
        return added.length > 0;
      });
      return isKept ? id : ((await countRepeat()) ?? id);
    },

    async begin(id) {
      const [row] = (await db('notifications')
        .where({ id })
        .update({ attempts: db.raw('attempts + 1') })
        .returning('*')) as NotificationRow[];
      return row && notificationFrom(row);
    },

    settle: (id, { state, reason, eventId, orderId }, finish) =>
      inTransaction(db, async (trx) => {
        await trx('notifications')
          .where({ id })
          .update({ state, reason, event_id: eventId ?? null, order_id: orderId ?? null });
        await finish?.(trx);
      }),

    async list(state, cursor, limit) {
      const query = db<NotificationRow>('notifications').orderBy([
        { column: 'received_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);
      if (state) void query.where('state', state as GatewayNotificationState);
      const place = newestFirstCursor.read(cursor);
      if (place) void query.whereRaw('(received_at, id) < (?, ?)', [place.at, place.id]);
      const found = ((await query.limit(limit + 1)) as NotificationRow[]).map(notificationFrom);
      return toPage(found, limit, ({ receivedAt }) => receivedAt);
    },

    async retry(id) {
      await inTransaction(db, async (trx) => {
        await trx('notifications').where({ id }).update({ state: 'received', reason: '' });
        // A job in progress or waiting already exists and stays.
        await jobs.add(trx, gatewayNotificationQueue, { notificationId: id }, { id });
      });
      await jobs.retry(gatewayNotificationQueue, id);
    },

    async open() {
      return (await db('notifications')
        .whereIn('state', ['received', 'waiting', 'failed'])
        .groupBy('state', 'gateway')
        .select('state', 'gateway', db.raw('count(*)::int as count'), db.raw('min(received_at) as oldest'))) as {
        state: GatewayNotificationState;
        gateway: PaymentGatewayId;
        count: number;
        oldest: Date;
      }[];
    },
  };
}
