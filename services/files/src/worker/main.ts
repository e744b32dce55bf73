import { isAppError } from '@nolo/kit/errors';
import { constants, getPriority, setPriority } from 'node:os';
import { cleanPicture } from '../images/cleanPicture.ts';
import { makeDisplayPicture } from '../images/makeDisplayPicture.ts';
import { measurePicture } from '../images/measurePicture.ts';
import type { PictureJob, PictureJobOutcome, PictureJobTask } from './messages.ts';

/**
 * Process that decodes pictures one by one. It has no access to databases, people or keys, and has a memory limit, so
 * the effect of a crafted file on a decoder ends here.
 */
const refused = (error: unknown): PictureJobOutcome => {
  const cause = isAppError(error) ? (error.cause ?? error) : error;
  const detail = (cause instanceof Error ? cause.message : String(cause)).slice(0, 300);
  // The decoders (libheif, libpng, libvips) report this only as text, without a code.
  const wantsMemory = /memory|alloc/i.test(detail);
  const isTooLarge = wantsMemory || (isAppError(error) && error.code === 'image_too_large');
  return { refused: isTooLarge ? 'image_too_large' : 'file_not_image', detail };
};

/** Returns true if the bytes cost what was charged: while a picture waits, its uploader can overwrite it. */
async function isAsCharged(work: Exclude<PictureJobTask, { kind: 'measure' }>): Promise<boolean> {
  const { cost } = await measurePicture(work.bytes, work.kind === 'clean' ? work.type : undefined);
  return cost === work.charged;
}

async function outcomeOf(work: PictureJobTask): Promise<PictureJobOutcome> {
  try {
    if (work.kind === 'measure') return { made: await measurePicture(work.bytes, work.type) };
    if (!(await isAsCharged(work)))
      return { refused: 'changed', detail: 'the bytes differ from those that were measured' };
    if (work.kind === 'make') return { made: await makeDisplayPicture(work.bytes, work.shape) };
    return { made: await cleanPicture(work.bytes, work.type, work.given) };
  } catch (error) {
    return refused(error);
  }
}

process.on('message', ({ id, work }: PictureJob) => {
  const before = process.cpuUsage();
  void outcomeOf(work).then((outcome) => {
    const { user, system } = process.cpuUsage(before);
    process.send?.({ ...outcome, id, cpuMs: (user + system) / 1000 });
  });
});
process.on('disconnect', () => process.exit());

// Calls and messages on the same machine take precedence. Raising the priority would fail in a container that runs at a
// lower one, so it is only lowered.
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
