import type { TestReply } from '@nolo/testing';

/** Returns the reply, or throws if it is a refusal; `what` names the request. */
export function requireSuccess<T extends TestReply>(reply: T, what: string): T {
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw new Error(`${what} was answered with ${reply.status}: ${JSON.stringify(reply.body)}`);
}
