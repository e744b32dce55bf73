import type { UnapprovedMessageReply, Message, NewMessage } from '@nolo/api';
import type { SendFailure, Timers } from '../ports.ts';
import { HeldError } from './heldError.ts';
import type { HeldState } from './ports.ts';

interface Dependencies {
  send(message: NewMessage): Promise<Message | UnapprovedMessageReply>;
  failureOf(error: unknown): SendFailure;
  timers: Timers;
  onSent(message: Message): void;
  /** The message arrived and is pending approval. */
  onUnapproved(message: NewMessage): void;
  /**
   * The message waits for the connection or the server, as do all after it; with `heldBy` for the user or for keys,
   * until `resume`.
   */
  onWaiting(message: NewMessage, heldBy?: HeldState): void;
  onSending(message: NewMessage): void;
  onFailed(message: NewMessage, failure: SendFailure): void;
}

const retryMs = [1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Sends messages in the order they were written, one at a time per conversation. Sending again is safe, because the
 * client's UUID makes the server return its first response (decision 11).
 */
export function createMessageOutbox({
  send,
  failureOf,
  timers,
  onSent,
  onUnapproved,
  onWaiting,
  onSending,
  onFailed,
}: Dependencies) {
  interface Queue {
    messages: NewMessage[];
    busy: boolean;
    failures: number;
    cancelRetry: () => void;
    heldBy: HeldState | undefined;
  }
  const queues = new Map<string, Queue>();
  let stopped = false;

  const next = async (queue: Queue): Promise<void> => {
    const head = queue.messages[0];
    if (!head || queue.busy || stopped) return;
    queue.cancelRetry();
    queue.busy = true;
    queue.heldBy = undefined;
    onSending(head);
    try {
      const answer = await send(head);
      queue.messages.shift();
      queue.failures = 0;
      if (!stopped) {
        if ('held' in answer) onUnapproved(head);
        else onSent(answer);
      }
    } catch (error) {
      if (stopped) return;
      if (error instanceof HeldError) {
        queue.heldBy = error.state;
        for (const message of queue.messages) onWaiting(message, error.state);
        return;
      }
      const failure = failureOf(error);
      if (failure.passing) {
        const delay = failure.retryAfterMs ?? retryMs[Math.min(queue.failures, retryMs.length - 1)] ?? 0;
        queue.failures += 1;
        for (const message of queue.messages) onWaiting(message);
        queue.cancelRetry = timers.after(delay, () => void next(queue));
        return;
      }
      queue.messages.shift();
      onFailed(head, failure);
    } finally {
      queue.busy = false;
    }
    await next(queue);
  };

  return {
    add(message: NewMessage): void {
      const queue = queues.get(message.conversationId) ?? {
        messages: [],
        busy: false,
        failures: 0,
        cancelRetry: () => {},
        heldBy: undefined,
      };
      queues.set(message.conversationId, queue);
      queue.messages.push(message);
      if (queue.messages.length === 1) void next(queue);
      else if (queue.failures > 0 || queue.heldBy) onWaiting(message, queue.heldBy);
    },
    /** Tries again what a conversation held back; null: all of them. */
    resume(conversationId: string | null): void {
      for (const [id, queue] of queues) {
        if (queue.heldBy && !queue.busy && (conversationId === null || id === conversationId)) void next(queue);
      }
    },
    /** Retries all waiting queues immediately after reconnecting. */
    flush(): void {
      for (const queue of queues.values()) if (!queue.busy) void next(queue);
    },
    stop(): void {
      stopped = true;
      for (const queue of queues.values()) queue.cancelRetry();
    },
  };
}
