import type { Message } from '@nolo/api';
import { mediaOfMessage, toStoredObjectPath } from './shownMedia.ts';

const path = '/objects/5f0c3e9e-1b1a-4f3e-9a43-7f1f3a0d2c11';
const message = (more: Partial<Message>): Message =>
  ({
    id: 'm1',
    clientMessageId: 'c1',
    messageType: 'file',
    fileUrl: path,
    fileName: 'a.pdf',
    fileSize: 9,
    voiceMessageUrl: null,
    voiceMessageDuration: null,
    voiceMessageTranscription: null,
    mediaInfo: null,
    previewUrl: null,
    deletedAt: null,
    ...more,
  }) as Message;

test('only our own files are requested', () => {
  expect(toStoredObjectPath(path)).toBe(path);
  for (const url of [
    'https://evil.example/x',
    '//evil.example/objects/x',
    'javascript:alert(1)',
    `${path}/../x`,
    null,
  ]) {
    expect(toStoredObjectPath(url)).toBeNull();
  }
  expect(mediaOfMessage(message({ fileUrl: 'https://evil.example/x' }))?.url).toBeNull();
});

test('audio that was sent as a file can be played', () => {
  expect(mediaOfMessage(message({ mediaInfo: '{"type":"audio/mpeg","duration":12}' }))).toMatchObject({
    kind: 'audio',
    duration: 12,
  });
  expect(mediaOfMessage(message({}))?.kind).toBe('file');
  expect(mediaOfMessage(message({ messageType: 'voice', voiceMessageUrl: path, fileUrl: null }))?.url).toBe(path);
});

test('text and deleted messages have no media', () => {
  expect(mediaOfMessage(message({ messageType: 'text' }))).toBeNull();
  expect(mediaOfMessage(message({ deletedAt: '2026-01-01' }))).toBeNull();
});
