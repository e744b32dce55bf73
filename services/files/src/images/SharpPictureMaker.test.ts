import sharp from 'sharp';
import { SharpPictureMaker } from './SharpPictureMaker.ts';

test('more pictures than can be made soon are turned away', async () => {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const maker = new SharpPictureMaker();
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => maker.make(bytes)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  // Two are being made and sixteen wait.
  expect(refused).toHaveLength(22);
  expect(refused[0]?.reason).toMatchObject({ kind: 'unavailable', code: 'pictures_busy', retryAfterMs: 2000 });
  await expect(maker.make(bytes)).resolves.toMatchObject({ contentType: 'image/webp' });
});
