import type { Self } from '@nolo/api';
import { bytesOf, fileOf, placesIn } from '../../testing/placed/bytes.ts';
import { brokenJpeg, jpeg } from '../../testing/placed/pictures.ts';
import { cleanUpload } from './cleanUpload.ts';
import { sessionStore } from '../../session/session.ts';
import { locationQuestionStore } from './placeQuestion.ts';

test('a picture of a person, a group or a brand is uploaded without its location', async () => {
  const clean = await cleanUpload(fileOf(jpeg(), 'Me.jpg', 'image/jpeg'));
  expect(clean?.type).toBe('image/jpeg');
  expect(placesIn(await bytesOf(clean ?? new Blob()))).toEqual([]);
});

beforeAll(() => sessionStore.getState().signedIn({ id: 'u1' } as Self));

test('a picture that may reveal a location is uploaded only with consent', async () => {
  const file = fileOf(brokenJpeg(), 'Me.jpg', 'image/jpeg');
  for (const mayGo of [false, true]) {
    const stop = locationQuestionStore.subscribe(({ question }) => question?.answer(mayGo));
    expect((await cleanUpload(file)) !== null).toBe(mayGo);
    stop();
  }
});
