import type { History } from './history.ts';

/** Within this time everybody who is connected is told of what was acknowledged, while nothing is broken, ... */
const liveWithinMs = 2_000;
/** ... and so many times what the slowest answer took: a machine that is slow to answer is slow to tell. */
const answersMore = 3;
const tickMs = 50;
/** A tick that comes later than this means that the checker itself stood still, and what it was told waits to be read. */
const mostPerTickMs = 100;

/** When a change was begun: in which calm, and when by the checker's own time. */
interface Moment {
  readonly calm: number;
  readonly at: number;
}

interface Due {
  conversationId: string;
  changeSeq: number;
  since: number;
  /** Devices that were not told live yet. */
  waiting: Set<string>;
}

/**
 * Holds live delivery to its word. While things break, a frame that is lost is made up for by the next one that is not,
 * for its receiver sees the gap and catches up; so a relay that skips every hundredth row would pass for a sound one. In
 * calm nothing makes up for anything: each change that is acknowledged is told to every device in its conversation within
 * 2 s, live, and nobody loses a line or has to catch up. The two seconds are those of a machine that answers at once.
 */
export class CalmWatch {
  /** Changes that were held to it, and the longest time until the last device was told of one. */
  held = 0;
  slowestMs = 0;
  /** The longest time until something was acknowledged in this calm. */
  slowestAnswerMs = 0;
  /** Seconds of calm that were watched. */
  seconds = 0;
  readonly #history: History;
  readonly #devices = new Map<string, Set<string>>();
  /** The highest change of each conversation that anybody was ever told of. */
  readonly #highest = new Map<string, number>();
  /** The same when the calm began: what comes to be acknowledged at or below was told before. */
  #floor = new Map<string, number>();
  /** What devices were told since the calm began, by conversation. */
  readonly #told = new Map<string, Map<string, Set<number>>>();
  #due: Due[] = [];
  /** Which calm it is; undefined while things break. */
  #calm: number | undefined;
  #taking = false;
  #calms = 0;
  /** The checker's own time, in milliseconds, without those in which it stood still. */
  #time = 0;
  #timer: NodeJS.Timeout | undefined;
  #onSettled: (() => void) | undefined;

  constructor(history: History) {
    this.#history = history;
  }

  /** A device that is told of a conversation from now on. */
  follows(device: string, conversationId: string): void {
    const devices = this.#devices.get(conversationId) ?? new Set();
    this.#devices.set(conversationId, devices.add(device));
  }

  /** Nothing is broken any more, and everything that was has had the time to heal. */
  begin(): void {
    this.#calms += 1;
    this.#calm = this.#calms;
    this.#taking = true;
    this.slowestAnswerMs = 0;
    this.#floor = new Map(this.#highest);
    this.#told.clear();
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#advance(Math.min(now - last, mostPerTickMs));
      last = now;
    }, tickMs);
  }

  /** What was acknowledged in this calm is still waited for, and nothing else is taken up. */
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

  /** Somebody begins a change; what it answers goes with the acknowledgement. */
  get moment(): Moment | undefined {
    return this.#calm === undefined ? undefined : { calm: this.#calm, at: this.#time };
  }

  /** A change that was begun at `moment` was acknowledged. */
  acknowledged(moment: Moment | undefined, conversationId: string, changeSeq: number): void {
    this.knows(conversationId, changeSeq);
    if (!this.#taking || moment === undefined || moment.calm !== this.#calm) return;
    this.slowestAnswerMs = Math.max(this.slowestAnswerMs, this.#time - moment.at);
    // What changes nothing, such as the same reaction again, is answered with the change before.
    if (changeSeq <= (this.#floor.get(conversationId) ?? 0)) return;
    const told = this.#told.get(conversationId);
    const devices = [...(this.#devices.get(conversationId) ?? [])];
    const waiting = new Set(devices.filter((device) => told?.get(device)?.has(changeSeq) !== true));
    this.held += 1;
    if (waiting.size > 0) this.#due.push({ conversationId, changeSeq, since: this.#time, waiting });
  }

  /** There is such a change, however that became known. */
  knows(conversationId: string, changeSeq: number): void {
    this.#highest.set(conversationId, Math.max(changeSeq, this.#highest.get(conversationId) ?? 0));
  }

  /** A device was told of a change over its socket. */
  hears(device: string, conversationId: string, changeSeq: number): void {
    this.knows(conversationId, changeSeq);
    if (this.#calm === undefined) return;
    const ofConversation = this.#told.get(conversationId) ?? new Map<string, Set<number>>();
    this.#told.set(conversationId, ofConversation);
    const told = ofConversation.get(device) ?? new Set();
    ofConversation.set(device, told.add(changeSeq));
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

  losesLine(device: string, code: number): void {
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
