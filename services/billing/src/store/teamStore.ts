import { inTransaction, type Knex } from '@nolo/kit/db';
import { idFromName, newId, type UserId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { TeamStore } from '../domain/ports.ts';
import { mailQueue } from '../domain/queues.ts';
import { emptyPlanTimeline, personalPlanAt, type PlanTimeline } from '../domain/planTimeline.ts';
import { createBillingError } from '../errors.ts';
import type { FactRecorder } from './recorder.ts';

interface SeatRow {
  id: string;
  owner_id: UserId;
  user_id: UserId;
  state: 'invited' | 'member';
  invited_at: Date;
  joined_at: Date | null;
}

const teamNotFound = () => createBillingError('not_found', 'team_not_found', 'This team does not exist.');
const seatNotFound = () => createBillingError('not_found', 'seat_not_found', 'This seat does not exist.');
const seatElsewhere = () =>
  createBillingError('conflict', 'seat_elsewhere', 'This person already has a seat in another team.');

/**
 * Stores the seats of Business plans, of which the owner has the first. Every change of a team locks its owner's
 * account.
 */
export function createTeamStore(
  db: Knex,
  jobs: Pick<JobScheduler, 'add'>,
  recorder: Pick<FactRecorder, 'publishEntitlementsChanged' | 'wake'>,
): TeamStore {
  /** Returns the current number of seats of a person's own plan. Locks the account until the transaction ends. */
  const hold = async (trx: Knex, ownerId: UserId, now: Date): Promise<number> => {
    const row = await trx<{ user_id: UserId; timeline: PlanTimeline }>('accounts')
      .where({ user_id: ownerId })
      .forUpdate()
      .first('timeline');
    const personalPlan = personalPlanAt(row?.timeline ?? emptyPlanTimeline, now.getTime());
    return personalPlan.plan === 'business' ? personalPlan.seats : 0;
  };
  const seatsOf = async (on: Knex, ownerId: UserId): Promise<SeatRow[]> =>
    await on<SeatRow>('team_members').where({ owner_id: ownerId }).orderBy(['invited_at', 'id']);
  const change = async (work: (trx: Knex) => Promise<void>): Promise<void> => {
    await inTransaction(db, work);
    recorder.wake();
  };
  const invite = async (trx: Knex, ownerId: UserId, userId: UserId, now: Date, seats: number): Promise<void> => {
    const taken = await seatsOf(trx, ownerId);
    if (userId === ownerId || taken.some(({ user_id: one }) => one === userId)) return;
    if (await trx('team_members').where({ user_id: userId, state: 'member' }).first('id')) throw seatElsewhere();
    if (taken.length + 1 >= seats) {
      throw createBillingError('conflict', 'seats_taken', 'All seats are taken.', { seats });
    }
    const row = { id: newId(), owner_id: ownerId, user_id: userId, state: 'invited', invited_at: now };
    await trx('team_members').insert(row);
    // A person who is invited repeatedly gets at most one email per day.
    const id = idFromName(`seat:${ownerId}:${userId}:${now.toISOString().slice(0, 10)}`);
    await jobs.add(trx, mailQueue, { userId, about: 'seat', from: ownerId }, { id });
  };
  const free = async (trx: Knex, ownerId: UserId, userId: UserId): Promise<void> => {
    const [gone] = (await trx('team_members')
      .where({ owner_id: ownerId, user_id: userId })
      .delete()
      .returning('state')) as { state: string }[];
    if (!gone) throw seatNotFound();
    if (gone.state === 'member') await recorder.publishEntitlementsChanged(trx, [userId]);
  };
  const mustHave = async (trx: Knex, ownerId: UserId, now: Date): Promise<number> => {
    const seats = await hold(trx, ownerId, now);
    if (seats > 0) return seats;
    const elsewhere = await trx('team_members').where({ user_id: ownerId, state: 'member' }).first('id');
    throw elsewhere
      ? createBillingError('forbidden', 'not_team_owner', 'Only the person who bought Business can do this.')
      : teamNotFound();
  };

  return {
    async ownersOf(userId) {
      const rows = await db<SeatRow>('team_members')
        .where({ user_id: userId })
        .orderByRaw(`state = 'member' desc, invited_at desc`)
        .select('owner_id', 'state');
      return rows.map(({ owner_id: ownerId, state }) => ({ ownerId, state }));
    },

    listSeats: async (ownerId) =>
      (await seatsOf(db, ownerId)).map(({ owner_id: owner, user_id: userId, state, invited_at, joined_at }) => ({
        ownerId: owner,
        userId,
        state,
        since: joined_at ?? invited_at,
      })),

    async countSeats(ownerId) {
      const [row] = await db('team_members').where({ owner_id: ownerId }).count('* as count');
      return Number(row?.['count'] ?? 0);
    },

    invite: (ownerId, userId, now) =>
      change(async (trx) => invite(trx, ownerId, userId, now, await mustHave(trx, ownerId, now))),

    accept: (ownerId, userId, now) =>
      change(async (trx) => {
        await hold(trx, ownerId, now);
        // The second of two concurrent acceptances by one person waits here and then sees the first.
        await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 1))', [userId]);
        const seat = await trx<SeatRow>('team_members').where({ owner_id: ownerId, user_id: userId }).first();
        if (!seat) throw seatNotFound();
        if (seat.state === 'member') return;
        if (await trx('team_members').where({ user_id: userId, state: 'member' }).first('id')) throw seatElsewhere();
        await trx('team_members').where({ id: seat.id }).update({ state: 'member', joined_at: now });
        await recorder.publishEntitlementsChanged(trx, [userId]);
      }),

    free: (ownerId, userId, now) =>
      change(async (trx) => {
        await hold(trx, ownerId, now);
        await free(trx, ownerId, userId);
      }),

    move: (ownerId, fromId, toId, now) =>
      change(async (trx) => {
        const seats = await mustHave(trx, ownerId, now);
        await free(trx, ownerId, fromId);
        await invite(trx, ownerId, toId, now, seats);
      }),

    /** Deletes an account's seats and its own team. */
    forget: (userId) =>
      change(async (trx) => {
        await recorder.publishEntitlementsChanged(trx, [userId]);
        await trx('team_members').where({ owner_id: userId }).orWhere({ user_id: userId }).delete();
      }),
  };
}
