import type { Message } from '@nolo/api';
import { listSharedMedia } from './listSharedMedia.ts';

const message = (id: string, messageType: Message['messageType'], more: Partial<Message> = {}): Message =>
  ({
    id,
    clientMessageId: null,
    messageType,
    content: '',
    fileUrl: null,
    fileName: null,
    fileSize: null,
    voiceMessageUrl: null,
    voiceMessageDuration: null,
    voiceMessageTranscription: null,
    mediaInfo: null,
    previewUrl: null,
    deletedAt: null,
    ...more,
  }) as Message;
const all = [
  message('a', 'image'),
  message('b', 'file'),
  message('c', 'text', { content: 'https://example.org and https://example.org and a@b.org' }),
  message('d', 'file', { mediaInfo: '{"type":"audio/ogg"}' }),
  message('e', 'video'),
  message('f', 'voice'),
  message('g', 'image', { deletedAt: '2026-01-01' }),
  message('h', 'system', { content: 'https://example.org' }),
];
const ids = (kind: Parameters<typeof listSharedMedia>[1]) =>
  listSharedMedia(all, kind).map(({ message: { id } }) => id);

test('shared items are found by type, newest first, without deleted ones', () => {
  expect(ids('media')).toEqual(['e', 'a']);
  expect(ids('files')).toEqual(['d', 'b']);
  expect(ids('voice')).toEqual(['f']);
});

test('each link of a message is listed once', () => {
  const [link, ...others] = listSharedMedia(all, 'links');
  expect(link?.message.id).toBe('c');
  expect(link?.href).toMatch(/^https:\/\/example\.org/);
  expect(others).toEqual([]);
});
