/** Sounds of the devices: how loud a microphone is, and whether a loudspeaker works. */

/** Chooses the loudspeaker of an element, where the browser lets one choose. */
export async function playOn(element: HTMLMediaElement, speakerId: string | null): Promise<void> {
  const chosen = speakerId === 'default' ? '' : (speakerId ?? '');
  if (!('setSinkId' in element) || element.sinkId === chosen) return;
  // A loudspeaker that is gone leaves the default one.
  await element.setSinkId(chosen).catch(() => undefined);
}

const levelMs = 50;
const closedAfterMs = 1_000;

/** Tells a microphone's level, 0 to 1, twenty times a second; the answer ends it. */
export function watchLevel(track: MediaStreamTrack, onLevel: (level: number) => void): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let shown = 0;
  // Not with every frame that is drawn, which would have a page that else stands still drawn three times as often.
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    let sum = 0;
    for (const sample of samples) sum += sample * sample;
    const decibel = 20 * Math.log10(Math.sqrt(sum / samples.length) || 1e-6);
    // -60 dB is a quiet room, -12 dB somebody who speaks up.
    const level = Math.min(1, Math.max(0, (decibel + 60) / 48));
    // Falls slowly, as people expect of a meter.
    shown = Math.max(level, shown * 0.75);
    onLevel(shown);
  }, levelMs);
  // A page that was loaded anew has not been pressed yet, and the context waits for that.
  void context.resume().catch(() => undefined);
  return () => {
    clearInterval(timer);
    // Takes a page some milliseconds, and what comes after a meter on the screen is waited for.
    setTimeout(() => void context.close().catch(() => undefined), closedAfterMs);
  };
}

/** Three soft notes over the chosen loudspeaker; resolves when they have been played. */
export function playTestSound(speakerId: string | null): Promise<void> {
  return playNotes(speakerId, [523.25, 659.25, 783.99]);
}

/** Two notes, the second one lower, that are like no other sound here: somebody records. */
export function playRecordingChime(speakerId: string | null): Promise<void> {
  return playNotes(speakerId, [880, 587.33]);
}

async function playNotes(speakerId: string | null, pitches: readonly number[]): Promise<void> {
  const context = new AudioContext();
  const destination = context.createMediaStreamDestination();
  const start = context.currentTime + 0.05;
  for (const [index, pitch] of pitches.entries()) {
    const note = context.createOscillator();
    const loudness = context.createGain();
    const at = start + index * 0.22;
    note.frequency.value = pitch;
    loudness.gain.setValueAtTime(0, at);
    loudness.gain.linearRampToValueAtTime(0.25, at + 0.03);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.4);
    note.connect(loudness).connect(destination);
    note.start(at);
    note.stop(at + 0.45);
  }
  const element = new Audio();
  element.srcObject = destination.stream;
  await playOn(element, speakerId);
  // A chime for what somebody else did comes without a press, and waits for one in silence.
  void context.resume().catch(() => undefined);
  await element.play();
  await new Promise((resolve) => setTimeout(resolve, 300 + pitches.length * 220));
  element.srcObject = null;
  await context.close();
}
