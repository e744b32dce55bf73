import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { PlanAccountStore, PlanAccount } from '../domain/ports.ts';
import { emptyPlanTimeline, type PlanTimeline } from '../domain/planTimeline.ts';

interface Row {
  timeline: PlanTimeline | null;
  time_zone: string | null;
  owner_id: UserId | null;
  owner_timeline: PlanTimeline | null;
  place: number;
}

interface UsingRow extends Row {
  counted: readonly { feature: string; period: string; amount: number }[] | null;
  kept: readonly { feature: string; amount: number }[] | null;
}

const columns = `a.timeline, a.time_zone, m.owner_id, o.timeline as owner_timeline,
  2 + (select count(*) from team_members e where e.owner_id = m.owner_id and e.state = 'member'
    and (e.joined_at, e.id) < (m.joined_at, m.id)) as place`;

const ofOne = `from (select ?::uuid as id) u
  left join accounts a on a.user_id = u.id
  left join team_members m on m.user_id = u.id and m.state = 'member'
  left join accounts o on o.user_id = m.owner_id`;

const use = `(select json_agg(json_build_object('feature', feature, 'period', period, 'amount', used + reserved))
    from usage where user_id = u.id and period = any(?::text[])) as counted,
  (select json_agg(json_build_object('feature', feature, 'amount', amount)) from levels where user_id = u.id) as kept`;

function accountFrom(userId: UserId, row: Row): PlanAccount {
  const { timeline, time_zone: timeZone, owner_id: ownerId, owner_timeline: team, place } = row;
  const seat = ownerId !== null && team !== null ? { ownerId, timeline: team, place } : undefined;
  return { userId, timeline: timeline ?? emptyPlanTimeline, timeZone: timeZone ?? 'UTC', seat };
}

/** Stores everything that determines access, read in one statement. */
export function createPlanAccountStore(db: Knex): PlanAccountStore {
  return {
    async read(userId) {
      const { rows } = (await db.raw(`select ${columns} ${ofOne}`, [userId])) as { rows: [Row] };
      return accountFrom(userId, rows[0]);
    },

    async readUsing(userId, months) {
      const { rows } = (await db.raw(`select ${columns}, ${use} ${ofOne}`, [[...months], userId])) as {
        rows: [UsingRow];
      };
      const [row] = rows;
      return { account: accountFrom(userId, row), counted: row.counted ?? [], kept: row.kept ?? [] };
    },

    async setTimeZone(userId, timeZone) {
      await db('accounts')
        .insert({ user_id: userId, timeline: JSON.stringify(emptyPlanTimeline), time_zone: timeZone })
        .onConflict('user_id')
        .merge(['time_zone'])
        .where('accounts.time_zone', '<>', timeZone);
    },

    async zonesOf(userIds) {
      const rows = await db<{ user_id: UserId; time_zone: string }>('accounts').whereIn('user_id', [...userIds]);
      return new Map(rows.map(({ user_id: userId, time_zone: zone }) => [userId, zone]));
    },
  };
}
