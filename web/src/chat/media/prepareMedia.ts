import type { MediaInfo } from '../engine/mediaInfo.ts';
import { writeMediaInfo } from '../engine/mediaInfo.ts';
import type { MediaFiles, UnsentMedia } from '../engine/ports.ts';
import { isPicture } from './mediaRules.ts';
import { lengthOfSound, lookAtVideo } from './playable.ts';

/** A file as it will be sent: without what it says of its maker, and with what others see before it is there. */
export interface PreparedMedia {
  readonly media: UnsentMedia;
  readonly files: MediaFiles;
  /** True where the file may still say where it was made: people are asked before it goes. */
  readonly mayTellPlace: boolean;
}

const endings: Readonly<Record<string, string>> = { 'image/jpeg': '.jpg', 'image/webp': '.webp' };

/** A name that says what the file has become. */
function renamed(name: string, type: string): string {
  const ending = endings[type];
  return ending === undefined ? name : name.replace(/\.[^.]*$/, '') + ending;
}

/** As a file with all its bytes, besides those that say where, when and with what it was made. */
async function asFile(file: File, info: MediaInfo = {}): Promise<PreparedMedia> {
  const { cleanAway } = await import('./pictureMaker.ts');
  const { file: clean, mayTellPlace } = await cleanAway(file);
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
    mayTellPlace,
  };
}

async function preparePicture(file: File): Promise<PreparedMedia> {
  const { makePicture } = await import('./pictureMaker.ts');
  const made = await makePicture(file, file.type);
  // This browser cannot show it.
  if (!made) return asFile(file);
  const { file: clean, width, height, moves, mayTellPlace, thumbhash, thumbnails } = made;
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
    mayTellPlace,
  };
}

async function prepareVideo(file: File): Promise<PreparedMedia> {
  const url = URL.createObjectURL(file);
  try {
    // Without looks where this browser cannot play it: it may elsewhere.
    const looks = await lookAtVideo(url).catch(() => undefined);
    if (looks === undefined) return await asFile(file);
    if (looks === null) return await prepareSound(file);
    const { width, height, duration, still } = looks;
    const info: MediaInfo = {
      type: file.type,
      width,
      height,
      ...(duration !== undefined && { duration }),
      ...(still?.thumbhash !== undefined && { thumbhash: still.thumbhash }),
    };
    const { cleanAway } = await import('./pictureMaker.ts');
    const { file: clean, mayTellPlace } = await cleanAway(file);
    return {
      media: { messageType: 'video', name: file.name, size: clean.size, info: writeMediaInfo(info), fields: null },
      files: { file: clean, ...(still && { poster: still.file, thumbnails: still.thumbnails }) },
      mayTellPlace,
    };
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function prepareSound(file: File): Promise<PreparedMedia> {
  const url = URL.createObjectURL(file);
  try {
    const duration = await lengthOfSound(url).catch(() => undefined);
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

/* A file is prepared once each way, however often its tile is drawn. */
const known = {
  shown: new WeakMap<File, Promise<PreparedMedia>>(),
  whole: new WeakMap<File, Promise<PreparedMedia>>(),
};

/** Makes of a file what is sent of it: a picture that is shown may become smaller, one that is sent `whole` keeps its size. */
export function prepareMedia(file: File, whole = false): Promise<PreparedMedia> {
  // A sound is a file in any case, and says how long it is.
  const way = whole && !file.type.startsWith('audio/') ? 'whole' : 'shown';
  const begun = known[way].get(file);
  if (begun) return begun;
  const made = (way === 'whole' ? asFile(file) : prepare(file)).catch(() => asFile(file));
  known[way].set(file, made);
  // What failed may work the next time: as without a network for a moment.
  made.catch(() => known[way].delete(file));
  return made;
}
