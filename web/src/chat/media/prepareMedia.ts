import { limits } from '@nolo/rules';
import type { MediaInfo } from '../engine/mediaInfo.ts';
import { writeMediaInfo } from '../engine/mediaInfo.ts';
import type { MediaFiles, UnsentMedia } from '../engine/ports.ts';
import { cleanHeif } from './cleanHeif.ts';
import { cleanPicture } from './cleanPicture.ts';
import { cleanVideo } from './cleanVideo.ts';
import { isPicture } from './mediaRules.ts';
import { lengthOfSound, lookAtVideo } from './playable.ts';

/** A file as it will be sent: without what it says of its maker, and with what others see before it is there. */
export interface PreparedMedia {
  readonly media: UnsentMedia;
  readonly files: MediaFiles;
}

const endings: Readonly<Record<string, string>> = { 'image/jpeg': '.jpg', 'image/webp': '.webp' };

/** A name that says what the file has become. */
function renamed(name: string, type: string): string {
  const ending = endings[type];
  return ending === undefined ? name : name.replace(/\.[^.]*$/, '') + ending;
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

/** A picture that this browser cannot show goes as a file, and without its notes where it is known where they stand. */
async function prepareUnseen(file: File): Promise<PreparedMedia> {
  if (file.size > limits.imageBytes) return asFile(file);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const clean = cleanPicture(bytes, file.type) ?? cleanHeif(bytes);
  return asFile(clean ? new File([clean], file.name, { type: file.type }) : file);
}

async function preparePicture(file: File): Promise<PreparedMedia> {
  const { makePicture } = await import('./pictureMaker.ts');
  const made = await makePicture(file, file.type);
  if (!made) return prepareUnseen(file);
  const { file: clean, width, height, moves, thumbhash, thumbnails } = made;
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
  };
}

async function prepareVideo(file: File): Promise<PreparedMedia> {
  const url = URL.createObjectURL(file);
  try {
    const looks = await lookAtVideo(url);
    if (!looks) return await prepareSound(file);
    const { width, height, duration, still } = looks;
    const info: MediaInfo = {
      type: file.type,
      width,
      height,
      ...(duration !== undefined && { duration }),
      ...(still?.thumbhash !== undefined && { thumbhash: still.thumbhash }),
    };
    const clean = await cleanVideo(file);
    return {
      media: { messageType: 'video', name: file.name, size: clean.size, info: writeMediaInfo(info), fields: null },
      files: { file: clean, ...(still && { poster: still.file, thumbnails: still.thumbnails }) },
    };
  } catch {
    return asFile(file);
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function prepareSound(file: File): Promise<PreparedMedia> {
  const url = URL.createObjectURL(file);
  try {
    const duration = await lengthOfSound(url);
    return asFile(file, duration === undefined ? {} : { duration });
  } catch {
    return asFile(file);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/* A file is prepared once, however often its tile is drawn. */
const known = new WeakMap<File, Promise<PreparedMedia>>();

function prepare(file: File): Promise<PreparedMedia> {
  if (isPicture(file.type)) return preparePicture(file);
  if (file.type.startsWith('image/')) return prepareUnseen(file);
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
  const made = prepare(file).catch(() => (file.type.startsWith('image/') ? prepareUnseen(file) : asFile(file)));
  known.set(file, made);
  return made;
}
