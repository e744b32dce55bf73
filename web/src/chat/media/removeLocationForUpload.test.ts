import type { Self } from '@nolo/api';
import { bytesOf, fileOf, findLocationTraces } from '../../testing/filesWithLocation/bytes.ts';
import { brokenJpeg, jpeg } from '../../testing/filesWithLocation/pictures.ts';
import { removeLocationForUpload } from './removeLocationForUpload.ts';
import { sessionStore } from '../../session/session.ts';
import { locationWarningStore } from './locationWarning.ts';

test('a picture of a person, a group or a brand is uploaded without its location', async () => {
  const clean = await removeLocationForUpload(fileOf(jpeg(), 'Me.jpg', 'image/jpeg'));
  expect(clean?.type).toBe('image/jpeg');
  expect(findLocationTraces(await bytesOf(clean ?? new Blob()))).toEqual([]);
});

beforeAll(() => sessionStore.getState().signedIn({ id: 'u1' } as Self));

test('a picture that may reveal a location is uploaded only with consent', async () => {
  const file = fileOf(brokenJpeg(), 'Me.jpg', 'image/jpeg');
  for (const mayGo of [false, true]) {
    const stop = locationWarningStore.subscribe(({ question }) => question?.answer(mayGo));
    expect((await removeLocationForUpload(file)) !== null).toBe(mayGo);
    stop();
  }
});
