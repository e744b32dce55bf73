/** How loud something was just now, in dBov: -127 is silence, 0 as loud as can be. */
export interface Level {
  readonly id: string;
  readonly volume: number;
}

interface Voice {
  /** Smoothed: quick to rise, slow to fall, so that a pause between words does not end a turn. */
  level: number;
  /** As measured last. */
  volume: number;
  measuredAt: number;
  /** When it was last let through or held back. */
  changedAt: number;
}

const silence = -127;
const riseMs = 120;
const fallMs = 900;

/** Who is held back must be louder than the quietest who is let through by this much... */
const margin = 6;
/** ...who keeps the place for at least this long. */
const holdMs = 800;

/**
 * Chooses whose voice is forwarded: the loudest few. Three people are as many as anyone can follow, and a hundred open
 * microphones are mostly keyboards. Hysteresis in level and time keeps the choice from flapping.
 */
export class LoudestVoices {
  readonly #places: number;
  readonly #audibleLevel: number;
  readonly #voices = new Map<string, Voice>();
  #forwarded: ReadonlySet<string> = new Set();
  #dominant: string | undefined;

  constructor({ places = 3, audibleLevel = -60 }: { places?: number; audibleLevel?: number } = {}) {
    this.#places = places;
    this.#audibleLevel = audibleLevel;
  }

  /** A microphone that is on. */
  add(id: string, now: number): void {
    if (this.#voices.has(id)) return;
    this.#voices.set(id, { level: silence, volume: silence, measuredAt: now, changedAt: now - holdMs });
  }

  /** A microphone that was muted or is gone. */
  remove(id: string): void {
    this.#voices.delete(id);
    if (this.#dominant === id) this.#dominant = undefined;
  }

  /** Takes one measurement of everybody; who is not in it was silent. */
  hear(levels: readonly Level[], now: number): void {
    const volumes = new Map(levels.map(({ id, volume }) => [id, volume]));
    for (const [id, voice] of this.#voices) {
      const volume = volumes.get(id) ?? silence;
      const share = 1 - Math.exp(-(now - voice.measuredAt) / (volume > voice.level ? riseMs : fallMs));
      voice.level += (volume - voice.level) * share;
      voice.volume = volume;
      voice.measuredAt = now;
    }
  }

  /** Who has the floor, as the observer of speech sees it: while audible never held back, shown first. */
  setDominant(id: string | undefined): void {
    this.#dominant = id !== undefined && this.#voices.has(id) ? id : undefined;
  }

  /** The voices to forward now; all of them where the room is small. */
  choose(everyone: boolean, now: number): ReadonlySet<string> {
    const known = [...this.#voices.keys()];
    if (everyone || known.length <= this.#places) {
      for (const id of known) if (!this.#forwarded.has(id)) this.#mark(id, now);
      this.#forwarded = new Set(known);
      return this.#forwarded;
    }
    const loudestFirst = known.toSorted((a, b) => this.#rank(b) - this.#rank(a));
    // After a small room grew, more are let through than there are places: the loudest stay.
    const kept = loudestFirst.filter((id) => this.#forwarded.has(id)).slice(0, this.#places);
    const waiting = loudestFirst.filter((id) => !kept.includes(id));
    while (kept.length < this.#places) {
      const next = waiting.shift();
      if (next === undefined) break;
      this.#mark(next, now);
      kept.push(next);
    }
    for (const challenger of waiting) {
      const quietest = kept.toSorted((a, b) => this.#rank(a) - this.#rank(b))[0];
      if (quietest === undefined || !this.#takesOver(challenger, quietest, now)) break;
      kept[kept.indexOf(quietest)] = challenger;
      this.#mark(challenger, now);
      this.#mark(quietest, now);
    }
    this.#forwarded = new Set(kept);
    return this.#forwarded;
  }

  /** Who is heard right now, loudest first. */
  speakers(): Level[] {
    return [...this.#forwarded]
      .filter((id) => (this.#voices.get(id)?.volume ?? silence) >= this.#audibleLevel)
      .toSorted((a, b) => this.#rank(b) - this.#rank(a))
      .slice(0, this.#places)
      .map((id) => ({ id, volume: Math.round(this.#voices.get(id)?.volume ?? silence) }));
  }

  #takesOver(challenger: string, quietest: string, now: number): boolean {
    const [loud, quiet] = [this.#voices.get(challenger), this.#voices.get(quietest)];
    if (!loud || !quiet || loud.volume < this.#audibleLevel) return false;
    if (this.#rank(challenger) < this.#rank(quietest) + margin) return false;
    // Who is silent has nothing to lose and makes room at once.
    return quiet.volume < this.#audibleLevel || now - quiet.changedAt >= holdMs;
  }

  /** Whoever has the floor goes first, but not with silence: each shard names somebody, and so does an idle one. */
  #rank(id: string): number {
    const level = this.#voices.get(id)?.level ?? silence;
    return id === this.#dominant && level >= this.#audibleLevel ? level - silence : level;
  }

  #mark(id: string, now: number): void {
    const voice = this.#voices.get(id);
    if (voice) voice.changedAt = now;
  }
}
