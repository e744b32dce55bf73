import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { PushType } from '@nolo/rules';
import type { PushId, PushSubscriptionId, PushUrgency } from '../domain/push.ts';
import type { PushStore } from '../domain/pushPorts.ts';
import { pushQueue } from '../domain/queues.ts';
import { toPushSubscription, type PushSubscriptionRow } from './pushSubscriptionStore.ts';

interface PushRow {
  id: PushId;
  subscription_id: PushSubscriptionId;
  topic: string;
  type: PushType;
  body: Record<string, unknown>;
  urgency: PushUrgency;
  version: number;
  attempts: number;
  happened_at: Date;
  expires_at: Date;
}

export function createPushStore(db: Knex, jobs: Pick<JobScheduler, 'addAll'>): PushStore<Knex> {
  const pushes = (on: Knex = db) => on<PushRow>('pushes');
  return {
    add: (eventId, some, now) =>
      inTransaction(db, async (trx) => {
        const [fresh] = (await trx('pushed_events')
          .insert({ id: eventId, pushed_at: now })
          .onConflict('id')
          .ignore()
          .returning('id')) as { id: string }[];
        if (!fresh) return;
        const rows = some.map((push) => ({
          id: newId<PushId>(),
          subscription_id: push.subscriptionId,
          topic: push.topic,
          type: push.type,
          body: push.body,
          urgency: push.urgency,
          happened_at: push.happenedAt,
          expires_at: push.expiresAt,
        }));
        // Uses one statement, so it only writes for subscriptions that still exist.
        const { rows: written } = await trx.raw<{ rows: { id: PushId }[] }>(
          `insert into pushes (id, subscription_id, topic, type, body, urgency, happened_at, expires_at)
          select n.id, n.subscription_id, n.topic, n.type, n.body, n.urgency, n.happened_at, n.expires_at
          from jsonb_to_recordset(?::jsonb) as n(id uuid, subscription_id uuid, topic text, type text, body jsonb,
            urgency text, happened_at timestamptz, expires_at timestamptz)
          join push_subscriptions s on s.id = n.subscription_id
          order by n.subscription_id, n.topic
          on conflict (subscription_id, topic) do update set type = excluded.type, body = excluded.body,
            urgency = excluded.urgency, happened_at = excluded.happened_at, expires_at = excluded.expires_at,
            version = pushes.version + 1
          returning id`,
          [JSON.stringify(rows)],
        );
        await jobs.addAll(
          trx,
          pushQueue,
          written.map(({ id }) => ({ id, payload: { pushId: id } })),
        );
      }),

    async find(id) {
      const row = await pushes().where({ id }).first();
      const to =
        row && (await db<PushSubscriptionRow>('push_subscriptions').where({ id: row.subscription_id }).first());
      return (
        to && {
          id: row.id,
          subscriptionId: row.subscription_id,
          topic: row.topic,
          type: row.type,
          body: row.body,
          urgency: row.urgency,
          version: row.version,
          attempts: row.attempts,
          happenedAt: row.happened_at,
          expiresAt: row.expires_at,
          subscription: toPushSubscription(to),
        }
      );
    },

    end: ({ id, version }, finish) =>
      inTransaction(db, async (trx) => {
        const there = await pushes(trx).where({ id }).forUpdate().first('version');
        if (there && there.version !== version) return false;
        await pushes(trx).where({ id }).delete();
        await finish(trx);
        return true;
      }),

    async failed(id) {
      await pushes().where({ id }).increment('attempts', 1);
    },

    async sweep(before, limit) {
      const old = db('pushed_events').where('pushed_at', '<', before).limit(limit).select('id');
      return await db('pushed_events').whereIn('id', old).delete();
    },

    async count() {
      const [row] = await pushes().count<{ count: number }[]>('* as count');
      return Number(row?.count ?? 0);
    },
  };
}
