import { sealEnvelope } from '@nolo/api';
import { limits } from '@nolo/rules';
import { openContent, openFrameContent, mergeContentEdit, sealContent, type StoredContent } from './messageContent.ts';

const clear = { encryption: 'none', messageType: 'text' } as const;
const file = { encryption: 'none', messageType: 'file' } as const;
const nothing = {
  fileName: null,
  voiceMessageDuration: null,
  voiceMessageTranscription: null,
  mediaInfo: null,
  linkPreview: null,
};
const kept = (content: string, more: Partial<StoredContent> = {}): StoredContent => ({ ...clear, content, ...more });
const refusal = (code: string) => expect.objectContaining({ code });

const everything = {
  content: 'look',
  fileName: 'photo.png',
  voiceMessageDuration: 1.5,
  voiceMessageTranscription: 'words',
  mediaInfo: '{"width":1}',
  linkPreview: '{"url":"https://a.example"}',
};

describe('cleartext content from a client', () => {
  it('survives a round trip', () => {
    const extra = { poll: { options: ['a'] } };
    const sealed = sealContent({ ...everything, extra }, file);
    expect(openContent(kept(sealed, file))).toEqual({ ...everything, extra });
    expect(openContent(kept(sealContent({ content: 'hi' }, clear)))).toEqual({ ...nothing, content: 'hi' });
  });

  it('is text if it looks like an envelope', () => {
    const words = '{"v":1,"text":"not this"}';
    expect(openContent(kept(sealContent({ content: words }, clear))).content).toBe(words);
  });

  it.each([
    ['is too long', { content: 'ä'.repeat(limits.messageContentBytes / 2 + 1) }, clear, 'message_too_large'],
    ['is blank', { content: ' \n\u200b ' }, clear, 'message_blank'],
    ['has a NUL', { content: 'a\0b' }, clear, 'message_invalid'],
    ['has a lone surrogate', { content: 'a\ud800' }, clear, 'message_invalid'],
    ['has a NUL in a name', { content: '', fileName: 'a\0' }, file, 'message_invalid'],
    [
      'has an overlong transcription',
      { content: '', voiceMessageTranscription: 'ä'.repeat(limits.messageContentBytes / 2 + 1) },
      file,
      'message_invalid',
    ],
    ['has overlong media details', { content: '', mediaInfo: 'ä'.repeat(2_049) }, file, 'message_invalid'],
    ['has an oversized preview', { content: 'x', linkPreview: 'ä'.repeat(16_385) }, clear, 'message_invalid'],
  ])('is rejected if it %s', (_, given, kind, code) => {
    expect(() => sealContent(given, kind)).toThrow(refusal(code));
  });

  it('can have the maximum length, and a caption can be blank', () => {
    const content = 'ä'.repeat(limits.messageContentBytes / 2);
    expect(openContent(kept(sealContent({ content }, clear))).content).toBe(content);
    expect(sealContent({ content: '' }, file)).toBe('');
  });

  it('is stored as plain text if it has no other fields', () => {
    expect(sealContent({ content: 'hi', fileName: '', linkPreview: null, mediaInfo: undefined }, clear)).toBe('hi');
  });
});

describe('encrypted content from a client', () => {
  const encrypted = { encryption: 'mls', messageType: 'text' } as const;

  it('is stored and returned unchanged', () => {
    expect(sealContent({ content: ' ' }, encrypted)).toBe(' ');
    const unsealedLookalike = '{"v":1,"text":"x"}';
    expect(openContent(kept(unsealedLookalike, { encryption: 'mls' })).content).toBe(unsealedLookalike);
  });

  it.each([{ fileName: 'a' }, { linkPreview: '{}' }, { voiceMessageDuration: 1 }, { extra: {} }])(
    'can have no cleartext fields: %j',
    (otherFields) => {
      expect(() => sealContent({ content: 'x', ...otherFields }, encrypted)).toThrow(refusal('message_invalid'));
    },
  );
});

it('a system message stays as it is', () => {
  const details = '{"v":1,"kind":"timer_changed"}';
  expect(openContent(kept(details, { messageType: 'system' }))).toEqual({ ...nothing, content: details });
});

describe('frames', () => {
  it('contain the fields of the envelope and keep their other fields', () => {
    const data = { ...kept(sealContent(everything, file), file), id: 'm', seq: 3 };
    expect(openFrameContent(data)).toEqual({ ...file, ...everything, id: 'm', seq: 3 });
  });

  it('of plain text have null in all other fields of an envelope', () => {
    expect(openFrameContent({ ...kept('hi'), id: 'm' })).toEqual({ ...clear, ...nothing, content: 'hi', id: 'm' });
  });

  it('of plain text from chat 0.2.0, which have these fields, give the same result', () => {
    expect(openFrameContent({ ...kept('hi'), ...nothing, id: 'm' })).toEqual(
      openFrameContent({ ...kept('hi'), id: 'm' }),
    );
  });
});

describe('an edit', () => {
  const before = kept(sealContent({ ...everything, extra: { poll: 1 } }, file), file);
  const after = (edit: object) =>
    openContent(kept(mergeContentEdit(before, { content: 'new', encryption: 'none', ...edit }), file));

  it('changes the given fields and keeps the rest', () => {
    expect(after({})).toEqual({ ...everything, content: 'new', extra: { poll: 1 } });
    expect(after({ linkPreview: null, extra: { plan: 2 } })).toEqual({
      ...everything,
      content: 'new',
      linkPreview: null,
      extra: { plan: 2 },
    });
    expect(after({ extra: null }).extra).toBeUndefined();
  });

  it('cannot empty a text, but can empty a caption', () => {
    expect(() => mergeContentEdit(kept('x'), { content: ' ', encryption: 'none' })).toThrow(refusal('message_blank'));
    expect(after({ content: '' }).content).toBe('');
  });

  it('carries nothing over to encrypted content, because it would be unreadable', () => {
    expect(mergeContentEdit(before, { content: 'c2VhbGVk', encryption: 'mls' })).toBe('c2VhbGVk');
    const unread = kept('c2VhbGVk', { encryption: 'mls' });
    expect(mergeContentEdit(unread, { content: 'open', encryption: 'none' })).toBe('open');
  });
});

test('a file name contains no direction or control characters, whatever the sender wrote', () => {
  const named = (fileName: string) => openContent(kept(sealEnvelope({ text: '', fileName }), file)).fileName;
  expect(named('photo\u202egpj.exe')).toBe('photogpj.exe');
  expect(named('half \ud83d.txt')).toBe('half .txt');
  expect(named('نامه\u200cها.pdf')).toBe('نامه\u200cها.pdf');
});
