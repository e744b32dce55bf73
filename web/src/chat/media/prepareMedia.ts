import { writeMediaInfo, type MediaInfo } from '@nolo/client/chat/mediaInfo';
import type { MediaFiles, UnsentMedia } from '@nolo/client/chat/ports';
import { isPicture } from './mediaRules.ts';
import { readSoundSeconds, inspectVideo } from './playable.ts';

/** File as it will be sent: without metadata, and with previews. */
export interface PreparedMedia {
  readonly media: UnsentMedia;
  readonly files: MediaFiles;
  /** True if the file may still contain its location. The app asks before sending it. */
  readonly canRevealLocation: boolean;
}

const endings: Readonly<Record<string, string>> = { 'image/jpeg': '.jpg', 'image/webp': '.webp' };

/** Returns the name with the extension of the new type. */
function renamed(name: string, type: string): string {
  const ending = endings[type];
  return ending === undefined ? name : name.replace(/\.[^.]*$/, '') + ending;
}

/** Prepares a file with all bytes, except those that reveal where, when, and with what it was created. */
async function asFile(file: File, info: MediaInfo = {}): Promise<PreparedMedia> {
  const { removeMetadataInWorker: cleanAway } = await import('./pictureWorkerClient.ts');
  const { file: clean, canRevealLocation } = await cleanAway(file);
  const type = file.type || 'application/octet-stream';
  return {
    media: {
      messageType: 'file',
      name: file.name,
      size: clean.size,
      info: writeMediaInfo({ type, ...info }),
      fields: null,
    },
    files: { file: clean },
    canRevealLocation,
  };
}

async function preparePicture(file: File): Promise<PreparedMedia> {
  const { processPictureInWorker } = await import('./pictureWorkerClient.ts');
  const made = await processPictureInWorker(file, file.type);
  // Unreadable for this browser.
  if (!made) return asFile(file);
  const { file: clean, width, height, moves, canRevealLocation, thumbhash, thumbnails } = made;
  const info: MediaInfo = {
    type: clean.type,
    width,
    height,
    ...(thumbhash !== undefined && { thumbhash }),
    ...(moves && { moves }),
  };
  const name = clean.type === file.type ? file.name : renamed(file.name, clean.type);
  return {
    media: { messageType: 'image', name, size: clean.size, info: writeMediaInfo(info), fields: null },
    files: { file: clean, thumbnails },
    canRevealLocation,
  };
}

async function prepareVideo(file: File): Promise<PreparedMedia> {
  const url = URL.createObjectURL(file);
  try {
    // A video that this browser cannot play has no preview, but others may play it.
    const preview = await inspectVideo(url).catch(() => undefined);
    if (preview === undefined) return await asFile(file);
    if (preview === null) return await prepareSound(file);
    const { width, height, duration, still } = preview;
    const info: MediaInfo = {
      type: file.type,
      width,
      height,
      ...(duration !== undefined && { duration }),
      ...(still?.thumbhash !== undefined && { thumbhash: still.thumbhash }),
    };
    const { removeMetadataInWorker: cleanAway } = await import('./pictureWorkerClient.ts');
    const { file: clean, canRevealLocation } = await cleanAway(file);
    return {
      media: { messageType: 'video', name: file.name, size: clean.size, info: writeMediaInfo(info), fields: null },
      files: { file: clean, ...(still && { poster: still.file, thumbnails: still.thumbnails }) },
      canRevealLocation,
    };
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function prepareSound(file: File): Promise<PreparedMedia> {
  const url = URL.createObjectURL(file);
  try {
    const duration = await readSoundSeconds(url).catch(() => undefined);
    return await asFile(file, duration === undefined ? {} : { duration });
  } finally {
    URL.revokeObjectURL(url);
  }
}

function prepare(file: File): Promise<PreparedMedia> {
  if (isPicture(file.type)) return preparePicture(file);
  if (file.type.startsWith('video/')) return prepareVideo(file);
  if (file.type.startsWith('audio/')) return prepareSound(file);
  return asFile(file);
}

/* Each file is prepared once per mode, however often its tile renders. */
const known = {
  shown: new WeakMap<File, Promise<PreparedMedia>>(),
  whole: new WeakMap<File, Promise<PreparedMedia>>(),
};

/** Prepares a file for sending. A displayed picture may be scaled down. One sent as `whole` keeps its size. */
export function prepareMedia(file: File, whole = false): Promise<PreparedMedia> {
  // A sound is a file in either mode, and its duration is determined.
  const way = whole && !file.type.startsWith('audio/') ? 'whole' : 'shown';
  const begun = known[way].get(file);
  if (begun) return begun;
  const made = (way === 'whole' ? asFile(file) : prepare(file)).catch(() => asFile(file));
  known[way].set(file, made);
  // A failure may be temporary, such as a lost connection.
  made.catch(() => known[way].delete(file));
  return made;
}
