import type { Clock } from '@nolo/kit/clock';
import type { CallId, MeetingId, MediaNodeId, ParticipantId, RoomId, UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import {
  isMeetingNotStarted,
  limits,
  findNextMeetingHost,
  type MeetingAllowance,
  type ParticipantRole,
} from '@nolo/rules';
import {
  sendParticipantChange,
  toMeetingStateData,
  toParticipantFrame,
  toRoomFrame,
  type SendFrame,
} from '../domain/outboundFrames.ts';
import { isCallRoomId } from '../domain/call.ts';
import { findPlanHolder, raiseLimitsByPlan, applyPlan } from '../domain/hostPlan.ts';
import { computeEndByPlan, isHosting, type Meeting } from '../domain/meeting.ts';
import { toParticipantData, type Participant } from '../domain/participant.ts';
import type { MeetingStore, RoomStore } from '../domain/ports.ts';
import { nextDate } from '../domain/recurrence.ts';
import { countPeople } from '../domain/roomCapacity.ts';
import type { RoomMedia } from './RoomMedia.ts';

const expiredAtOnce = 100;
const sweptAtOnce = 200;
const movedAtOnce = 25;
/** Lower than every ID. */
const nobodyId = '00000000-0000-0000-0000-000000000000';

const hosts = ({ role }: Pick<Participant, 'role'>) => isHosting({ role, admitted: true, removed: false });

/** Operations on rooms: people join and leave, leases expire, nodes die, a meeting ends. */
export class LiveRooms {
  readonly #meetings: MeetingStore;
  readonly #rooms: RoomStore;
  readonly #media: RoomMedia;
  readonly #allowanceOf: (userId: UserId) => Promise<MeetingAllowance>;
  readonly #sendFrame: SendFrame;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #warningMinutes: number;
  /** Live meetings that the latest sweep found empty. */
  #empty = new Set<string>();
  /** Time until which nobody counts as lost. */
  #sparedUntil = performance.now() + limits.participantLeaseMs;
  /** Time of the latest check for expired leases. */
  #checkedAt = performance.now();
  /** Called when a person has left the room of a call, rather than a meeting, on all devices. */
  readonly #onCallLeft: (callId: CallId, userId: UserId) => Promise<void>;
  readonly #wake: () => void;

  constructor(options: {
    meetings: MeetingStore;
    rooms: RoomStore;
    media: RoomMedia;
    /** Returns what a host's plan currently allows. */
    allowanceOf: (userId: UserId) => Promise<MeetingAllowance>;
    sendFrame: SendFrame;
    clock: Clock;
    log: Log;
    /** Minutes before the plan's end at which people are warned. */
    warningMinutes: number;
    onCallLeft: (callId: CallId, userId: UserId) => Promise<void>;
    /** Called when the outbox may have new entries. */
    wake: () => void;
  }) {
    this.#meetings = options.meetings;
    this.#rooms = options.rooms;
    this.#media = options.media;
    this.#allowanceOf = options.allowanceOf;
    this.#sendFrame = options.sendFrame;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#warningMinutes = options.warningMinutes;
    this.#onCallLeft = options.onCallLeft;
    this.#wake = options.wake;
  }

  /** Handles a join: the first participant makes the meeting live, and the plan's time counts from the third. */
  async entered(meeting: Meeting, people: number, actorId: UserId): Promise<Meeting> {
    const now = this.#clock.now();
    const live = meeting.status === 'live' ? await this.raise(meeting) : await this.#begin(meeting, actorId, now);
    const endsAt = computeEndByPlan(live, people, now, {
      people: limits.meetingTimeLimitPeople,
      warningMinutes: this.#warningMinutes,
    });
    if (endsAt?.getTime() === live.endsAt?.getTime()) return live;
    return (await this.#meetings.change(meeting.id, { endsAt }, now)) ?? live;
  }

  async #begin(meeting: Meeting, actorId: UserId, now: Date): Promise<Meeting> {
    const { id, startedAt, endedAt } = meeting;
    // A person who returns after everyone was lost continues the meeting and its time.
    const goesOn = startedAt && endedAt && now.getTime() - endedAt.getTime() < limits.participantReturnMs;
    const allowance = await this.#allowanceOf(findPlanHolder({ ...meeting, startedBy: actorId }));
    const { maxParticipants, planMinutes } = goesOn
      ? { ...meeting, ...raiseLimitsByPlan(meeting, allowance) }
      : applyPlan(meeting, allowance);
    const begun = await this.#meetings.begin(
      id,
      { by: actorId, startedAt: goesOn ? startedAt : now, plan: { maxParticipants, planMinutes } },
      now,
    );
    this.#wake();
    // If two people join first at the same moment, one of them starts it.
    return begun ?? (await this.#meetings.find(id)) ?? meeting;
  }

  /** Applies the current plan to a live meeting if it gives more. Notifies everyone inside. */
  async raise(meeting: Meeting): Promise<Meeting> {
    if (meeting.status !== 'live') return meeting;
    const more = raiseLimitsByPlan(meeting, await this.#allowanceOf(findPlanHolder(meeting)));
    const raised = more && (await this.#meetings.change(meeting.id, more, this.#clock.now()));
    if (!raised) return meeting;
    await this.broadcastMeetingChanged(raised);
    return raised;
  }

  /** Handles a plan change: it applies to the person's next meeting, and at once if it gives more. */
  async planChanged(userId: UserId): Promise<void> {
    await this.#meetings.putUnderPlan(userId, await this.#allowanceOf(userId));
    for (const meeting of await this.#meetings.liveUnder(userId)) await this.raise(meeting);
  }

  /** Removes a participant, notifies the others, and releases the room after the last one. Idempotent. */
  async remove(participantId: ParticipantId, reason: 'left' | 'lost' | 'removed'): Promise<void> {
    const gone = await this.#rooms.remove(participantId);
    if (!gone) return;
    const { participant, waiting, left, version } = gone;
    const { roomId, roomCode } = participant;
    if (waiting) {
      await this.sendLobbyToHosts(roomId);
      return;
    }
    const isLost = reason === 'lost';
    // The participant is out of the room but may return under the same identity.
    if (isLost) {
      await this.#rooms.keepAway(participant, isCallRoomId(roomId) ? limits.callReturnMs : limits.participantReturnMs);
    }
    await this.#media.callIfReachable(participant, (client) => client.leave({ roomId, participantId }));
    if (left === 0) await this.#emptied(roomId);
    const people = await this.#rooms.inside(roomId);
    this.#sendFrame(
      toRoomFrame(people, roomId, 'meeting_participant_left', { roomCode, participantId, reason, version }),
    );
    if (!isCallRoomId(roomId)) {
      await this.endRecording(roomId, participantId);
      if (hosts(participant)) await this.#passOn(roomId);
    } else if (!isLost) await this.#leftCall(roomId, participant, people);
  }

  /**
   * Handles a host leaving. If no other host remains, another participant hosts until the host returns. If only guests
   * remain, nobody hosts, and the hosts' devices are notified of people who ask to join.
   */
  async #passOn(meetingId: MeetingId): Promise<void> {
    const people = await this.#rooms.inside(meetingId);
    if (people.length === 0 || people.some(hosts)) return;
    const next = findNextMeetingHost(people);
    const meeting = await this.#meetings.setActingHost(meetingId, next?.userId ?? null, this.#clock.now());
    if (!meeting || !next) return;
    await this.changeRole(meetingId, next.userId, 'co_host');
    // The host may have returned meanwhile, before there was an acting host to replace.
    if ((await this.#rooms.inside(meetingId)).some(({ role }) => role === 'host')) await this.hostIsBack(meeting);
  }

  /** Handles the host's return: the acting host gets their previous role back. */
  async hostIsBack(meeting: Meeting): Promise<void> {
    const { id, actingHostId } = meeting;
    if (actingHostId === null) return;
    await this.#meetings.setActingHost(id, null, this.#clock.now());
    // The host may have made them a co-host meanwhile.
    const membership = await this.#meetings.findMembership(id, actingHostId);
    await this.changeRole(id, actingHostId, membership?.role ?? 'participant');
  }

  /** Changes a person's role on all their devices in a room, and notifies everyone. */
  async changeRole(meetingId: MeetingId, userId: UserId, role: ParticipantRole): Promise<void> {
    for (const one of await this.#rooms.inside(meetingId)) {
      if (one.userId !== userId) continue;
      const changed = await this.#rooms.patch(one, { role });
      if (changed) await sendParticipantChange({ rooms: this.#rooms, sendFrame: this.#sendFrame }, changed);
      // Recording requires the host role.
      if (role === 'participant') await this.endRecording(meetingId, one.id);
    }
    await this.sendLobbyToHosts(meetingId);
  }

  /** Removes people from a room or its lobby on all devices, and notifies them. */
  async putOut(roomId: RoomId, userIds: readonly UserId[]): Promise<void> {
    for (const one of [...(await this.#rooms.inside(roomId)), ...(await this.#rooms.waiting(roomId))]) {
      if (!userIds.includes(one.userId)) continue;
      this.#sendFrame(toParticipantFrame(one, 'meeting_asked', { what: 'removed' }));
      await this.remove(one.id, 'removed');
    }
  }

  /** Handles lost participants who did not return: they leave their call. */
  async sweepAway(): Promise<void> {
    for (const participant of await this.#rooms.takeStayedAway(expiredAtOnce)) {
      const { id, roomId } = participant;
      if (isCallRoomId(roomId)) await this.#leftCall(roomId, participant, await this.#rooms.inside(roomId));
      await this.#rooms.forgetAway(id);
    }
  }

  async #leftCall(callId: CallId, { userId }: Participant, inside: readonly Participant[]): Promise<void> {
    if (!inside.some((one) => one.userId === userId)) await this.#onCallLeft(callId, userId);
  }

  /** Ends this participant's recording, if any, and notifies everyone inside. */
  async endRecording(meetingId: MeetingId, participantId: ParticipantId): Promise<void> {
    const changed = await this.#meetings.endRecording(meetingId, participantId, this.#clock.now());
    if (changed) await this.broadcastMeetingChanged(changed);
  }

  /** Ends a meeting permanently. Undefined if it was already ended. */
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

  /** Removes everyone from a room whose meeting or call is over, and notifies them. */
  async dropRoom(roomId: RoomId, roomCode: string, reason: 'ended' | 'time_limit' | 'cancelled'): Promise<void> {
    const [inside, waiting] = await Promise.all([this.#rooms.inside(roomId), this.#rooms.waiting(roomId)]);
    const data = { roomCode, reason };
    this.#sendFrame(toRoomFrame(inside, roomId, 'meeting_ended', data));
    // People in the lobby have not joined the room's scope.
    for (const one of waiting) {
      this.#sendFrame({ recipients: [one.userId], scope: one.id, frame: { type: 'meeting_ended', data } });
    }
    for (const { id } of [...inside, ...waiting]) await this.#rooms.remove(id);
    await this.#media.closeRoom(roomId);
  }

  /** Notifies every host of who is waiting now. */
  async sendLobbyToHosts(roomId: RoomId): Promise<void> {
    const { version, people } = await this.#rooms.snapshotWaiting(roomId);
    const waiting = people.slice(0, limits.lobbySize).map(toParticipantData);
    for (const one of await this.#rooms.inside(roomId)) {
      if (hosts(one)) {
        this.#sendFrame(toParticipantFrame(one, 'meeting_lobby', { waiting, version }));
      }
    }
  }

  /** Notifies everyone inside that name, settings, lock, or recording changed. `roomCode`: the code that they know. */
  async broadcastMeetingChanged(meeting: Meeting, roomCode = meeting.roomCode): Promise<void> {
    const people = await this.#rooms.inside(meeting.id);
    if (people.length === 0) return;
    this.#sendFrame(
      toRoomFrame(people, meeting.id, 'meeting_changed', { roomCode, meeting: toMeetingStateData(meeting) }),
    );
  }

  /**
   * Removes participants whose lease no gateway renews. While all replicas of this service or Redis were down, no
   * gateway could renew. Afterwards gateways get one lease period to do so, or people who are still there would be
   * removed.
   */
  async sweepLeases(): Promise<void> {
    for (const participantId of await this.#takeExpired()) {
      await this.remove(participantId, 'lost').catch((error: unknown) =>
        this.#log.warn({ err: error }, 'removing a lost participant failed'),
      );
    }
  }

  async #takeExpired(): Promise<ParticipantId[]> {
    try {
      // Queries even during the grace period, because failing queries reveal an outage of Redis.
      if (performance.now() < this.#sparedUntil) {
        await this.#rooms.countAll();
        return [];
      }
      // Redis may have been down during a pause this long.
      const since = performance.now() - this.#checkedAt;
      if (since > limits.participantLeaseMs && (await this.#rooms.countAll()) > 0) {
        this.#sparedUntil = performance.now() + limits.participantLeaseMs;
        return [];
      }
      return await this.#rooms.takeExpired(expiredAtOnce);
    } catch (error) {
      this.#sparedUntil = performance.now() + limits.participantLeaseMs;
      throw error;
    } finally {
      this.#checkedAt = performance.now();
    }
  }

  /** Returns when the next meeting is due for a warning or its end. */
  nextTime(): Promise<Date | undefined> {
    return this.#meetings.nextEnding(this.#warningMinutes);
  }

  /** Warns meetings that their plan ends soon, and ends those whose time is up (decision 21). */
  async sweepTime(): Promise<void> {
    const now = this.#clock.now();
    const soon = new Date(now.getTime() + this.#warningMinutes * 60_000);
    for (const found of await this.#meetings.ending(soon)) {
      const meeting = await this.raise(found);
      const { id, roomCode, endsAt } = meeting;
      // The plan has since been extended.
      if (endsAt === null || endsAt > soon) continue;
      const people = await this.#rooms.inside(id);
      if (countPeople(people) < limits.meetingTimeLimitPeople) {
        // The limit applies to three or more; those who remain may continue.
        const changed = await this.#meetings.change(id, { endsAt: null }, now);
        if (changed) await this.broadcastMeetingChanged(changed);
      } else if (endsAt.getTime() <= now.getTime()) {
        await this.close(meeting, 'completed', 'time_limit');
      } else if (await this.#meetings.markWarned(id)) {
        const data = { roomCode, endsAt: endsAt.toISOString(), planMinutes: meeting.planMinutes ?? undefined };
        this.#sendFrame(toRoomFrame(people, id, 'meeting_time_warning', data));
      }
    }
  }

  /** Handles a dead or draining node: asks its participants to request new transports, in at most `maxRooms` rooms. */
  async leaveNode(nodeId: MediaNodeId, maxRooms = Number.MAX_SAFE_INTEGER): Promise<void> {
    const rooms = (await this.#rooms.roomsOn(nodeId)).slice(0, maxRooms);
    // Limits concurrency, so rooms do not wait for all previous ones and Redis is not queried for all at once.
    for (let start = 0; start < rooms.length; start += movedAtOnce) {
      const some = rooms.slice(start, start + movedAtOnce);
      await Promise.all(some.map((roomId) => this.leaveNodeWith(roomId, nodeId)));
    }
  }

  /** Handles a dead or draining node for one room. `except` is already informed. */
  async leaveNodeWith(roomId: RoomId, nodeId: MediaNodeId, except = ''): Promise<void> {
    // Several replicas may notice, but only one notifies.
    if (!(await this.#rooms.removeNode(roomId, nodeId))) return;
    for (const one of await this.#rooms.inside(roomId)) {
      if (one.nodeId === nodeId && one.id !== except) this.#sendFrame(toParticipantFrame(one, 'media_moved'));
    }
  }

  /**
   * Ends meetings that are empty although nobody was seen to leave, and recordings of participants who are gone: Redis
   * was emptied or a replica died. Returns true if any live meetings exist.
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
        // People who lost the room are about to rejoin; they get until the next sweep.
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
    if (isCallRoomId(roomId)) return;
    const meeting = await this.#meetings.find(roomId);
    if (!meeting || meeting.closed || meeting.status !== 'live' || (await this.#rooms.count(roomId)) > 0) return;
    const now = this.#clock.now();
    const next = nextDate(meeting, now);
    // People who merely lost their connection may return, so the code stays valid (decision 23 defines when it counts
    // as over).
    await this.#meetings.rest(roomId, next ? { status: 'scheduled', scheduledAt: next } : { status: 'completed' }, now);
    this.#wake();
  }
}

/** Returns the duration of a meeting in whole minutes, or the planned one if it has not ended. */
export function computeMeetingMinutes(meeting: Meeting): number {
  const { startedAt, endedAt, durationMinutes } = meeting;
  if (!startedAt || !endedAt || meeting.status === 'live' || isMeetingNotStarted(meeting.status))
    return durationMinutes;
  return Math.max(1, Math.round((endedAt.getTime() - startedAt.getTime()) / 60_000));
}

/** True if the participant belongs to this user. */
export function isOwnParticipant(participant: Participant, actorId: string): boolean {
  return participant.userId === actorId;
}
