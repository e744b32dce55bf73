import { isAppError } from '@nolo/kit/errors';
import { constants, setPriority } from 'node:os';
import { cleanPicture } from '../images/cleanPicture.ts';
import { makePicture } from '../images/makePicture.ts';
import { measurePicture } from '../images/measurePicture.ts';
import type { Job, JobResult, Work } from './messages.ts';

/**
 * A process that decodes one picture after the other. It knows nothing of databases, people or keys, and has a limit on
 * its memory: what a crafted file does to a decoder ends here.
 */
const refused = (id: number, error: unknown): JobResult => {
  const cause = isAppError(error) ? (error.cause ?? error) : error;
  const detail = (cause instanceof Error ? cause.message : String(cause)).slice(0, 300);
  // The decoders have no code for it, only words: libheif's, libpng's and libvips' own.
  const wantsMemory = /memory|alloc/i.test(detail);
  const isTooLarge = wantsMemory || (isAppError(error) && error.code === 'image_too_large');
  return { id, refused: isTooLarge ? 'image_too_large' : 'file_not_image', detail };
};

function makeOf(work: Work) {
  switch (work.kind) {
    case 'measure':
      return measurePicture(work.bytes, work.type);
    case 'make':
      return makePicture(work.bytes, work.shape);
    case 'clean':
      return cleanPicture(work.bytes, work.type, work.given);
  }
}

process.on('message', ({ id, work }: Job) => {
  void makeOf(work)
    .then(
      (made): JobResult => ({ id, made }),
      (error: unknown) => refused(id, error),
    )
    .then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());

// Calls and messages on the same machine come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
