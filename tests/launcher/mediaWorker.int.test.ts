import { canRunWorker, findMediasoupIncompatibility } from '../../scripts/mediaWorker/workerCheck.ts';
import { provideMediaWorker } from '../../scripts/mediaWorker/provideMediaWorker.ts';

// `npm test` provides the worker before this stage, so nothing is fetched or built here.
test('the provided media worker starts, creates routers for Opus and VP8, and carries a packet over SRTP', async () => {
  const { binary } = await provideMediaWorker();
  await expect(canRunWorker(binary)).resolves.toBe(true);
  await expect(findMediasoupIncompatibility(binary)).resolves.toBeUndefined();
});

test('a program that is not a worker is detected', async () => {
  await expect(canRunWorker('/bin/true')).resolves.toBe(false);
  await expect(findMediasoupIncompatibility('/bin/true')).resolves.toMatch(/./);
});
