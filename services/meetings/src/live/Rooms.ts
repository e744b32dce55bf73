import type { Clock } from '@nolo/kit/clock';
import type { CallId, MeetingId, NodeId, ParticipantId, RoomId, UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { hasNotBegun, limits, nextHost, type MeetingAllowance, type ParticipantRole } from '@nolo/rules';
import { announceChange, meetingStateData, toOne, toRoom, type Announce } from '../domain/announce.ts';
import { isCall } from '../domain/call.ts';
import { planHolderOf, raisedBy, underPlan } from '../domain/hostPlan.ts';
import { endsAtWithPlan, isHosting, type Meeting } from '../domain/meeting.ts';
import { participantData, type Participant } from '../domain/participant.ts';
import type { MeetingStore, RoomStore } from '../domain/ports.ts';
import { nextDate } from '../domain/recurrence.ts';
import { peopleAmong } from '../domain/seats.ts';
import type { RoomMedia } from './RoomMedia.ts';

const expiredAtOnce = 100;
const sweptAtOnce = 200;
const movedAtOnce = 25;
/** Below every id. */
const nobodyId = '00000000-0000-0000-0000-000000000000';

const hosts = ({ role }: Pick<Participant, 'role'>) => isHosting({ role, admitted: true, removed: false });

/** What happens to rooms as a whole: people come and go, leases run out, nodes die, a meeting ends. */
export class Rooms {
  readonly #meetings: MeetingStore;
  readonly #rooms: RoomStore;
  readonly #media: RoomMedia;
  readonly #allowanceOf: (userId: UserId) => Promise<MeetingAllowance>;
  readonly #announce: Announce;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #warningMinutes: number;
  /** Live meetings that the last sweep found empty. */
  #empty = new Set<string>();
  /** Until then nobody counts as lost. */
  #sparedUntil = performance.now() + limits.participantLeaseMs;
  /** When it was looked for those for whom nobody vouches. */
  #lookedAt = performance.now();
  /** Told when somebody has left the room of a call, which is no meeting, with all of their devices. */
  readonly #onCallLeft: (callId: CallId, userId: UserId) => Promise<void>;
  readonly #wake: () => void;

  constructor(options: {
    meetings: MeetingStore;
    rooms: RoomStore;
    media: RoomMedia;
    /** What the plan of a host allows now. */
    allowanceOf: (userId: UserId) => Promise<MeetingAllowance>;
    announce: Announce;
    clock: Clock;
    log: Log;
    /** How long before the end that the plan sets people are warned. */
    warningMinutes: number;
    onCallLeft: (callId: CallId, userId: UserId) => Promise<void>;
    /** The outbox may have something to pass on. */
    wake: () => void;
  }) {
    this.#meetings = options.meetings;
    this.#rooms = options.rooms;
    this.#media = options.media;
    this.#allowanceOf = options.allowanceOf;
    this.#announce = options.announce;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#warningMinutes = options.warningMinutes;
    this.#onCallLeft = options.onCallLeft;
    this.#wake = options.wake;
  }

  /** Somebody came in: the meeting lives from its first participant on, and a plan's time counts from the third. */
  async entered(meeting: Meeting, people: number, actorId: UserId): Promise<Meeting> {
    const now = this.#clock.now();
    const live = meeting.status === 'live' ? await this.raise(meeting) : await this.#begin(meeting, actorId, now);
    const endsAt = endsAtWithPlan(live, people, now, {
      people: limits.meetingTimeLimitPeople,
      warningMinutes: this.#warningMinutes,
    });
    if (endsAt?.getTime() === live.endsAt?.getTime()) return live;
    return (await this.#meetings.change(meeting.id, { endsAt }, now)) ?? live;
  }

  async #begin(meeting: Meeting, actorId: UserId, now: Date): Promise<Meeting> {
    const { id, startedAt, endedAt } = meeting;
    // Who comes back after everybody was lost goes on with the meeting, and with its time.
    const goesOn = startedAt && endedAt && now.getTime() - endedAt.getTime() < limits.participantReturnMs;
    const allowance = await this.#allowanceOf(planHolderOf({ ...meeting, startedBy: actorId }));
    const { maxParticipants, planMinutes } = goesOn
      ? { ...meeting, ...raisedBy(meeting, allowance) }
      : underPlan(meeting, allowance);
    const begun = await this.#meetings.begin(
      id,
      { by: actorId, startedAt: goesOn ? startedAt : now, plan: { maxParticipants, planMinutes } },
      now,
    );
    this.#wake();
    // Of two who come first at the same moment one begins it.
    return begun ?? (await this.#meetings.find(id)) ?? meeting;
  }

  /** The meeting with what the plan gives now, if that is more than it stands under. Everybody inside is told. */
  async raise(meeting: Meeting): Promise<Meeting> {
    if (meeting.status !== 'live') return meeting;
    const more = raisedBy(meeting, await this.#allowanceOf(planHolderOf(meeting)));
    const raised = more && (await this.#meetings.change(meeting.id, more, this.#clock.now()));
    if (!raised) return meeting;
    await this.tellChange(raised);
    return raised;
  }

  /** Somebody has another plan: it holds for the next of their meetings, and at once where it gives more. */
  async planChanged(userId: UserId): Promise<void> {
    await this.#meetings.putUnderPlan(userId, await this.#allowanceOf(userId));
    for (const meeting of await this.#meetings.liveUnder(userId)) await this.raise(meeting);
  }

  /** Takes somebody out, tells the others, and lets the room go when it was the last. Again it does nothing. */
  async remove(participantId: ParticipantId, reason: 'left' | 'lost' | 'removed'): Promise<void> {
    const gone = await this.#rooms.remove(participantId);
    if (!gone) return;
    const { participant, waiting, left, version } = gone;
    const { roomId, roomCode } = participant;
    if (waiting) {
      await this.tellLobby(roomId);
      return;
    }
    const isLost = reason === 'lost';
    // Out of the room now, and welcome back as who they were.
    if (isLost) {
      await this.#rooms.keepAway(participant, isCall(roomId) ? limits.callReturnMs : limits.participantReturnMs);
    }
    await this.#media.tell(participant, (client) => client.leave({ roomId, participantId }));
    if (left === 0) await this.#emptied(roomId);
    const people = await this.#rooms.inside(roomId);
    this.#announce(toRoom(people, roomId, 'meeting_participant_left', { roomCode, participantId, reason, version }));
    if (!isCall(roomId)) {
      await this.endRecording(roomId, participantId);
      if (hosts(participant)) await this.#passOn(roomId);
    } else if (!isLost) await this.#leftCall(roomId, participant, people);
  }

  /**
   * Somebody who hosts has left a meeting, and if nobody else there hosts, another does until the host is back. Where only
   * guests stay, nobody does, and whoever knocks is announced on the hosts' devices.
   */
  async #passOn(meetingId: MeetingId): Promise<void> {
    const people = await this.#rooms.inside(meetingId);
    if (people.length === 0 || people.some(hosts)) return;
    const next = nextHost(people);
    const meeting = await this.#meetings.setActingHost(meetingId, next?.userId ?? null, this.#clock.now());
    if (!meeting || !next) return;
    await this.changeRole(meetingId, next.userId, 'co_host');
    // The host may have come back meanwhile, when nobody was to be relieved yet.
    if ((await this.#rooms.inside(meetingId)).some(({ role }) => role === 'host')) await this.hostIsBack(meeting);
  }

  /** The host of a meeting is inside again: whoever hosted meanwhile is what they were before. */
  async hostIsBack(meeting: Meeting): Promise<void> {
    const { id, actingHostId } = meeting;
    if (actingHostId === null) return;
    await this.#meetings.setActingHost(id, null, this.#clock.now());
    // The host may have made them a co-host meanwhile.
    const part = await this.#meetings.part(id, actingHostId);
    await this.changeRole(id, actingHostId, part?.role ?? 'participant');
  }

  /** Gives somebody another role in a room, with every device of theirs, and tells everybody. */
  async changeRole(meetingId: MeetingId, userId: UserId, role: ParticipantRole): Promise<void> {
    for (const one of await this.#rooms.inside(meetingId)) {
      if (one.userId !== userId) continue;
      const changed = await this.#rooms.patch(one, { role });
      if (changed) await announceChange({ rooms: this.#rooms, announce: this.#announce }, changed);
      // Recording is for hosts.
      if (role === 'participant') await this.endRecording(meetingId, one.id);
    }
    await this.tellLobby(meetingId);
  }

  /** Puts people out of a room or its lobby, with every tab of theirs, and tells them. */
  async putOut(roomId: RoomId, userIds: readonly UserId[]): Promise<void> {
    for (const one of [...(await this.#rooms.inside(roomId)), ...(await this.#rooms.waiting(roomId))]) {
      if (!userIds.includes(one.userId)) continue;
      this.#announce(toOne(one, 'meeting_asked', { what: 'removed' }));
      await this.remove(one.id, 'removed');
    }
  }

  /** Sees to those who were lost and did not come back: they have left their call. */
  async sweepAway(): Promise<void> {
    for (const participant of await this.#rooms.takeStayedAway(expiredAtOnce)) {
      const { id, roomId } = participant;
      if (isCall(roomId)) await this.#leftCall(roomId, participant, await this.#rooms.inside(roomId));
      await this.#rooms.forgetAway(id);
    }
  }

  async #leftCall(callId: CallId, { userId }: Participant, inside: readonly Participant[]): Promise<void> {
    if (!inside.some((one) => one.userId === userId)) await this.#onCallLeft(callId, userId);
  }

  /** Ends what this participant records, where they do, and tells everyone inside. */
  async endRecording(meetingId: MeetingId, participantId: ParticipantId): Promise<void> {
    const changed = await this.#meetings.endRecording(meetingId, participantId, this.#clock.now());
    if (changed) await this.tellChange(changed);
  }

  /** Ends a meeting for good. Answers undefined where another did so before. */
  async close(
    meeting: Meeting,
    status: 'completed' | 'cancelled',
    reason: 'ended' | 'time_limit' | 'cancelled',
  ): Promise<Meeting | undefined> {
    const closed = await this.#meetings.close(meeting.id, status, this.#clock.now());
    if (!closed) return undefined;
    this.#wake();
    await this.dropRoom(meeting.id, meeting.roomCode, reason);
    return closed;
  }

  /** Takes everybody out of a room whose meeting or call is over, and tells them. */
  async dropRoom(roomId: RoomId, roomCode: string, reason: 'ended' | 'time_limit' | 'cancelled'): Promise<void> {
    const [inside, waiting] = await Promise.all([this.#rooms.inside(roomId), this.#rooms.waiting(roomId)]);
    const data = { roomCode, reason };
    this.#announce(toRoom(inside, roomId, 'meeting_ended', data));
    // Who waits has not joined the scope of those inside.
    for (const one of waiting) {
      this.#announce({ recipients: [one.userId], scope: one.id, frame: { type: 'meeting_ended', data } });
    }
    for (const { id } of [...inside, ...waiting]) await this.#rooms.remove(id);
    await this.#media.closeRoom(roomId);
  }

  /** Tells every host who waits now. */
  async tellLobby(roomId: RoomId): Promise<void> {
    const { version, people } = await this.#rooms.snapshotWaiting(roomId);
    const waiting = people.slice(0, limits.lobbySize).map(participantData);
    for (const one of await this.#rooms.inside(roomId)) {
      if (hosts(one)) {
        this.#announce(toOne(one, 'meeting_lobby', { waiting, version }));
      }
    }
  }

  /** Tells everyone inside that name, settings, lock or recording changed; `roomCode` is the one that they know. */
  async tellChange(meeting: Meeting, roomCode = meeting.roomCode): Promise<void> {
    const people = await this.#rooms.inside(meeting.id);
    if (people.length === 0) return;
    this.#announce(toRoom(people, meeting.id, 'meeting_changed', { roomCode, meeting: meetingStateData(meeting) }));
  }

  /**
   * Takes out those for whom no gateway vouches any more. While every replica of this service or Redis was away no gateway
   * could: after that they get the time of one lease to do so, or everybody would be put out who is there all the same.
   */
  async sweepLeases(): Promise<void> {
    for (const participantId of await this.#takeExpired()) {
      await this.remove(participantId, 'lost').catch((error: unknown) =>
        this.#log.warn({ err: error }, 'a lost participant could not be taken out'),
      );
    }
  }

  async #takeExpired(): Promise<ParticipantId[]> {
    try {
      // What is spared is asked for too: that Redis cannot answer is how its outage is noticed.
      if (performance.now() < this.#sparedUntil) {
        await this.#rooms.countAll();
        return [];
      }
      // After a pause nobody can say whether Redis was away in it.
      const since = performance.now() - this.#lookedAt;
      if (since > limits.participantLeaseMs && (await this.#rooms.countAll()) > 0) {
        this.#sparedUntil = performance.now() + limits.participantLeaseMs;
        return [];
      }
      return await this.#rooms.takeExpired(expiredAtOnce);
    } catch (error) {
      this.#sparedUntil = performance.now() + limits.participantLeaseMs;
      throw error;
    } finally {
      this.#lookedAt = performance.now();
    }
  }

  /** When a meeting is to be warned or ended next. */
  nextTime(): Promise<Date | undefined> {
    return this.#meetings.nextEnding(this.#warningMinutes);
  }

  /** Warns meetings that their plan ends soon, and ends those whose time has come (decision 21). */
  async sweepTime(): Promise<void> {
    const now = this.#clock.now();
    const soon = new Date(now.getTime() + this.#warningMinutes * 60_000);
    for (const found of await this.#meetings.ending(soon)) {
      const meeting = await this.raise(found);
      const { id, roomCode, endsAt } = meeting;
      // Its plan gave it more time.
      if (endsAt === null || endsAt > soon) continue;
      const people = await this.#rooms.inside(id);
      if (peopleAmong(people) < limits.meetingTimeLimitPeople) {
        // The limit holds for three or more; who stays behind may go on.
        const changed = await this.#meetings.change(id, { endsAt: null }, now);
        if (changed) await this.tellChange(changed);
      } else if (endsAt.getTime() <= now.getTime()) {
        await this.close(meeting, 'completed', 'time_limit');
      } else if (await this.#meetings.markWarned(id)) {
        const data = { roomCode, endsAt: endsAt.toISOString(), planMinutes: meeting.planMinutes ?? undefined };
        this.#announce(toRoom(people, id, 'meeting_time_warning', data));
      }
    }
  }

  /** A node is gone or wants to go: whoever it carries is told to ask for new transports. */
  async leaveNode(nodeId: NodeId, most = Number.MAX_SAFE_INTEGER): Promise<void> {
    const rooms = (await this.#rooms.roomsOn(nodeId)).slice(0, most);
    // Nobody waits for the rooms before theirs, and Redis is not asked for all of them at once.
    for (let start = 0; start < rooms.length; start += movedAtOnce) {
      const some = rooms.slice(start, start + movedAtOnce);
      await Promise.all(some.map((roomId) => this.leaveNodeWith(roomId, nodeId)));
    }
  }

  /** The same for one room. Who is named in `except` knows already. */
  async leaveNodeWith(roomId: RoomId, nodeId: NodeId, except = ''): Promise<void> {
    // Of several replicas that notice, one tells.
    if (!(await this.#rooms.removeNode(roomId, nodeId))) return;
    for (const one of await this.#rooms.inside(roomId)) {
      if (one.nodeId === nodeId && one.id !== except) this.#announce(toOne(one, 'media_moved'));
    }
  }

  /**
   * Ends meetings that nobody is in although nobody was seen to leave, and recordings of participants who are gone: Redis
   * was emptied, or a replica died. Answers whether there is any.
   */
  async sweepEmpty(): Promise<boolean> {
    const before = this.#empty;
    this.#empty = new Set();
    let after = nobodyId;
    for (;;) {
      const live = await this.#meetings.live(after, sweptAtOnce);
      for (const { id, recorderId } of live) {
        if (recorderId !== null && !(await this.#rooms.find(recorderId))) await this.endRecording(id, recorderId);
        if ((await this.#rooms.count(id)) > 0) continue;
        // Whoever lost the room is about to join again; they get until the next time.
        if (before.has(id)) await this.#emptied(id);
        else this.#empty.add(id);
      }
      const last = live.at(-1);
      if (!last || live.length < sweptAtOnce) return last !== undefined || after !== nobodyId;
      after = last.id;
    }
  }

  async #emptied(roomId: RoomId): Promise<void> {
    await this.#media.closeRoom(roomId);
    if (isCall(roomId)) return;
    const meeting = await this.#meetings.find(roomId);
    if (!meeting || meeting.closed || meeting.status !== 'live' || (await this.#rooms.count(roomId)) > 0) return;
    const now = this.#clock.now();
    const next = nextDate(meeting, now);
    // Somebody who only lost the way may come back, so the code stays good (decision 23 says when it counts as over).
    await this.#meetings.rest(roomId, next ? { status: 'scheduled', scheduledAt: next } : { status: 'completed' }, now);
    this.#wake();
  }
}

/** How long a meeting took, in whole minutes; what was planned where it has not ended. */
export function minutesOf(meeting: Meeting): number {
  const { startedAt, endedAt, durationMinutes } = meeting;
  if (!startedAt || !endedAt || meeting.status === 'live' || hasNotBegun(meeting.status)) return durationMinutes;
  return Math.max(1, Math.round((endedAt.getTime() - startedAt.getTime()) / 60_000));
}

/** Whether this is somebody's own participant. */
export function belongsTo(participant: Participant, actorId: string): boolean {
  return participant.userId === actorId;
}
