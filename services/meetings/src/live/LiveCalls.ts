import type { Clock } from '@nolo/kit/clock';
import type { ConnectionLeaseReader } from '@nolo/kit/delivery';
import { isAppError } from '@nolo/kit/errors';
import { type CallId, idFromName, type UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { RpcClient } from '@nolo/kit/rpc';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import { isQuietCallEnd, type CallEndReason } from '@nolo/rules';
import {
  abandonCallState,
  finishCallState,
  isTalkingInCall,
  leaveCallState,
  stopRingingState,
  type StoredCall,
} from '../domain/call.ts';
import { toCallSystemMessage } from '../domain/callFrames.ts';
import type { CallChange, CallStore } from '../domain/callPorts.ts';
import { callNotFound } from '../errors.ts';

const atOnce = 200;
/** Time that a call without any sockets continues. A restarting gateway takes less. */
const aloneMs = 30_000;
/** Delay before retrying to write into a conversation. */
const systemMessageRetryMs = 10_000;

type RoomEnd = 'ended' | 'time_limit';

/** Operations on calls, and what follows from their end. */
export class LiveCalls {
  readonly store: CallStore;
  readonly #chat: Pick<RpcClient<typeof ChatServiceDefinition>, 'addSystemMessage'>;
  readonly #leases: Pick<ConnectionLeaseReader, 'online'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #ringMs: number;
  readonly #wake: () => void;
  readonly #dropRoom: (callId: CallId, reason: RoomEnd) => Promise<void>;
  readonly #onOutcome: (outcome: CallEndReason) => void;

  constructor(options: {
    store: CallStore;
    chat: Pick<RpcClient<typeof ChatServiceDefinition>, 'addSystemMessage'>;
    leases: Pick<ConnectionLeaseReader, 'online'>;
    clock: Clock;
    log: Log;
    /** Time that an unanswered call rings. */
    ringMs: number;
    /** Called when the outbox has new entries. */
    wake: () => void;
    /** Removes everyone from the room of a call that has ended. */
    dropRoom: (callId: CallId, reason: RoomEnd) => Promise<void>;
    onOutcome: (outcome: CallEndReason) => void;
  }) {
    this.store = options.store;
    this.#chat = options.chat;
    this.#leases = options.leases;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#ringMs = options.ringMs;
    this.#wake = options.wake;
    this.#dropRoom = options.dropRoom;
    this.#onOutcome = options.onOutcome;
  }

  /** Runs a step for a person in the call. @throws call_not_found */
  async change(callId: CallId, userId: UserId, step: (call: StoredCall, now: Date) => StoredCall): Promise<StoredCall> {
    const change = await this.store.change(callId, (call) => {
      if (!call.people.some((one) => one.userId === userId)) throw callNotFound();
      return step(call, this.#clock.now());
    });
    return this.#after(change);
  }

  /** Handles the consequences of changed calls and returns the first. @throws call_not_found for an empty list */
  changed(changes: readonly CallChange[]): StoredCall {
    const [first, ...others] = changes.map((change) => this.#after(change));
    void others;
    return first ?? this.#after(undefined);
  }

  /** Handles a person having left the room of a call on all devices. */
  async leftRoom(callId: CallId, userId: UserId): Promise<void> {
    const change = await this.store.change(callId, (call) => leaveCallState(call, userId, this.#clock.now()));
    if (change) this.#after(change);
  }

  /** Ends a call because the plan's time is up. */
  async endByPlan(callId: CallId): Promise<void> {
    const change = await this.store.change(callId, (call) => finishCallState(call, this.#clock.now()));
    if (change) this.#after(change, 'time_limit');
  }

  /** Returns when the next ring times out. */
  async nextMissed(): Promise<Date | undefined> {
    const since = await this.store.ringsSince();
    return since && new Date(since.getTime() + this.#ringMs);
  }

  /** Stops rings that timed out. */
  async sweepRinging(): Promise<void> {
    const before = new Date(this.#clock.now().getTime() - this.#ringMs);
    for (const { callId, userId } of await this.store.ringingSince(before, atOnce)) {
      // A new ring for this person may have started meanwhile.
      const change = await this.store.change(callId, (call) =>
        call.people.some((one) => one.userId === userId && one.since.getTime() > before.getTime())
          ? call
          : stopRingingState(call, userId, 'missed', this.#clock.now()),
      );
      if (change) this.#after(change);
    }
  }

  /**
   * Ends calls whose people all disconnected without leaving: an empty battery, a tunnel, a killed browser. Returns
   * true if any calls exist.
   */
  async sweepAbandoned(): Promise<boolean> {
    let after = '';
    for (;;) {
      const calls = await this.store.answered(after, atOnce);
      const talking = calls.map((call) => call.people.filter(isTalkingInCall).map(({ userId }) => userId));
      // Rejects if presence is unavailable, so nobody counts as gone.
      const online = await this.#leases.online(talking.flat());
      for (const [index, call] of calls.entries()) {
        await this.#endIfAbandoned(call, talking[index]?.some((userId) => online.has(userId)) ?? true);
      }
      const last = calls.at(-1);
      if (!last || calls.length < atOnce) return after !== '' || last !== undefined;
      after = last.id;
    }
  }

  async #endIfAbandoned(call: StoredCall, anybody: boolean): Promise<void> {
    const now = this.#clock.now();
    const { aloneSince } = call;
    if (anybody) {
      if (aloneSince) await this.store.setAlone(call.id, null);
    } else if (!aloneSince) {
      await this.store.setAlone(call.id, now);
    } else if (now.getTime() - aloneSince.getTime() > aloneMs) {
      const change = await this.store.change(call.id, (one) => abandonCallState(one, aloneSince));
      if (change) this.#after(change);
    }
  }

  /**
   * Writes ended calls into their conversations. Retries do not duplicate entries, because the ID identifies the call.
   */
  async writeSystemMessages(): Promise<boolean> {
    const now = this.#clock.now();
    const retryAt = new Date(now.getTime() + systemMessageRetryMs);
    const calls = await this.store.takeCallsWithoutSystemMessage(now, retryAt, atOnce);
    for (const call of calls) {
      const systemMessage = toCallSystemMessage(call);
      try {
        if (systemMessage) {
          await this.#chat.addSystemMessage({
            actorId: call.callerId,
            conversationId: call.conversationId,
            clientMessageId: idFromName(call.id),
            content: JSON.stringify(systemMessage),
            // Calls that did not ring do not count as unread either.
            quiet: isQuietCallEnd(systemMessage.outcome) || call.people.some(({ silent }) => silent),
          });
        }
      } catch (error) {
        // The callee's chat accepts a stranger's call only within their preference and the request limit.
        if (!isAppError(error) || !['request_limit', 'messages_not_allowed'].includes(error.code)) {
          const passing = !isAppError(error) || ['unavailable', 'internal', 'rate_limited'].includes(error.kind);
          this.#log.warn({ err: error, passing }, 'writing a call into its conversation failed');
          if (passing) continue;
        }
      }
      await this.store.completeSystemMessage(call.id);
    }
    return calls.length > 0;
  }

  /** Handles a deleted account: leaves its open calls and removes it from past ones. */
  async forget(userId: UserId): Promise<void> {
    for (const callId of await this.store.openOf(userId)) await this.leftRoom(callId, userId);
    await this.store.forget(userId);
  }

  #after(change: CallChange | undefined, reason: RoomEnd = 'ended'): StoredCall {
    if (!change) throw callNotFound();
    const { before, after } = change;
    if (after === before) return after;
    this.#wake();
    if (after.status === 'ended' && before?.status !== 'ended') {
      if (after.endReason) this.#onOutcome(after.endReason);
      this.#quietly(this.writeSystemMessages(), 'writing calls into their conversations failed');
      if (after.mode === 'room') this.#quietly(this.#dropRoom(after.id, reason), 'closing the room of a call failed');
    }
    return after;
  }

  /** Runs work whose failure sweeps and leases will repair. */
  #quietly(work: Promise<unknown>, what: string): void {
    work.catch((error: unknown) => this.#log.warn({ err: error }, what));
  }
}
