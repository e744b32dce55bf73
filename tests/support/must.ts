import type { TestReply } from '@nolo/testing';

/** The reply, where it is no refusal; `what` says what was asked for. */
export function must<T extends TestReply>(reply: T, what: string): T {
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw new Error(`${what} was answered with ${reply.status}: ${JSON.stringify(reply.body)}`);
}
