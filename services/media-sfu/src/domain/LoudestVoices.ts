/** Recent loudness in dBov: -127 is silence, 0 is the maximum. */
export interface VoiceLevel {
  readonly id: string;
  readonly volume: number;
}

interface Voice {
  /** Smoothed level: rises quickly and falls slowly, so a pause between words does not end a turn. */
  level: number;
  /** Latest measurement. */
  volume: number;
  measuredAt: number;
  /** Time of the latest change between forwarded and held back. */
  changedAt: number;
}

const silence = -127;
const riseMs = 120;
const fallMs = 900;

/** Level by which a voice must exceed the quietest forwarded one to replace it, in dB. */
const margin = 6;
/** Minimum time that a voice keeps its place. */
const holdMs = 800;

/**
 * Chooses the voices to forward: the loudest few. Nobody can follow more than three people, and a hundred open
 * microphones are mostly keyboards. Hysteresis in level and time keeps the choice stable.
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

  /** Adds a microphone that is on. */
  add(id: string, now: number): void {
    if (this.#voices.has(id)) return;
    this.#voices.set(id, { level: silence, volume: silence, measuredAt: now, changedAt: now - holdMs });
  }

  /** Removes a microphone that was muted or is gone. */
  remove(id: string): void {
    this.#voices.delete(id);
    if (this.#dominant === id) this.#dominant = undefined;
  }

  /** Records one measurement of all voices. Voices missing from it were silent. */
  updateLevels(levels: readonly VoiceLevel[], now: number): void {
    const volumes = new Map(levels.map(({ id, volume }) => [id, volume]));
    for (const [id, voice] of this.#voices) {
      const volume = volumes.get(id) ?? silence;
      const share = 1 - Math.exp(-(now - voice.measuredAt) / (volume > voice.level ? riseMs : fallMs));
      voice.level += (volume - voice.level) * share;
      voice.volume = volume;
      voice.measuredAt = now;
    }
  }

  /** Sets the dominant speaker reported by the observer. While audible, they are always forwarded and ranked first. */
  setDominant(id: string | undefined): void {
    this.#dominant = id !== undefined && this.#voices.has(id) ? id : undefined;
  }

  /** Returns the voices to forward now. Small rooms forward all. */
  choose(everyone: boolean, now: number): ReadonlySet<string> {
    const known = [...this.#voices.keys()];
    if (everyone || known.length <= this.#places) {
      for (const id of known) if (!this.#forwarded.has(id)) this.#recordChange(id, now);
      this.#forwarded = new Set(known);
      return this.#forwarded;
    }
    const loudestFirst = known.toSorted((a, b) => this.#rank(b) - this.#rank(a));
    // A small room that grew forwards more voices than there are places; the loudest stay.
    const kept = loudestFirst.filter((id) => this.#forwarded.has(id)).slice(0, this.#places);
    const waiting = loudestFirst.filter((id) => !kept.includes(id));
    while (kept.length < this.#places) {
      const next = waiting.shift();
      if (next === undefined) break;
      this.#recordChange(next, now);
      kept.push(next);
    }
    for (const challenger of waiting) {
      const quietest = kept.toSorted((a, b) => this.#rank(a) - this.#rank(b))[0];
      if (quietest === undefined || !this.#takesOver(challenger, quietest, now)) break;
      kept[kept.indexOf(quietest)] = challenger;
      this.#recordChange(challenger, now);
      this.#recordChange(quietest, now);
    }
    this.#forwarded = new Set(kept);
    return this.#forwarded;
  }

  /** Returns the audible voices, loudest first. */
  speakers(): VoiceLevel[] {
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
    // A silent voice makes room at once.
    return quiet.volume < this.#audibleLevel || now - quiet.changedAt >= holdMs;
  }

  /** Ranks the dominant speaker first, but only while audible: every shard names someone, even an idle one. */
  #rank(id: string): number {
    const level = this.#voices.get(id)?.level ?? silence;
    return id === this.#dominant && level >= this.#audibleLevel ? level - silence : level;
  }

  #recordChange(id: string, now: number): void {
    const voice = this.#voices.get(id);
    if (voice) voice.changedAt = now;
  }
}
