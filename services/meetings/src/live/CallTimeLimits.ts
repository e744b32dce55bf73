import type { Clock } from '@nolo/kit/clock';
import type { CallId, UserId } from '@nolo/kit/ids';
import { limits, type MeetingAllowance } from '@nolo/rules';
import { toRoomFrame, type SendFrame } from '../domain/outboundFrames.ts';
import type { CallStore } from '../domain/callPorts.ts';
import { computeLaterEnd } from '../domain/hostPlan.ts';
import { computeEndByPlan } from '../domain/meeting.ts';
import type { RoomStore } from '../domain/ports.ts';
import { countPeople } from '../domain/roomCapacity.ts';

/**
 * Applies plan time limits to calls. As in meetings, time counts from the third person, and the caller's plan applies
 * (decision 21).
 */
export class CallTimeLimits {
  readonly #calls: Pick<CallStore, 'find' | 'setEndsAt' | 'ending' | 'nextEnding' | 'markWarned'>;
  readonly #rooms: Pick<RoomStore, 'inside'>;
  readonly #allowanceOf: (userId: UserId) => Promise<MeetingAllowance>;
  readonly #sendFrame: SendFrame;
  readonly #clock: Clock;
  readonly #warningMinutes: number;
  readonly #end: (callId: CallId) => Promise<void>;

  constructor(options: {
    calls: Pick<CallStore, 'find' | 'setEndsAt' | 'ending' | 'nextEnding' | 'markWarned'>;
    rooms: Pick<RoomStore, 'inside'>;
    allowanceOf: (userId: UserId) => Promise<MeetingAllowance>;
    sendFrame: SendFrame;
    clock: Clock;
    /** Minutes before the end at which people are warned. */
    warningMinutes: number;
    /** Ends a call because its time is up. */
    end: (callId: CallId) => Promise<void>;
  }) {
    this.#calls = options.calls;
    this.#rooms = options.rooms;
    this.#allowanceOf = options.allowanceOf;
    this.#sendFrame = options.sendFrame;
    this.#clock = options.clock;
    this.#warningMinutes = options.warningMinutes;
    this.#end = options.end;
  }

  /** Handles a person joining the room of a call. `people`: number of people now in it. */
  async entered(callId: CallId, people: number): Promise<void> {
    if (people < limits.meetingTimeLimitPeople) return;
    const call = await this.#calls.find(callId);
    if (!call) return;
    const { minutes } = await this.#allowanceOf(call.callerId);
    const rules = { people: limits.meetingTimeLimitPeople, warningMinutes: this.#warningMinutes };
    const timed = { planMinutes: minutes, startedAt: call.startedAt, endsAt: null };
    const endsAt = computeEndByPlan(timed, people, this.#clock.now(), rules);
    if (endsAt) await this.#calls.setEndsAt(callId, endsAt);
  }

  /** Returns when a call ends under the current plan. A plan change extends a running call but never shortens it. */
  async #endNow(callId: CallId, endsAt: Date): Promise<Date | null> {
    const call = await this.#calls.find(callId);
    if (!call) return endsAt;
    const { minutes } = await this.#allowanceOf(call.callerId);
    const later = computeLaterEnd(call.startedAt ?? endsAt, endsAt, minutes);
    if (later?.getTime() === endsAt.getTime()) return endsAt;
    await this.#calls.setEndsAt(callId, null);
    if (later) await this.#calls.setEndsAt(callId, later);
    return later;
  }

  /** Returns when the next call is due for a warning or its end. */
  next(): Promise<Date | undefined> {
    return this.#calls.nextEnding(this.#warningMinutes);
  }

  /** Warns calls that end soon, and ends those whose time is up. */
  async sweep(): Promise<void> {
    const now = this.#clock.now();
    const soon = new Date(now.getTime() + this.#warningMinutes * 60_000);
    for (const { callId, endsAt: set } of await this.#calls.ending(soon)) {
      const endsAt = await this.#endNow(callId, set);
      // The plan has since been extended.
      if (endsAt === null || endsAt > soon) continue;
      const people = await this.#rooms.inside(callId);
      if (countPeople(people) < limits.meetingTimeLimitPeople) {
        // The limit applies to three or more; those who remain may continue.
        await this.#calls.setEndsAt(callId, null);
      } else if (endsAt.getTime() <= now.getTime()) {
        await this.#end(callId);
      } else if (await this.#calls.markWarned(callId)) {
        const data = { roomCode: callId, endsAt: endsAt.toISOString() };
        this.#sendFrame(toRoomFrame(people, callId, 'meeting_time_warning', data));
      }
    }
  }
}
