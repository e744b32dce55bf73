/** Mixes all voices into one track. Sources are added and removed as people come and go. */
export class SoundMix {
  readonly track: MediaStreamTrack;
  readonly #context: AudioContext;
  readonly #destination: MediaStreamAudioDestinationNode;
  readonly #sources = new Map<string, { track: MediaStreamTrack; node: MediaStreamAudioSourceNode }>();

  constructor(context: AudioContext) {
    this.#context = context;
    this.#destination = context.createMediaStreamDestination();
    const [track] = this.#destination.stream.getAudioTracks();
    if (!track) throw new Error('This browser cannot mix audio.');
    this.track = track;
  }

  /** Sets the tracks to mix from now on, by a key of their source. */
  setTracks(tracks: ReadonlyMap<string, MediaStreamTrack>): void {
    for (const [key, { track, node }] of this.#sources) {
      if (tracks.get(key) === track) continue;
      node.disconnect();
      this.#sources.delete(key);
    }
    for (const [key, track] of tracks) {
      if (this.#sources.has(key) || track.readyState === 'ended') continue;
      const node = this.#context.createMediaStreamSource(new MediaStream([track]));
      node.connect(this.#destination);
      this.#sources.set(key, { track, node });
    }
  }

  close(): void {
    this.setTracks(new Map());
    this.track.stop();
  }
}

/**
 * Calls `tick` repeatedly by the audio clock: timers and animation frames pause while the page is hidden, but a
 * recording must not. Returns a function that stops it.
 */
export function tickByAudioClock(context: AudioContext, perSecond: number, tick: () => void): () => void {
  const silence = context.createGain();
  silence.gain.value = 0;
  silence.connect(context.destination);
  let source: ConstantSourceNode | undefined;
  let over = false;
  const next = () => {
    if (over) return;
    source = context.createConstantSource();
    source.connect(silence);
    source.addEventListener('ended', () => {
      source?.disconnect();
      if (over) return;
      next();
      tick();
    });
    source.start();
    source.stop(context.currentTime + 1 / perSecond);
  };
  next();
  return () => {
    over = true;
    source?.disconnect();
    silence.disconnect();
  };
}
