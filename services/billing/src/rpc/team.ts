import { parseActorId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { Seat, Team, TeamServiceDefinition } from '@nolo/proto/team';
import { monthIn } from '../domain/meters.ts';
import { activeGrants, personalPlanAt, planStandingAt, type PlanTimeline } from '../domain/planTimeline.ts';
import { createBillingError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { parseUserId } from './parse.ts';

type Handler<Name extends keyof (typeof TeamServiceDefinition)['methods']> = RpcHandler<
  (typeof TeamServiceDefinition)['methods'][Name]
>;

const notFound = () => createBillingError('not_found', 'team_not_found', 'This team does not exist.');

/** Returns the team as an invited person sees it before accepting: only the inviter. */
function offerOf(ownerId: UserId, userId: UserId, since: Date | undefined): Team {
  const unused = { transcriptionSeconds: 0, storageBytes: 0, scheduledPosts: 0 };
  const members = [
    { userId: ownerId, state: 'owner', since: undefined, ...unused },
    { userId, state: 'invited', since, ...unused },
  ];
  return { ownerId, seats: 0, members, periodEndsAt: undefined };
}

/** Returns the team as the viewer sees it: usage and device counts of each member are visible to the owner only. */
async function teamOf(dependencies: Dependencies, ownerId: UserId, viewerId: UserId): Promise<Team> {
  const { access, teams, clock } = dependencies;
  const now = clock.now();
  const { timeline } = await access.read(ownerId);
  const personalPlan = personalPlanAt(timeline, now.getTime());
  const rows = await teams.listSeats(ownerId);
  const isOwner = ownerId === viewerId;
  const own = rows.find(({ userId }) => userId === viewerId);
  if (!isOwner && own?.state !== 'member') return offerOf(ownerId, viewerId, own?.since);
  // An invited person has not agreed to anything yet.
  const agreed = [ownerId, ...rows.flatMap(({ userId, state }) => (state === 'member' ? [userId] : []))];
  const used = isOwner ? await usedBy(dependencies, agreed) : () => 0;
  const sessions = isOwner ? await dependencies.people.sessionsOf(agreed) : undefined;
  const seat = (userId: UserId, state: string, since: Date | undefined): Seat => ({
    userId,
    state,
    since,
    transcriptionSeconds: used(userId, 'transcriptionSeconds'),
    storageBytes: used(userId, 'storageBytes'),
    scheduledPosts: used(userId, 'scheduledPosts'),
    devices: sessions && agreed.includes(userId) ? (sessions.get(userId)?.devices ?? 0) : undefined,
    lastUsedOn: sessions?.get(userId)?.lastUsedOn,
  });
  const until = endOf(timeline, now);
  return {
    ownerId,
    seats: personalPlan.plan === 'business' ? personalPlan.seats : 0,
    members: [
      seat(ownerId, 'owner', beganAt(timeline, now)),
      ...rows.map((row) => seat(row.userId, row.state, row.since)),
    ],
    periodEndsAt: until,
  };
}

function endOf(timeline: PlanTimeline, now: Date): Date | undefined {
  const standing = planStandingAt(timeline, now.getTime());
  const ends = [standing?.period.until ?? 0, ...activeGrants(timeline, now.getTime()).map(({ until }) => until)];
  const last = Math.max(...ends);
  return last === 0 ? undefined : new Date(last);
}

function beganAt(timeline: PlanTimeline, now: Date): Date | undefined {
  const from = planStandingAt(timeline, now.getTime())?.period.from ?? activeGrants(timeline, now.getTime())[0]?.from;
  return from === undefined ? undefined : new Date(from);
}

async function usedBy({ access, meters, clock }: Dependencies, userIds: readonly UserId[]) {
  const zones = await access.zonesOf(userIds);
  const rows = await meters.usageOf(userIds, (userId) => monthIn(zones.get(userId) ?? 'UTC', clock.now()));
  const amounts = new Map(rows.map(({ userId, feature, amount }) => [`${userId} ${feature}`, amount]));
  return (userId: UserId, feature: string): number => amounts.get(`${userId} ${feature}`) ?? 0;
}

async function ownsTeam({ access, clock }: Dependencies, userId: UserId): Promise<boolean> {
  const { timeline } = await access.read(userId);
  return personalPlanAt(timeline, clock.now().getTime()).plan === 'business';
}

/**
 * Returns the team in which a person has or is offered a seat. Offers from a person they blocked, or who blocked them,
 * are omitted, as are all offers while identity is unavailable: plans are shown and changed without it.
 */
export async function findTeamOfMember({ people, teams }: Dependencies, userId: UserId) {
  for (const one of await teams.ownersOf(userId)) {
    if (one.state === 'member' || !(await people.hasBlock(one.ownerId, userId).catch(() => true))) return one;
  }
  return undefined;
}

export function getTeam(dependencies: Dependencies): Handler<'getTeam'> {
  return async ({ actorId }) => {
    const userId = parseActorId(actorId);
    if (await ownsTeam(dependencies, userId)) return await teamOf(dependencies, userId, userId);
    const team = await findTeamOfMember(dependencies, userId);
    if (team === undefined) throw notFound();
    return await teamOf(dependencies, team.ownerId, userId);
  };
}

/**
 * Checks that a person can be invited. A block in either direction looks like a nonexistent person.
 *
 * @throws AppError user_not_found
 */
async function mustBeInvitable({ people }: Dependencies, ownerId: UserId, userId: UserId): Promise<void> {
  if ((await people.find(userId)) && !(await people.hasBlock(ownerId, userId))) return;
  throw createBillingError('not_found', 'user_not_found', 'This account does not exist.');
}

export function inviteToSeat(dependencies: Dependencies): Handler<'inviteToSeat'> {
  return async (request) => {
    const [ownerId, userId] = [parseActorId(request.actorId), parseUserId(request.userId)];
    await mustBeInvitable(dependencies, ownerId, userId);
    await dependencies.teams.invite(ownerId, userId, dependencies.clock.now());
    return await teamOf(dependencies, ownerId, ownerId);
  };
}

export function acceptSeat(dependencies: Dependencies): Handler<'acceptSeat'> {
  return async (request) => {
    const [userId, ownerId] = [parseActorId(request.actorId), parseUserId(request.userId)];
    await dependencies.teams.accept(ownerId, userId, dependencies.clock.now());
    return await teamOf(dependencies, ownerId, userId);
  };
}

export function freeSeat(dependencies: Dependencies): Handler<'freeSeat'> {
  return async (request) => {
    const [actorId, userId] = [parseActorId(request.actorId), parseUserId(request.userId)];
    const { teams, clock } = dependencies;
    if (actorId !== userId) {
      if (!(await ownsTeam(dependencies, actorId)) && (await teams.countSeats(actorId)) === 0) {
        throw createBillingError('forbidden', 'not_team_owner', 'Only the person who bought Business can do this.');
      }
      await teams.free(actorId, userId, clock.now());
      return await teamOf(dependencies, actorId, actorId);
    }
    const team = await findTeamOfMember(dependencies, userId);
    if (team === undefined) throw createBillingError('not_found', 'seat_not_found', 'This seat does not exist.');
    const { ownerId } = team;
    await teams.free(ownerId, userId, clock.now());
    // A person who left sees only that.
    return { ownerId, seats: 0, members: [], periodEndsAt: undefined };
  };
}

export function moveSeat(dependencies: Dependencies): Handler<'moveSeat'> {
  return async ({ actorId, fromUserId, toUserId }) => {
    const ownerId = parseActorId(actorId);
    const [fromId, toId] = [parseUserId(fromUserId), parseUserId(toUserId)];
    if ((await dependencies.teams.countSeats(ownerId)) === 0) throw notFound();
    await mustBeInvitable(dependencies, ownerId, toId);
    await dependencies.teams.move(ownerId, fromId, toId, dependencies.clock.now());
    return await teamOf(dependencies, ownerId, ownerId);
  };
}
