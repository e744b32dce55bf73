/** Sound of the devices: a microphone's level, and a test of the speaker. */

/** Selects the speaker of an element, if the browser supports it. */
export async function setSpeaker(element: HTMLMediaElement, speakerId: string | null): Promise<void> {
  const chosen = speakerId === 'default' ? '' : (speakerId ?? '');
  if (!('setSinkId' in element) || element.sinkId === chosen) return;
  // If the chosen speaker is gone, the default remains.
  await element.setSinkId(chosen).catch(() => undefined);
}

const levelMs = 50;
const closedAfterMs = 1_000;

/** Reports a microphone's level, 0 to 1, twenty times a second. Returns a function that stops it. */
export function watchMicrophoneLevel(track: MediaStreamTrack, onLevel: (level: number) => void): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let shown = 0;
  // A timer rather than animation frames, which would render an otherwise idle page three times as often.
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    let sum = 0;
    for (const sample of samples) sum += sample * sample;
    const decibel = 20 * Math.log10(Math.sqrt(sum / samples.length) || 1e-6);
    // -60 dB is a quiet room, and -12 dB a person speaking up.
    const level = Math.min(1, Math.max(0, (decibel + 60) / 48));
    // The level falls slowly, as in usual meters.
    shown = Math.max(level, shown * 0.75);
    onLevel(shown);
  }, levelMs);
  // A reloaded page has had no press yet, and the context waits for one.
  void context.resume().catch(() => undefined);
  return () => {
    clearInterval(timer);
    // Closing takes some milliseconds, and the user waits for what follows a meter on the screen.
    setTimeout(() => void context.close().catch(() => undefined), closedAfterMs);
  };
}

/** Plays three soft notes on the chosen speaker. Resolves when they have been played. */
export function playTestSound(speakerId: string | null): Promise<void> {
  return playNotes(speakerId, [523.25, 659.25, 783.99]);
}

/** Plays two falling notes, unlike any other sound in the app, to announce a recording. */
export function playRecordingChime(speakerId: string | null): Promise<void> {
  return playNotes(speakerId, [880, 587.33]);
}

async function playNotes(speakerId: string | null, pitches: readonly number[]): Promise<void> {
  const context = new AudioContext();
  const destination = context.createMediaStreamDestination();
  const start = context.currentTime + 0.05;
  for (const [index, pitch] of pitches.entries()) {
    const oscillator = context.createOscillator();
    const loudness = context.createGain();
    const at = start + index * 0.22;
    oscillator.frequency.value = pitch;
    loudness.gain.setValueAtTime(0, at);
    loudness.gain.linearRampToValueAtTime(0.25, at + 0.03);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.4);
    oscillator.connect(loudness).connect(destination);
    oscillator.start(at);
    oscillator.stop(at + 0.45);
  }
  const element = new Audio();
  element.srcObject = destination.stream;
  await setSpeaker(element, speakerId);
  // A chime for another person's action plays without a press, and stays silent until there is one.
  void context.resume().catch(() => undefined);
  await element.play();
  await new Promise((resolve) => setTimeout(resolve, 300 + pitches.length * 220));
  element.srcObject = null;
  await context.close();
}
