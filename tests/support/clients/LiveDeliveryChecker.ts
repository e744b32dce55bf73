import type { ChaosHistory } from './ChaosHistory.ts';

/** Maximum milliseconds until every connected device gets an acknowledged change while nothing is broken, ... */
const liveWithinMs = 2_000;
/** ... plus this many times the slowest answer: a machine that is slow to answer is slow to deliver. */
const answersMore = 3;
const tickMs = 50;
/**
 * Longest expected tick. A later one means that the checker itself stood still, and its input is waiting to be read.
 */
const maxCountedTickMs = 100;

/** Start of a change: in which calm, and when by the checker's own time. */
interface Moment {
  readonly calm: number;
  readonly at: number;
}

interface Due {
  conversationId: string;
  changeSeq: number;
  since: number;
  /** Devices without a live frame yet. */
  waiting: Set<string>;
}

/**
 * Checks live delivery. While things break, a lost frame is made up for by the next one that arrives, because its
 * receiver sees the gap and catches up; so a relay that skips every hundredth row would seem correct. In calm nothing
 * makes up for anything: each acknowledged change reaches every device in its conversation live within 2 s, and no
 * device loses its connection or has to catch up. The two seconds apply to a machine that answers at once.
 */
export class LiveDeliveryChecker {
  /** Number of changes checked, and the longest time until the last device got one. */
  checked = 0;
  slowestMs = 0;
  /** Longest time until an acknowledgement in this calm. */
  slowestAnswerMs = 0;
  /** Seconds of calm that were watched. */
  seconds = 0;
  readonly #history: ChaosHistory;
  readonly #devices = new Map<string, Set<string>>();
  /** Highest change known of each conversation. */
  readonly #highest = new Map<string, number>();
  /** Highest changes when the calm began: an acknowledgement at or below was already delivered. */
  #floor = new Map<string, number>();
  /** Changes delivered to devices since the calm began, by conversation. */
  readonly #received = new Map<string, Map<string, Set<number>>>();
  #due: Due[] = [];
  /** Number of the current calm; undefined while things break. */
  #calm: number | undefined;
  #taking = false;
  #calms = 0;
  /** Checker's own time, in milliseconds, excluding periods in which it stood still. */
  #time = 0;
  #timer: NodeJS.Timeout | undefined;
  #onSettled: (() => void) | undefined;

  constructor(history: ChaosHistory) {
    this.#history = history;
  }

  /** Registers a device that receives a conversation from now on. */
  follows(device: string, conversationId: string): void {
    const devices = this.#devices.get(conversationId) ?? new Set();
    this.#devices.set(conversationId, devices.add(device));
  }

  /** Begins a calm: nothing is broken, and everything that was has had time to recover. */
  begin(): void {
    this.#calms += 1;
    this.#calm = this.#calms;
    this.#taking = true;
    this.slowestAnswerMs = 0;
    this.#floor = new Map(this.#highest);
    this.#received.clear();
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#advance(Math.min(now - last, maxCountedTickMs));
      last = now;
    }, tickMs);
  }

  /** Waits for the changes acknowledged in this calm, and accepts no others. */
  async end(): Promise<void> {
    if (this.#calm === undefined) return;
    this.#taking = false;
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve;
      this.#settle();
    });
    this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#calm = undefined;
    this.#taking = false;
    this.#due = [];
    this.#onSettled?.();
  }

  /** Start of a change now; passed on with its acknowledgement. */
  get moment(): Moment | undefined {
    return this.#calm === undefined ? undefined : { calm: this.#calm, at: this.#time };
  }

  /** Records that a change begun at `moment` was acknowledged. */
  acknowledged(moment: Moment | undefined, conversationId: string, changeSeq: number): void {
    this.knows(conversationId, changeSeq);
    if (!this.#taking || moment === undefined || moment.calm !== this.#calm) return;
    this.slowestAnswerMs = Math.max(this.slowestAnswerMs, this.#time - moment.at);
    // Actions without effect, such as a repeated reaction, are answered with the earlier change.
    if (changeSeq <= (this.#floor.get(conversationId) ?? 0)) return;
    const receivedByDevice = this.#received.get(conversationId);
    const devices = [...(this.#devices.get(conversationId) ?? [])];
    const waiting = new Set(devices.filter((device) => receivedByDevice?.get(device)?.has(changeSeq) !== true));
    this.checked += 1;
    if (waiting.size > 0) this.#due.push({ conversationId, changeSeq, since: this.#time, waiting });
  }

  /** Records that a change exists, from any source. */
  knows(conversationId: string, changeSeq: number): void {
    this.#highest.set(conversationId, Math.max(changeSeq, this.#highest.get(conversationId) ?? 0));
  }

  /** Records that a device received a change over its socket. */
  receives(device: string, conversationId: string, changeSeq: number): void {
    this.knows(conversationId, changeSeq);
    if (this.#calm === undefined) return;
    const ofConversation = this.#received.get(conversationId) ?? new Map<string, Set<number>>();
    this.#received.set(conversationId, ofConversation);
    const receivedByDevice = ofConversation.get(device) ?? new Set();
    ofConversation.set(device, receivedByDevice.add(changeSeq));
    for (const due of this.#due) {
      if (due.changeSeq !== changeSeq || due.conversationId !== conversationId) continue;
      due.waiting.delete(device);
      if (due.waiting.size === 0) this.slowestMs = Math.max(this.slowestMs, this.#time - due.since);
    }
    this.#settle();
  }

  catchesUp(device: string, why: string): void {
    if (this.#calm !== undefined) this.#history.violation(`${device} had to catch up in calm: ${why}`, 'calm');
  }

  recordConnectionLoss(device: string, code: number): void {
    if (this.#calm !== undefined) this.#history.violation(`${device} lost its line in calm (${code})`, 'calm');
  }

  #advance(ms: number): void {
    this.#time += ms;
    this.seconds += ms / 1_000;
    const withinMs = liveWithinMs + answersMore * this.slowestAnswerMs;
    for (const { conversationId, changeSeq, since, waiting } of this.#due) {
      if (this.#time - since < withinMs) continue;
      for (const device of waiting) {
        this.#history.violation(
          `${device} was not told live of change ${changeSeq} of ${conversationId} within ${(withinMs / 1_000).toFixed(1)} s, in calm`,
          'calm',
        );
      }
      waiting.clear();
    }
    this.#settle();
  }

  #settle(): void {
    this.#due = this.#due.filter(({ waiting }) => waiting.size > 0);
    if (this.#due.length === 0) this.#onSettled?.();
  }
}
