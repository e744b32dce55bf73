import { jest } from '@jest/globals';
import { fileOf, text } from '../../testing/filesWithLocation/bytes.ts';
import { removeMetadataInWorker } from './pictureWorkerClient.ts';

/** Workers that respond for files of some sizes, and never for others. */
class SlowWorker extends EventTarget {
  static readonly opened: SlowWorker[] = [];
  isOver = false;

  constructor() {
    super();
    SlowWorker.opened.push(this);
  }

  postMessage({ id, task }: { id: number; task: { file: Blob } }): void {
    if (task.file.size > 10) return;
    const made = { file: task.file, canRevealLocation: false };
    this.dispatchEvent(new MessageEvent('message', { data: { id, made } }));
  }

  terminate(): void {
    this.isOver = true;
  }
}

test('a file that takes too long to clean is asked about, and another worker cleans the next one', async () => {
  jest.useFakeTimers();
  Object.assign(globalThis, { Worker: SlowWorker });
  const [slow, quick] = [fileOf(text('this takes very long'), 'Slow'), fileOf(text('not long'), 'Quick')];
  const answers = Promise.all([removeMetadataInWorker(slow), removeMetadataInWorker(quick)]);
  await jest.advanceTimersByTimeAsync(61_000);
  expect(await answers).toEqual([
    { file: slow, canRevealLocation: true },
    { file: quick, canRevealLocation: false },
  ]);
  expect(SlowWorker.opened.map(({ isOver }) => isOver)).toEqual([true, false]);
  jest.useRealTimers();
});
