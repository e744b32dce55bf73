import type { VideoPoster } from './pictureProcessing.ts';

/** Timeout in milliseconds, because a browser may not report an unreadable file for minutes. */
const timeoutMs = 8_000;

/** Properties of a video before it plays. */
interface VideoPreview {
  readonly width: number;
  readonly height: number;
  /** Duration in seconds. */
  readonly duration: number | undefined;
  /** Poster of the video. */
  readonly still: VideoPoster | null;
}

function happens(target: EventTarget, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No ${event}.`)), timeoutMs);
    const done = (settle: () => void) => () => {
      clearTimeout(timer);
      settle();
    };
    target.addEventListener(event, done(resolve), { once: true });
    target.addEventListener(
      'error',
      done(() => reject(new Error(`Failed before ${event}.`))),
      { once: true },
    );
  });
}

const lengthOf = ({ duration }: HTMLMediaElement): number | undefined =>
  Number.isFinite(duration) && duration > 0 ? duration : undefined;

/**
 * Inspects the beginning of a video at any URL. Returns null if it has no picture. Rejects if this browser cannot read
 * it.
 */
export async function inspectVideo(address: string): Promise<VideoPreview | null> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  try {
    const ready = happens(video, 'loadeddata');
    video.src = address;
    await ready;
    const { videoWidth: width, videoHeight: height } = video;
    if (width === 0 || height === 0) return null;
    const duration = lengthOf(video);
    // The first frame is often black.
    const moved = happens(video, 'seeked');
    video.currentTime = Math.min(1, (duration ?? 0) / 4);
    await moved;
    const { createVideoPosterInWorker } = await import('./pictureWorkerClient.ts');
    return { width, height, duration, still: await createVideoPosterInWorker(video) };
  } finally {
    video.removeAttribute('src');
    video.load();
  }
}

/** Returns the duration of a sound in seconds, or undefined if it has none. Rejects if this browser cannot read it. */
export async function readSoundSeconds(address: string): Promise<number | undefined> {
  const audio = new Audio();
  try {
    const ready = happens(audio, 'loadedmetadata');
    audio.preload = 'metadata';
    audio.src = address;
    await ready;
    return lengthOf(audio);
  } finally {
    audio.removeAttribute('src');
  }
}
