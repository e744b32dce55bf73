import { inTransaction, type Knex } from '@nolo/kit/db';
import type { ReportId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import type { Report, ReportNote, Reports } from '../domain/reportPorts.ts';
import { refuse, writeDeed } from './operators.ts';

const dayMs = 86_400_000;

type Row = Omit<Report, 'notes'>;
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
  const of = Map.groupBy(notes, ({ reportId }) => reportId);
  return rows.map((row) => ({
    ...row,
    notes: (of.get(row.id) ?? []).map(({ at, operatorId, text }) => ({ at, operatorId, text })),
  }));
}

export function createReports(db: Knex): Reports {
  return {
    async add({ reporterId, reportedId, targetId, messages, ...report }) {
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
        return true;
      });
    },

    list: (acting, { state, before, limit }, now) =>
      inTransaction(db, async (trx) => {
        const refused = await refuse(trx, acting, now);
        if (refused) return refused;
        const page = trx('reports').orderBy('id', 'desc').limit(limit);
        if (state !== undefined) void page.where({ state });
        if (before !== undefined) void page.where('id', '<', before);
        const rows: Row[] = await page.select(...columns);
        const reports = await withNotes(trx, rows);
        // What people handed over is read by whoever lists it.
        const details = { state: state ?? 'all', reports: reports.length };
        await writeDeed(trx, { acting, action: 'reports_read', userId: null, details, now });
        return { outcome: 'listed' as const, reports };
      }),

    change: (acting, id, { state, outcome, note }, now) =>
      inTransaction(db, async (trx) => {
        const refused = await refuse(trx, acting, now);
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
        await writeDeed(trx, { acting, action: 'report_changed', userId: row.reportedId, details, now });
        return report ? { outcome: 'changed' as const, report } : { outcome: 'unknown' as const };
      }),

    async sweep(now) {
      await db('reports')
        .where('closed_at', '<', new Date(now.getTime() - limits.reportKeptDays * dayMs))
        .delete();
    },
  };
}
