import {
  createClientObservations,
  createConversationLedger,
  fingerprintIdentity,
  isErasure,
  judgeAmendments,
  isPossibleState,
  describeContent,
  fingerprintState,
  type MessageAmendment,
  type SendAttempt,
  type ConversationLedger,
  type MessageObservation,
  type ClientObservations,
} from './messageObservations.ts';
import { compareShown, few } from './shownMessages.ts';

export type HistoryRule = 'lost' | 'double' | 'order' | 'amendment' | 'calm' | 'unopenable' | 'other';

/**
 * Records what happened, as seen from outside: attempts, acknowledgements, and what each client saw at which place.
 * Compares every observation with all earlier ones, from any client, and stores contradictions. Verified messages are
 * reduced to a few bytes, so that a run may be arbitrarily long.
 */
export class ChaosHistory {
  /** Attempts not forgotten yet, by client message id. */
  readonly attempts = new Map<string, SendAttempt>();
  /** Descriptions of the first violations. */
  readonly violations: string[] = [];
  /** Number of violations of each rule. */
  readonly broken: Record<HistoryRule, number> = {
    lost: 0,
    double: 0,
    order: 0,
    amendment: 0,
    calm: 0,
    unopenable: 0,
    other: 0,
  };
  /** Numbers of messages sent, of attempts, and of acknowledgements. */
  sent = 0;
  tried = 0;
  acknowledged = 0;
  /** Number of acknowledged messages that were found where they belong. */
  verified = 0;
  amended = 0;
  reacted = 0;
  /**
   * Messages that ended with an edit whose answer was lost, and which was then repeated, acknowledged and followed by
   * another.
   */
  lateAmendments = 0;
  /** Live frames that arrived a second time, or after a later one; the protocol allows both. */
  redelivered = 0;
  late = 0;
  /** Longest time without any acknowledgement, in milliseconds. Intended silence starts with `pause`. */
  longestOutageMs = 0;
  #lastAcknowledgedAt: number | undefined;
  readonly #now: () => number;
  readonly #ledgers = new Map<string, ConversationLedger>();
  readonly #views = new Map<string, Map<string, ClientObservations>>();

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  violation(what: string, rule: HistoryRule = 'other'): void {
    this.broken[rule] += 1;
    // A broken rule shows in every later observation; the first ones are enough.
    if (this.violations.length < 50) this.violations.push(what);
  }

  #ledger(conversationId: string): ConversationLedger {
    const known = this.#ledgers.get(conversationId);
    if (known) return known;
    const fresh = createConversationLedger();
    this.#ledgers.set(conversationId, fresh);
    return fresh;
  }

  #view(by: string, conversationId: string): ClientObservations {
    const views = this.#views.get(by) ?? new Map<string, ClientObservations>();
    this.#views.set(by, views);
    const view = views.get(conversationId) ?? createClientObservations();
    views.set(conversationId, view);
    return view;
  }

  tries(clientMessageId: string, conversationId: string, content: string): void {
    this.tried += 1;
    const known = this.attempts.get(clientMessageId);
    if (known) {
      known.tries += 1;
      return;
    }
    const ledger = this.#ledger(conversationId);
    const place = { clientMessageId, conversationId, seq: 0, floor: ledger.highestAcknowledged };
    const attempt: SendAttempt = {
      ...place,
      content,
      tries: 1,
      acknowledged: false,
      stored: 0,
      amendments: [],
      reactions: new Map(),
    };
    this.sent += 1;
    this.attempts.set(clientMessageId, attempt);
    ledger.attempts.add(attempt);
  }

  acknowledges(by: string, clientMessageId: string, message: MessageObservation): void {
    const attempt = this.attempts.get(clientMessageId);
    if (!attempt)
      return this.violation(`${by} received an acknowledgement of "${message.content}", which it did not send`);
    // A repeated attempt is answered with the present state.
    const same = message.content === attempt.content || attempt.amendments.length > 0;
    if (message.clientMessageId !== clientMessageId || !same) {
      this.violation(
        `${by} received an acknowledgement of another message (${message.content}) than it sent (${attempt.content})`,
      );
    }
    const before = attempt.seq;
    if (attempt.acknowledged && before !== message.seq) {
      this.violation(`${by} received two acknowledgements of "${message.content}", as two messages`, 'double');
    }
    if (message.seq <= attempt.floor) {
      this.violation(
        `${by} sent "${attempt.content}" when seq ${attempt.floor} was acknowledged, and it became ${message.seq}`,
        'order',
      );
    }
    if (!attempt.acknowledged) {
      attempt.acknowledged = true;
      this.acknowledged += 1;
    }
    const ledger = this.#ledger(message.conversationId);
    ledger.highestAcknowledged = Math.max(ledger.highestAcknowledged, message.seq);
    this.#breathes();
    this.sees(by, message);
  }

  #breathes(): void {
    this.longestOutageMs = Math.max(this.longestOutageMs, this.silenceMs);
    this.#lastAcknowledgedAt = this.#now();
  }

  /** Milliseconds since the last acknowledgement. */
  get silenceMs(): number {
    return this.#lastAcknowledgedAt === undefined ? 0 : this.#now() - this.#lastAcknowledgedAt;
  }

  /** Marks the start of intended silence, which is not an outage. */
  pause(): void {
    this.#lastAcknowledgedAt = undefined;
  }

  /** Records that the author begins to change a message. Returns undefined if it was forgotten meanwhile. */
  amends(clientMessageId: string, content: string | null): MessageAmendment | undefined {
    const attempt = this.attempts.get(clientMessageId);
    if (!attempt) return undefined;
    const amendment: MessageAmendment = { content, acknowledged: false, unknown: 0 };
    attempt.amendments.push(amendment);
    return amendment;
  }

  amendmentAcknowledged(by: string, amendment: MessageAmendment, message: MessageObservation): void {
    const erased = Boolean(message.deletedAt);
    if (erased !== isErasure(amendment) || (!erased && message.content !== amendment.content)) {
      this.violation(
        `${by} changed a message to ${describeContent(amendment.content)} but was answered otherwise`,
        'amendment',
      );
    }
    amendment.acknowledged = true;
    this.amended += 1;
    this.sees(by, message);
  }

  /**
   * Records that a user begins to react or to remove a reaction. Returns undefined if the message was forgotten
   * meanwhile.
   */
  reacts(clientMessageId: string, userId: string, emoji: string | null): MessageAmendment | undefined {
    const attempt = this.attempts.get(clientMessageId);
    if (!attempt) return undefined;
    const reaction: MessageAmendment = { content: emoji, acknowledged: false, unknown: 0 };
    attempt.reactions.set(userId, [...(attempt.reactions.get(userId) ?? []), reaction]);
    return reaction;
  }

  reactionAcknowledged(by: string, userId: string, reaction: MessageAmendment, message: MessageObservation): void {
    const has = message.reactions?.find((one) => one.userId === userId)?.emoji ?? null;
    if (has !== reaction.content && !message.deletedAt) {
      this.violation(`${by} reacted with ${reaction.content ?? 'nothing'} and was answered ${has}`, 'amendment');
    }
    reaction.acknowledged = true;
    this.reacted += 1;
    this.sees(by, message);
  }

  /** Records that a client received a message, by any way. */
  sees(by: string, message: MessageObservation): void {
    const { conversationId, seq, content } = message;
    const ledger = this.#ledger(conversationId);
    const attempt = this.attempts.get(message.clientMessageId ?? '');
    const place = `${conversationId} seq ${seq}`;
    if (attempt && attempt.seq !== 0 && (attempt.seq !== seq || attempt.conversationId !== conversationId)) {
      this.violation(`${by} saw "${content}" at ${place}, which was at seq ${attempt.seq} before`, 'double');
    } else if (attempt && ledger.identity.get(seq) === 0) {
      attempt.seq = seq;
      ledger.at.set(seq, attempt);
    }
    const identity = fingerprintIdentity(message);
    const holder = ledger.identity.get(seq);
    if (holder === 0) ledger.identity.set(seq, identity);
    else if (holder !== identity) {
      const other = ledger.at.get(seq);
      const what = other && other !== attempt ? `"${other.content}"` : 'a message with another id or author';
      this.violation(`${by} saw "${content}" at ${place}, where ${what} was before`, 'order');
    }
    if (attempt && !isPossibleState(attempt, message)) {
      this.violation(
        `${by} saw ${describeContent(message.deletedAt ? null : content)} at ${place}, which nobody made of it`,
      );
    }
    const state = fingerprintState(message);
    const known = ledger.change.get(seq);
    if (message.changeSeq > known) {
      ledger.change.set(seq, message.changeSeq);
      ledger.state.set(seq, state);
    } else if (message.changeSeq === known && ledger.state.get(seq) !== state) {
      this.violation(`${by} saw "${content}" at ${place}, which was another text at the same changeSeq`, 'amendment');
    }
    this.#takes(by, ledger, message);
  }

  seesLive(by: string, message: MessageObservation): void {
    this.sees(by, message);
    const place = message.seq - this.#ledger(message.conversationId).base;
    if (place <= 0) return;
    const view = this.#view(by, message.conversationId);
    const before = view.live.get(place);
    if (before >= message.changeSeq) this.redelivered += 1;
    else {
      // Edits may arrive at any time; only new messages have an order.
      if (before === 0 && place < view.highestLive) this.late += 1;
      view.live.set(place, message.changeSeq);
      view.highestLive = Math.max(view.highestLive, place);
    }
  }

  #takes(by: string, ledger: ConversationLedger, message: MessageObservation): void {
    const place = message.seq - ledger.base;
    if (place <= 0) return;
    const view = this.#view(by, message.conversationId);
    if (message.changeSeq <= view.change.get(place)) return;
    view.change.set(place, message.changeSeq);
    view.state.set(place, fingerprintState(message));
  }

  /** Checks a client's screen: no gaps, in order, and no duplicates. */
  shows(by: string, conversationId: string, messages: readonly MessageObservation[], from = 0): void {
    for (let index = Math.max(1, from); index < messages.length; index += 1) {
      const [previous, message] = [messages[index - 1], messages[index]];
      if (!previous || !message || message.seq === previous.seq + 1) continue;
      this.violation(`${by} showed seq ${message.seq} right after ${previous.seq} in ${conversationId}`, 'order');
    }
  }

  /** Returns the seq up to which a conversation was verified and forgotten. */
  verifiedUpTo(conversationId: string): number {
    return this.#ledger(conversationId).base;
  }

  /**
   * Checks the server's messages against what was tried and acknowledged: each message once, seq without gaps, and in
   * the last acknowledged state. Takes the messages after the part verified earlier.
   */
  checkStored(conversationId: string, stored: readonly MessageObservation[]): void {
    const ledger = this.#ledger(conversationId);
    for (const attempt of ledger.attempts) attempt.stored = 0;
    stored.forEach((message, index) => {
      const place = ledger.base + index + 1;
      if (message.seq !== place) {
        this.violation(`${conversationId} stores seq ${message.seq} at place ${place}`, 'order');
      }
      this.sees('the server', message);
      const attempt = this.attempts.get(message.clientMessageId ?? '');
      if (!attempt) return this.violation(`"${message.content}" is stored, and nobody sent it`, 'double');
      attempt.stored += 1;
      this.#checkState(attempt, message);
    });
    for (const attempt of ledger.attempts) {
      const { stored: times, content, tries, acknowledged } = attempt;
      if (times > 1) this.violation(`"${content}" is stored ${times} times after ${tries} attempts`, 'double');
      if (times === 0 && acknowledged) this.violation(`"${content}" was acknowledged and is lost`, 'lost');
      if (times > 0 && !acknowledged) this.violation(`"${content}" is stored and its sender never learned it`);
    }
  }

  #checkState(attempt: SendAttempt, message: MessageObservation): void {
    const { amendments, content } = attempt;
    const place = `"${content}" (seq ${message.seq} of ${message.conversationId})`;
    const has = message.deletedAt ? null : message.content;
    const verdict = judgeAmendments(amendments, content, has);
    // An erased message must not come back.
    if (verdict === 'late' && amendments.findLast(({ acknowledged }) => acknowledged)?.content !== null) {
      this.lateAmendments += 1;
    } else if (verdict !== 'right') {
      const wanted = verdict === 'late' ? null : verdict.wanted;
      this.violation(
        `${place} ends as ${describeContent(has)}, and ${describeContent(wanted)} was acknowledged last`,
        'amendment',
      );
    }
    if (message.deletedAt) return;
    for (const [userId, made] of attempt.reactions) {
      const reaction = message.reactions?.find((one) => one.userId === userId)?.emoji ?? null;
      const judged = judgeAmendments(made, null, reaction);
      if (judged === 'late') this.lateAmendments += 1;
      else if (judged !== 'right') {
        const wanted = judged.wanted ?? 'nothing';
        this.violation(
          `${place} ends with ${reaction ?? 'nothing'} of ${userId}, ${wanted} was acknowledged last`,
          'amendment',
        );
      }
      if (made.some(({ gone }) => gone))
        this.violation(`${place} was said to be gone to ${userId}, and is there`, 'lost');
    }
  }

  /** Checks that the final screen of a member's client is exactly what the server has. */
  checkShown(
    by: string,
    conversationId: string,
    all: readonly MessageObservation[],
    stored: readonly MessageObservation[],
  ): void {
    const { base } = this.#ledger(conversationId);
    const shown = all.filter(({ seq }) => seq > base);
    const difference = compareShown(shown, stored);
    if (difference) this.violation(`${by} ends with ${difference.what} in ${conversationId}`, difference.rule);
  }

  /** Checks that what a member's client received, live or on request, is by now all that the server has. */
  checkReceived(by: string, conversationId: string, stored: readonly MessageObservation[]): void {
    const { base } = this.#ledger(conversationId);
    const view = this.#view(by, conversationId);
    const missing = stored.filter(({ seq }) => view.change.get(seq - base) === 0).map(({ seq }) => seq);
    if (missing.length > 0) {
      this.violation(`${by} was never told seq ${few(missing)} of ${conversationId}`, 'lost');
    }
    const stale = stored.filter((message) => {
      const known = view.state.get(message.seq - base);
      return known !== 0 && known !== fingerprintState(message);
    });
    if (stale.length > 0) {
      const seqs = few(stale.map(({ seq }) => seq));
      this.violation(`${by} was never told the last state of seq ${seqs} of ${conversationId}`, 'amendment');
    }
  }

  /** Forgets verified messages, except for fingerprints of their identity and content. */
  forget(conversationId: string, stored: readonly MessageObservation[]): void {
    const ledger = this.#ledger(conversationId);
    for (const attempt of ledger.attempts) {
      if (attempt.stored === 0) continue;
      if (attempt.acknowledged) this.verified += 1;
      ledger.attempts.delete(attempt);
      this.attempts.delete(attempt.clientMessageId);
    }
    ledger.at.clear();
    for (const message of stored) ledger.state.set(message.seq, fingerprintState(message));
    ledger.base = stored.at(-1)?.seq ?? ledger.base;
    for (const views of this.#views.values()) views.delete(conversationId);
  }

  /** Checks a page that was verified long ago, with `from` as its first seq: it must be unchanged. */
  checkKept(conversationId: string, from: number, page: readonly MessageObservation[]): void {
    const ledger = this.#ledger(conversationId);
    page.forEach((message, index) => {
      const seq = from + index;
      if (seq > ledger.base) return;
      if (message.seq !== seq || fingerprintIdentity(message) !== ledger.identity.get(seq)) {
        this.violation(`seq ${seq} of ${conversationId} was verified, and by now another message is there`, 'lost');
      } else if (fingerprintState(message) !== ledger.state.get(seq)) {
        this.violation(`seq ${seq} of ${conversationId} was verified, and by now it has another text`, 'amendment');
      }
    });
  }
}
