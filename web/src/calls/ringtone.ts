/**
 * Ringtones: two rising tones for an incoming call, a long low one for an outgoing call. Generated here, not loaded.
 */
interface Melody {
  notes: readonly { pitch: number; at: number; length: number }[];
  everyMs: number;
  loudness: number;
}

const melodies: Readonly<Record<'incoming' | 'outgoing', Melody>> = {
  incoming: {
    notes: [
      { pitch: 587.33, at: 0, length: 0.35 },
      { pitch: 880, at: 0.22, length: 0.5 },
      { pitch: 587.33, at: 0.9, length: 0.35 },
      { pitch: 880, at: 1.12, length: 0.5 },
    ],
    everyMs: 3_000,
    loudness: 0.16,
  },
  outgoing: { notes: [{ pitch: 425, at: 0, length: 1 }], everyMs: 4_000, loudness: 0.045 },
};

function play(context: AudioContext, { notes, loudness }: Melody): void {
  for (const { pitch, at, length } of notes) {
    const begin = context.currentTime + 0.02 + at;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = 'sine';
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(loudness, begin + 0.04);
    gain.gain.setValueAtTime(loudness, begin + length * 0.6);
    gain.gain.linearRampToValueAtTime(0.0001, begin + length);
    tone.connect(gain).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + length + 0.05);
  }
}

function ringHere(kind: 'incoming' | 'outgoing'): () => void {
  // Ringing stays visible without audio.
  if (typeof AudioContext === 'undefined') return () => {};
  const melody = melodies[kind];
  const context = new AudioContext();
  const playRingtone = () => {
    if (context.state === 'running') play(context, melody);
    else void context.resume().catch(() => undefined);
    // Browsers vibrate only on pages that the user has touched.
    if (kind === 'incoming' && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([300, 150, 300]);
  };
  context.addEventListener('statechange', () => {
    if (context.state === 'running') play(context, melody);
  });
  playRingtone();
  const timer = setInterval(playRingtone, melody.everyMs);
  return () => {
    clearInterval(timer);
    if (kind === 'incoming' && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(0);
    void context.close().catch(() => undefined);
  };
}

/** Rings until the returned function is called. If several tabs are open, only the first one is audible. */
export function playRingtone(kind: 'incoming' | 'outgoing'): () => void {
  if (kind === 'outgoing' || !navigator.locks) return ringHere(kind);
  const over = new AbortController();
  navigator.locks
    .request('nolo.ringtone', { signal: over.signal }, async () => {
      const silence = ringHere(kind);
      await new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve(), { once: true }));
      silence();
    })
    .catch(() => {
      // The call was over before it was this tab's turn.
    });
  return () => over.abort();
}
