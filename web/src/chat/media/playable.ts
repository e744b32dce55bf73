import type { MadeStill } from './pictureWork.ts';

/** A browser that cannot read something says nothing about it, for minutes. */
const timeoutMs = 8_000;

/** What is seen and known of a video before it plays. */
interface VideoLooks {
  readonly width: number;
  readonly height: number;
  /** Seconds. */
  readonly duration: number | undefined;
  /** What stands in its place. */
  readonly still: MadeStill | null;
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
 * Looks at the beginning of a video, whatever it is fetched from; null where it has nothing to see. Rejects where this
 * browser cannot read it.
 */
export async function lookAtVideo(address: string): Promise<VideoLooks | null> {
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
    // The very first picture is often black.
    const moved = happens(video, 'seeked');
    video.currentTime = Math.min(1, (duration ?? 0) / 4);
    await moved;
    const { makeStill } = await import('./pictureMaker.ts');
    return { width, height, duration, still: await makeStill(video) };
  } finally {
    video.removeAttribute('src');
    video.load();
  }
}

/** How long a sound is, in seconds; undefined where it does not say. Rejects where this browser cannot read it. */
export async function lengthOfSound(address: string): Promise<number | undefined> {
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
