import type { MediaInfo } from '../../state/mediaInfo.ts';
import { writeMediaInfo } from '../../state/mediaInfo.ts';
import type { MediaFiles, UnsentMedia } from '../../state/ports.ts';
import { cleanPicture } from './cleanPicture.ts';
import { cleanVideo } from './cleanVideo.ts';
import { isPicture } from './mediaRules.ts';
import { thumbhashOf } from './thumbhash.ts';

/** A file as it will be sent: without what it says of its maker, and with what others see before it is there. */
export interface PreparedMedia {
  readonly media: UnsentMedia;
  readonly files: MediaFiles;
}

/** A picture beyond this is made smaller: no screen shows more, and it takes long to send. */
const mostEdge = 4_096;
const posterEdge = 960;
/** A browser that cannot read a video says nothing about it, for minutes. */
const videoPatienceMs = 8_000;

function toBlob(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => {
    canvas.toBlob(resolve, type, quality);
  });
}

/** The picture drawn anew, at most so large. */
async function drawn(
  picture: CanvasImageSource,
  width: number,
  height: number,
  most: number,
  type: string,
): Promise<Blob | null> {
  const scale = Math.min(1, most / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return toBlob(canvas, type, type === 'image/jpeg' ? 0.9 : 0.92);
}

function renamed(name: string, type: string): string {
  return type === 'image/jpeg' ? name.replace(/\.[^.]*$/, '') + '.jpg' : name;
}

/** As it is, for what nothing else can be made of. */
function asFile(file: File, info: MediaInfo = {}): PreparedMedia {
  const type = file.type || 'application/octet-stream';
  return {
    media: {
      messageType: 'file',
      name: file.name,
      size: file.size,
      info: writeMediaInfo({ type, ...info }),
      fields: null,
    },
    files: { file },
  };
}

/** The same without its notes: byte for byte where its kind allows it and it is not too large, else drawn anew. */
async function cleaned(file: File, bitmap: ImageBitmap): Promise<Blob | null> {
  const fits = Math.max(bitmap.width, bitmap.height) <= mostEdge || file.type === 'image/gif';
  if (fits) {
    const clean = cleanPicture(new Uint8Array(await file.arrayBuffer()), file.type);
    if (clean) return new Blob([clean], { type: file.type });
  }
  // What moves would stand still.
  if (file.type === 'image/gif') return null;
  return drawn(bitmap, bitmap.width, bitmap.height, mostEdge, file.type === 'image/png' ? 'image/png' : 'image/jpeg');
}

async function preparePicture(file: File): Promise<PreparedMedia> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    // Its name says picture, and its bytes do not, or not to this browser.
    return asFile(file);
  }
  try {
    const clean = await cleaned(file, bitmap);
    if (!clean) return asFile(file);
    const scale = file.type === 'image/gif' ? 1 : Math.min(1, mostEdge / Math.max(bitmap.width, bitmap.height));
    const thumbhash = thumbhashOf(bitmap, bitmap.width, bitmap.height);
    const info: MediaInfo = {
      type: clean.type,
      width: Math.round(bitmap.width * scale),
      height: Math.round(bitmap.height * scale),
      ...(thumbhash !== undefined && { thumbhash }),
    };
    const name = clean.type === file.type ? file.name : renamed(file.name, clean.type);
    return {
      media: { messageType: 'image', name, size: clean.size, info: writeMediaInfo(info), fields: null },
      files: { file: clean },
    };
  } finally {
    bitmap.close();
  }
}

function happens(target: EventTarget, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No ${event}.`)), videoPatienceMs);
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

async function prepareVideo(file: File): Promise<PreparedMedia> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  try {
    const ready = happens(video, 'loadeddata');
    video.src = url;
    await ready;
    const { videoWidth: width, videoHeight: height } = video;
    if (width === 0 || height === 0) return await prepareSound(file);
    const duration = Number.isFinite(video.duration) ? video.duration : undefined;
    // The very first picture is often black.
    const moved = happens(video, 'seeked');
    video.currentTime = Math.min(1, (duration ?? 0) / 4);
    await moved;
    const poster = await drawn(video, width, height, posterEdge, 'image/jpeg');
    const thumbhash = thumbhashOf(video, width, height);
    const info: MediaInfo = {
      type: file.type,
      width,
      height,
      ...(duration !== undefined && duration > 0 && { duration }),
      ...(thumbhash !== undefined && { thumbhash }),
    };
    const clean = await cleanVideo(file);
    return {
      media: { messageType: 'video', name: file.name, size: clean.size, info: writeMediaInfo(info), fields: null },
      files: { file: clean, ...(poster && { poster }) },
    };
  } catch {
    return asFile(file);
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

async function prepareSound(file: File): Promise<PreparedMedia> {
  const url = URL.createObjectURL(file);
  const audio = new Audio();
  try {
    const ready = happens(audio, 'loadedmetadata');
    audio.preload = 'metadata';
    audio.src = url;
    await ready;
    const { duration } = audio;
    return asFile(file, Number.isFinite(duration) && duration > 0 ? { duration } : {});
  } catch {
    return asFile(file);
  } finally {
    audio.removeAttribute('src');
    URL.revokeObjectURL(url);
  }
}

/* A file is prepared once, however often its tile is drawn. */
const known = new WeakMap<File, Promise<PreparedMedia>>();

function prepare(file: File): Promise<PreparedMedia> {
  if (isPicture(file.type)) return preparePicture(file);
  if (file.type.startsWith('video/')) return prepareVideo(file);
  if (file.type.startsWith('audio/')) return prepareSound(file);
  return Promise.resolve(asFile(file));
}

/** Makes of a file what is sent of it; with `whole` it goes as it is. */
export function prepareMedia(file: File, whole = false): Promise<PreparedMedia> {
  // A sound is a file in any case, and says how long it is.
  if (whole && !file.type.startsWith('audio/')) return Promise.resolve(asFile(file));
  const begun = known.get(file);
  if (begun) return begun;
  const made = prepare(file).catch(() => asFile(file));
  known.set(file, made);
  return made;
}
