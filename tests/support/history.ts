import type { Message } from '@nolo/api';

/** What of a message must be the same wherever it is seen. */
export type Sight = Pick<Message, 'id' | 'conversationId' | 'seq' | 'content' | 'clientMessageId' | 'senderId'>;

const sightOf = ({ id, conversationId, seq, content, clientMessageId, senderId }: Sight): Sight => ({
  id,
  conversationId,
  seq,
  content,
  clientMessageId,
  senderId,
});

interface Attempt {
  by: string;
  conversationId: string;
  content: string;
  tries: number;
}

/**
 * What happened, as seen from outside: what was tried, what was acknowledged, what each client saw and where. It holds
 * every observation against all earlier ones, whoever made them, and keeps what does not agree.
 */
export class History {
  /** By client message id. */
  readonly attempts = new Map<string, Attempt>();
  /** By client message id. */
  readonly acknowledged = new Map<string, Sight>();
  readonly violations: string[] = [];
  /** Live frames that came a second time, which the protocol allows. */
  redelivered = 0;
  readonly #byId = new Map<string, Sight>();
  readonly #idAt = new Map<string, string>();
  readonly #live = new Map<string, Set<string>>();

  violation(what: string): void {
    // One broken rule shows in every later observation; the first ones say enough.
    if (this.violations.length < 50) this.violations.push(what);
  }

  tries(by: string, clientMessageId: string, conversationId: string, content: string): void {
    const known = this.attempts.get(clientMessageId);
    if (known) known.tries += 1;
    else this.attempts.set(clientMessageId, { by, conversationId, content, tries: 1 });
  }

  acknowledges(by: string, clientMessageId: string, message: Message): void {
    const attempt = this.attempts.get(clientMessageId);
    if (message.clientMessageId !== clientMessageId || message.content !== attempt?.content) {
      this.violation(`${by} was acknowledged another message (${message.content}) than it sent (${attempt?.content})`);
    }
    const before = this.acknowledged.get(clientMessageId);
    if (before && before.id !== message.id) {
      this.violation(`${by} was acknowledged "${message.content}" twice, as two messages`);
    }
    this.acknowledged.set(clientMessageId, sightOf(message));
    this.sees(by, message);
  }

  /** A client came to know a message, in whatever way. */
  sees(by: string, message: Sight): void {
    const sight = sightOf(message);
    const place = `${sight.conversationId} seq ${sight.seq}`;
    const known = this.#byId.get(sight.id);
    if (known && JSON.stringify(known) !== JSON.stringify(sight)) {
      this.violation(`${by} saw ${JSON.stringify(sight)}, which was ${JSON.stringify(known)} before`);
    }
    const holder = this.#idAt.get(place);
    if (holder !== undefined && holder !== sight.id) {
      this.violation(`${by} saw "${sight.content}" at ${place}, where "${this.#byId.get(holder)?.content}" was before`);
    }
    this.#byId.set(sight.id, sight);
    this.#idAt.set(place, sight.id);
  }

  seesLive(by: string, message: Sight): void {
    this.sees(by, message);
    const live = this.#live.get(by) ?? new Set<string>();
    this.#live.set(by, live);
    if (live.has(message.id)) this.redelivered += 1;
    live.add(message.id);
  }

  /** What a client has on its screen: dense, in order, and nothing twice. */
  shows(by: string, conversationId: string, messages: readonly Sight[], from = 0): void {
    for (let index = Math.max(1, from); index < messages.length; index += 1) {
      const [previous, message] = [messages[index - 1], messages[index]];
      if (!previous || !message || message.seq === previous.seq + 1) continue;
      this.violation(`${by} showed seq ${message.seq} right after ${previous.seq} in ${conversationId}`);
    }
  }

  /** What the server has in the end must be what was tried and acknowledged: each message once, seq dense from 1. */
  checkStored(conversationId: string, stored: readonly Message[]): void {
    stored.forEach((message, index) => {
      if (message.seq !== index + 1)
        this.violation(`${conversationId} stores seq ${message.seq} at place ${index + 1}`);
      this.sees('the server', message);
    });
    const count = new Map<string, number>();
    for (const { clientMessageId } of stored) {
      count.set(clientMessageId ?? '', (count.get(clientMessageId ?? '') ?? 0) + 1);
    }
    for (const [clientMessageId, attempt] of this.attempts) {
      if (attempt.conversationId !== conversationId) continue;
      const times = count.get(clientMessageId) ?? 0;
      const acknowledged = this.acknowledged.has(clientMessageId);
      if (times > 1) this.violation(`"${attempt.content}" is stored ${times} times after ${attempt.tries} tries`);
      if (times === 0 && acknowledged) this.violation(`"${attempt.content}" was acknowledged and is lost`);
      if (times > 0 && !acknowledged) this.violation(`"${attempt.content}" is stored and its sender never learned it`);
    }
    for (const { clientMessageId, content } of stored) {
      if (!this.attempts.has(clientMessageId ?? '')) this.violation(`"${content}" is stored, and nobody sent it`);
    }
  }

  /** What a member's client has in the end must be exactly what the server has. */
  checkShown(by: string, conversationId: string, shown: readonly Sight[], stored: readonly Message[]): void {
    const have = shown.map(({ id }) => id);
    const want = stored.map(({ id }) => id);
    if (JSON.stringify(have) === JSON.stringify(want)) return;
    const missing = stored.filter(({ id }) => !have.includes(id)).map(({ seq }) => seq);
    const doubled = shown.filter(({ id }, index) => have.indexOf(id) !== index).map(({ seq }) => seq);
    this.violation(
      `${by} ends with ${have.length} of ${want.length} messages of ${conversationId}: missing seq [${missing.join()}], double [${doubled.join()}], order ${missing.length + doubled.length === 0 ? 'differs' : 'not judged'}`,
    );
  }
}
