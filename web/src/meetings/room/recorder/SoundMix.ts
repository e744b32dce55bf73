/** All voices in one track: whoever comes is mixed in, whoever goes is taken out. */
export class SoundMix {
  readonly track: MediaStreamTrack;
  readonly #context: AudioContext;
  readonly #destination: MediaStreamAudioDestinationNode;
  readonly #sources = new Map<string, { track: MediaStreamTrack; node: MediaStreamAudioSourceNode }>();

  constructor(context: AudioContext) {
    this.#context = context;
    this.#destination = context.createMediaStreamDestination();
    const [track] = this.#destination.stream.getAudioTracks();
    if (!track) throw new Error('This browser mixes no sound.');
    this.track = track;
  }

  /** Everything that is to be heard from now on, by a key of its source. */
  hear(tracks: ReadonlyMap<string, MediaStreamTrack>): void {
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
    this.hear(new Map());
    this.track.stop();
  }
}

/**
 * Calls again and again, by the clock of the sound: timers and animation frames sleep while the page is hidden, and a
 * recording must not. The answer ends it.
 */
export function tickBySound(context: AudioContext, perSecond: number, tick: () => void): () => void {
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
