import { jest } from '@jest/globals';
import type { Self } from '@nolo/api';
import { fileOf } from '../../testing/filesWithLocation/bytes.ts';
import { brokenJpeg, jpeg } from '../../testing/filesWithLocation/pictures.ts';
import type { ChatEngine } from '@nolo/client/chat/chatEngine';
import { sessionStore } from '../../session/session.ts';
import { locationWarningStore } from './locationWarning.ts';
import { sendAttachments } from './sendAttachments.ts';

const captioned = (file: File) => ({
  item: { id: file.name, file, caption: '', asFile: true },
  caption: '',
  extras: {},
});

/** Answers the next question, and returns the file names in it. */
function answerWith(mayGo: boolean): readonly string[][] {
  const questions: string[][] = [];
  const stop = locationWarningStore.subscribe(({ question }) => {
    if (!question) return;
    questions.push([...question.names]);
    stop();
    question.answer(mayGo);
  });
  return questions;
}

const files = [fileOf(brokenJpeg(), 'Broken.jpg', 'image/jpeg'), fileOf(jpeg(), 'Hill.jpg', 'image/jpeg')];

beforeAll(() => sessionStore.getState().signedIn({ id: 'u1' } as Self));

test('a file that may reveal where it was taken is sent only with consent', async () => {
  const send = jest.fn<ChatEngine['send']>();
  const engine = { send } as unknown as ChatEngine;
  const all = files.map(captioned);

  const kept = answerWith(false);
  expect(await sendAttachments(engine, 'c1', all)).toBe(false);
  expect([kept, send.mock.calls.length]).toEqual([[['Broken.jpg']], 0]);

  const sent = answerWith(true);
  expect(await sendAttachments(engine, 'c1', all)).toBe(true);
  expect([sent, send.mock.calls.length]).toEqual([[['Broken.jpg']], 2]);
});
