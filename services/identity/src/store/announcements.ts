import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import { announcementLimits } from '@nolo/rules';
import type { Announcement, AnnouncementStore } from '../domain/announcements.ts';
import { findOperatorRefusal, recordOperatorAct } from './operators.ts';

/** Makes every gateway query again. A gateway that misses it queries within a minute. */
const changed = { subject: 'gateway.all.announcements', payload: {} };

const columns = {
  id: 'id',
  texts: 'texts',
  severity: 'severity',
  createdAt: 'created_at',
  until: 'until',
  endedAt: 'ended_at',
} as const;

/** @param wake called after a commit that wrote to the outbox */
export function createAnnouncementStore(db: Knex, wake: () => void): AnnouncementStore {
  const current = (trx: Knex, now: Date): Promise<Announcement[]> =>
    trx('bulletins')
      .whereNull('ended_at')
      .where('until', '>', now)
      .orderBy(['created_at', 'id'])
      .limit(announcementLimits.atOnce)
      .select(columns);

  return {
    current: (now) => current(db, now),

    list: (acting, { before, limit }, now) =>
      inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        const page = trx('bulletins')
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(limit);
        if (before) void page.whereRaw('(created_at, id) < (?, ?::uuid)', [before.createdAt, before.id]);
        return { outcome: 'listed' as const, announcements: (await page.select(columns)) as Announcement[] };
      }),

    async make(acting, { texts, severity, until }, now) {
      const made = await inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        // Serializes announcements, so a concurrent one counts earlier ones.
        await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 4))', ['bulletins']);
        if ((await current(trx, now)).length >= announcementLimits.atOnce) return { outcome: 'too_many' as const };
        const announcement: Announcement = { id: newId(), texts, severity, createdAt: now, until, endedAt: null };
        const row = { id: announcement.id, texts: JSON.stringify(texts), severity, created_at: now, until };
        await trx('bulletins').insert(row);
        await enqueue(trx, changed);
        const details = {
          announcement: announcement.id,
          severity,
          until: until.toISOString(),
          languages: languagesOf(texts),
        };
        await recordOperatorAct(trx, { acting, action: 'announcement_made', userId: null, details, now });
        return { outcome: 'made' as const, announcement };
      });
      if (made.outcome === 'made') wake();
      return made;
    },

    async end(acting, id, now) {
      const ended = await inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        const [announcement]: Announcement[] = await trx('bulletins')
          .where({ id })
          .whereNull('ended_at')
          .where('until', '>', now)
          .update({ ended_at: now })
          .returning(Object.entries(columns).map(([name, column]) => `${column} as ${name}`));
        if (!announcement) return { outcome: 'none' as const };
        await enqueue(trx, changed);
        const details = { announcement: id };
        await recordOperatorAct(trx, { acting, action: 'announcement_ended', userId: null, details, now });
        return { outcome: 'ended' as const, announcement };
      });
      if (ended.outcome === 'ended') wake();
      return ended;
    },
  };
}

const languagesOf = (texts: Announcement['texts']): string => Object.keys(texts).toSorted().join(' ');
