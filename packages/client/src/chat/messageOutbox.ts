import type { UnapprovedMessageReply, Message, NewMessage } from '@nolo/api';
import type { SendFailure, Timers } from '../ports.ts';
import type { HeldBack, HeldState } from './ports.ts';

interface Dependencies {
  send(message: NewMessage): Promise<Message | UnapprovedMessageReply | HeldBack>;
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
    /** True if what held it back may be over since its request began. */
    isResumed: boolean;
  }
  const queues = new Map<string, Queue>();
  let stopped = false;

  const next = async (queue: Queue): Promise<void> => {
    const head = queue.messages[0];
    if (!head || queue.busy || stopped) return;
    queue.cancelRetry();
    queue.busy = true;
    queue.heldBy = undefined;
    queue.isResumed = false;
    onSending(head);
    try {
      const answer = await send(head);
      if ('heldBy' in answer) {
        queue.heldBy = answer.heldBy;
        for (const message of queue.messages) onWaiting(message, answer.heldBy);
        if (!queue.isResumed) return;
      } else {
        queue.messages.shift();
        queue.failures = 0;
        if (!stopped) {
          if ('held' in answer) onUnapproved(head);
          else onSent(answer);
        }
      }
    } catch (error) {
      if (stopped) return;
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
        isResumed: false,
      };
      queues.set(message.conversationId, queue);
      queue.messages.push(message);
      if (queue.messages.length === 1) void next(queue);
      else if (queue.failures > 0 || queue.heldBy) onWaiting(message, queue.heldBy);
    },
    /** Forgets a message that is held back. */
    remove({ conversationId, clientMessageId }: Pick<NewMessage, 'conversationId' | 'clientMessageId'>): void {
      const queue = queues.get(conversationId);
      if (!queue?.heldBy || queue.busy) return;
      queue.messages = queue.messages.filter((message) => message.clientMessageId !== clientMessageId);
      void next(queue);
    },
    /** Tries again what a conversation held back; null: all of them. */
    resume(conversationId: string | null): void {
      for (const [id, queue] of queues) {
        if (conversationId !== null && id !== conversationId) continue;
        if (queue.busy) queue.isResumed = true;
        else if (queue.heldBy) void next(queue);
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
