import { inTransaction, type Knex } from '@nolo/kit/db';
import type { ReportId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import type { OperatorActor } from '../domain/operatorPorts.ts';
import type { ReportPicture } from '../domain/reportPicture.ts';
import type { Report, ReportNote, ReportStore } from '../domain/reportPorts.ts';
import { findOperatorRefusal, recordOperatorAct } from './operators.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

type Row = Omit<Report, 'notes' | 'hasPicture'>;
type NoteRow = ReportNote & { reportId: ReportId };

const columns = [
  'id',
  'at',
  'reporter_id as reporterId',
  'reported_id as reportedId',
  'kind',
  'target_id as targetId',
  'category',
  'note',
  'messages',
  'state',
  'outcome',
] as const;

async function withNotes(db: Knex, rows: readonly Row[]): Promise<Report[]> {
  const notes: NoteRow[] = await db('report_notes')
    .whereIn(
      'report_id',
      rows.map(({ id }) => id),
    )
    .orderBy('at')
    .select('report_id as reportId', 'at', 'operator_id as operatorId', 'text');
  const pictured = new Set<ReportId>(
    await db('report_pictures')
      .whereIn(
        'report_id',
        rows.map(({ id }) => id),
      )
      .pluck('report_id'),
  );
  const of = Map.groupBy(notes, ({ reportId }) => reportId);
  return rows.map((row) => ({
    ...row,
    hasPicture: pictured.has(row.id),
    notes: (of.get(row.id) ?? []).map(({ at, operatorId, text }) => ({ at, operatorId, text })),
  }));
}

/** Placeholder ID that marks a view of an empty list. */
const noReport = '00000000-0000-0000-0000-000000000000';

/**
 * Returns true if the list contains something that the operator has not read in the last minutes, and marks it as read.
 */
async function isFirstRead(trx: Knex, acting: OperatorActor, rows: readonly Row[], now: Date): Promise<boolean> {
  if (acting === 'command line') return true;
  const since = new Date(now.getTime() - limits.reportLookMinutes * minuteMs);
  const own = () => trx('report_looks').where({ operator_id: acting.userId });
  const ids: readonly string[] = rows.length > 0 ? rows.map(({ id }) => id) : [noReport];
  await own().where('at', '<=', since).delete();
  const fresh: unknown[] = await trx('report_looks')
    .insert(ids.map((id) => ({ operator_id: acting.userId, report_id: id, at: now })))
    .onConflict(['operator_id', 'report_id'])
    .ignore()
    .returning('report_id');
  return fresh.length > 0;
}

export function createReportStore(db: Knex): ReportStore {
  return {
    async add({ reporterId, reportedId, targetId, messages, picture, ...report }) {
      const people = reportedId === null ? [reporterId] : [reporterId, reportedId];
      return inTransaction(db, async (trx) => {
        const there: unknown[] = await trx('users').whereIn('id', people).forKeyShare().select('id');
        if (there.length < new Set(people).size) return false;
        await trx('reports').insert({
          ...report,
          reporter_id: reporterId,
          reported_id: reportedId,
          target_id: targetId,
          messages: JSON.stringify(messages),
        });
        if (picture) await trx('report_pictures').insert({ report_id: report.id, ...picture });
        return true;
      });
    },

    list: (acting, { state, before, limit }, now) =>
      inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        const page = trx('reports').orderBy('id', 'desc').limit(limit);
        if (state !== undefined) void page.where({ state });
        if (before !== undefined) void page.where('id', '<', before);
        const rows: Row[] = await page.select(...columns);
        const reports = await withNotes(trx, rows);
        // Listing reports shows what people submitted, so it is recorded; repeated views are recorded once.
        const details = { state: state ?? 'all', reports: reports.length };
        if (await isFirstRead(trx, acting, rows, now)) {
          await recordOperatorAct(trx, { acting, action: 'reports_read', userId: null, details, now });
        }
        return { outcome: 'listed' as const, reports };
      }),

    change: (acting, id, { state, outcome, note }, now) =>
      inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        const closed = { state, outcome, closed_at: state === 'closed' ? now : null };
        const [row]: Row[] = await trx('reports')
          .where({ id })
          .update(closed, [...columns]);
        if (!row) return { outcome: 'unknown' as const };
        const operatorId = acting === 'command line' ? null : acting.userId;
        await trx('report_notes').insert({ report_id: id, at: now, operator_id: operatorId, text: note });
        const [report] = await withNotes(trx, [row]);
        const details = { report: id, state, ...(outcome !== null && { outcome }) };
        await recordOperatorAct(trx, { acting, action: 'report_changed', userId: row.reportedId, details, now });
        return report ? { outcome: 'changed' as const, report } : { outcome: 'unknown' as const };
      }),

    picture: (acting, id, now) =>
      inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        const picture: ReportPicture | undefined = await trx('report_pictures')
          .where({ report_id: id })
          .first('type', 'content');
        if (!picture) return { outcome: 'unknown' as const };
        const details = { report: id };
        await recordOperatorAct(trx, { acting, action: 'report_picture_seen', userId: null, details, now });
        return { outcome: 'shown' as const, picture };
      }),

    async sweep(now) {
      await db('reports')
        .where('closed_at', '<', new Date(now.getTime() - limits.reportKeptDays * dayMs))
        .delete();
    },
  };
}
