import { createHash } from 'node:crypto';
import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import type { GatewayId } from '@nolo/rules';
import type { RawNotification } from '../domain/gateway.ts';
import { workingNotifications } from '../domain/queues.ts';
import { listCursor } from './orderStore.ts';
import type { NotificationRow, NotificationState, Worked } from '../domain/records.ts';

/** Of all that came: what differs in a header, as a signature, may be genuine where the first was not. */
function digestOf({ body, headers, sourceAddress }: RawNotification): Buffer {
  const names = Object.keys(headers).sort();
  const hash = createHash('sha256').update(sourceAddress);
  for (const name of names) hash.update(`\n${name}: ${headers[name]}`);
  return hash.update('\n\n').update(body).digest();
}

/** What gateways sent, as it came: kept before anything of it is believed. */
export function createNotificationStore(db: Knex, jobs: Pick<Jobs, 'add' | 'retry'>) {
  return {
    /** Keeps it with its job; an exact repeat of one that is to be worked off is counted and not kept again. */
    store: (gateway: GatewayId, raw: RawNotification, now: Date): Promise<string> =>
      inTransaction(db, async (trx) => {
        const id = newId();
        const [row] = (await trx('notifications')
          .insert({
            id,
            gateway,
            digest: digestOf(raw),
            headers: JSON.stringify(raw.headers),
            body: Buffer.from(raw.body),
            source_address: raw.sourceAddress,
            received_at: now,
          })
          .onConflict(['gateway', 'digest'])
          .merge({ times: trx.raw('notifications.times + 1') })
          .returning('id')) as { id: string }[];
        const kept = row?.id ?? id;
        if (kept === id) await jobs.add(trx, workingNotifications, { notificationId: id }, { id });
        return kept;
      }),

    /** For an attempt, which is counted. */
    async begin(id: string): Promise<NotificationRow | undefined> {
      const rows = (await db('notifications')
        .where({ id })
        .update({ attempts: db.raw('attempts + 1') })
        .returning('*')) as NotificationRow[];
      return rows[0];
    },

    async finish(id: string, { state, reason, eventId, orderId }: Worked, on: Knex = db): Promise<void> {
      await on('notifications')
        .where({ id })
        .update({ state, reason, event_id: eventId ?? null, order_id: orderId ?? null });
    },

    async get(id: string): Promise<NotificationRow | undefined> {
      return await db<NotificationRow>('notifications').where({ id }).first();
    },

    async list(state: string, cursor: string, limit: number): Promise<{ rows: NotificationRow[]; nextCursor: string }> {
      const query = db<NotificationRow>('notifications').orderBy([
        { column: 'received_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);
      if (state !== '') void query.where('state', state as NotificationState);
      const place = listCursor.read(cursor);
      if (place) void query.whereRaw('(received_at, id) < (?, ?)', [place.at, place.id]);
      const found = (await query.limit(limit + 1)) as NotificationRow[];
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const nextCursor = found.length > limit && last ? listCursor.write({ at: last.received_at, id: last.id }) : '';
      return { rows, nextCursor };
    },

    /** Worked off once more, whatever became of it; false where it is under way or waits for its time anyway. */
    again: (id: string): Promise<boolean> =>
      inTransaction(db, async (trx) => {
        await trx('notifications').where({ id }).update({ state: 'received', reason: '' });
        if (await jobs.retry(workingNotifications, id)) return true;
        await jobs.add(trx, workingNotifications, { notificationId: id }, { id });
        return true;
      }),

    /** Those that nobody has worked off, by state; and since when the oldest of them lies. */
    async open(): Promise<{ state: NotificationState; gateway: GatewayId; count: number; oldest: Date }[]> {
      return (await db('notifications')
        .whereIn('state', ['received', 'waiting', 'failed'])
        .groupBy('state', 'gateway')
        .select('state', 'gateway', db.raw('count(*)::int as count'), db.raw('min(received_at) as oldest'))) as {
        state: NotificationState;
        gateway: GatewayId;
        count: number;
        oldest: Date;
      }[];
    },
  };
}
