import { limits, openMessageContent, sealEnvelope, type StoredContent } from '@nolo/rules';
import { openFrame, openReply, sealContent, sealEdit, sealedFrame } from './messageContent.ts';

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
    expect(openMessageContent(kept(sealed, file))).toEqual({ ...everything, extra });
    expect(openMessageContent(kept(sealContent({ content: 'hi' }, clear)))).toEqual({ ...nothing, content: 'hi' });
  });

  it('is text if it looks like an envelope', () => {
    const words = '{"v":1,"text":"not this"}';
    expect(openMessageContent(kept(sealContent({ content: words }, clear))).content).toBe(words);
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
    expect(openMessageContent(kept(sealContent({ content }, clear))).content).toBe(content);
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
    expect(openMessageContent(kept(unsealedLookalike, { encryption: 'mls' })).content).toBe(unsealedLookalike);
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
  expect(openMessageContent(kept(details, { messageType: 'system' }))).toEqual({ ...nothing, content: details });
});

describe('a sealed envelope from a client', () => {
  it('is stored as it is', () => {
    const envelope = '{ "v": 1, "text": "look", "poll": 1 }';
    expect(sealContent({ envelope }, file)).toBe(envelope);
    expect(sealContent({ envelope: 'hi' }, clear)).toBe('hi');
    expect(sealContent({ envelope: '' }, file)).toBe('');
    expect(sealContent({ envelope: ' ' }, { ...clear, encryption: 'mls' })).toBe(' ');
  });

  it.each([
    ['has a long text', 'ä'.repeat(limits.messageContentBytes / 2 + 1), clear, 'message_too_large'],
    ['is blank', '\u200b', clear, 'message_blank'],
    ['is blank inside', '{"v":1,"poll":1}', clear, 'message_blank'],
    ['has a NUL', '{"v":1,"text":"a\\u0000b"}', clear, 'message_invalid'],
    ['has a lone surrogate inside', '{"v":1,"text":"a\\ud800"}', clear, 'message_invalid'],
    ['has a lone surrogate', 'a\ud800', clear, 'message_invalid'],
    ['has an oversized preview', sealEnvelope({ linkPreview: 'ä'.repeat(16_385) }), file, 'message_invalid'],
    ['has a negative duration', sealEnvelope({ voiceMessageDuration: -1 }), file, 'message_invalid'],
    ['is nested too deeply', `{"v":1,"text":"x","a":${'['.repeat(40)}${']'.repeat(40)}}`, clear, 'json_too_complex'],
  ])('is rejected if it %s', (_, envelope, kind, code) => {
    expect(() => sealContent({ envelope }, kind)).toThrow(refusal(code));
  });

  it.each([{ content: 'x' }, { fileName: 'a' }, { extra: {} }])('can have no fields beside it: %j', (given) => {
    expect(() => sealContent({ envelope: 'x', ...given }, clear)).toThrow(refusal('message_invalid'));
  });
});

describe('answers and frames for simple clients', () => {
  const sealed = sealContent(everything, file);

  it('contain the fields of the envelope and keep their other fields', () => {
    const data = { ...kept(sealed, file), id: 'm', seq: 3 };
    expect(openFrame('new_message', data)).toEqual({ ...file, ...everything, id: 'm', seq: 3 });
    expect(data.content).toBe(sealed);
    const rows = [
      { id: 'a', lastMessage: data },
      { id: 'b', lastMessage: null },
    ];
    openReply('conversations', rows);
    expect(rows[0]?.lastMessage).toMatchObject(everything);
    expect(openFrame('receipt', data)).toBe(data);
  });

  it('of plain text have null in all other fields of an envelope', () => {
    const opened = { ...clear, ...nothing, content: 'hi', id: 'm' };
    expect(openFrame('message_updated', { ...kept('hi'), id: 'm' })).toEqual(opened);
    expect(openFrame('message_updated', { ...kept('hi'), ...nothing, id: 'm' })).toEqual(opened);
  });

  it('show the content of a status update', () => {
    const content = sealEnvelope({ text: 'Hello', font: 'Verdana' });
    expect(openFrame('status_posted', { id: 'a', content, encryption: 'none' })).toMatchObject({
      id: 'a',
      content: 'Hello',
      font: 'Verdana',
    });
  });
});

test('frames for other clients have the envelope only, also from chat 0.3.0', () => {
  const data = { ...kept('hi'), id: 'm' };
  expect(sealedFrame('new_message', data)).toBe(data);
  expect(sealedFrame('new_message', { ...data, ...nothing })).toEqual(data);
});

describe('an edit', () => {
  const before = kept(sealContent({ ...everything, extra: { poll: 1 } }, file), file);
  const merge = (previous: StoredContent, edit: object, encryption: 'none' | 'mls' = 'none') =>
    sealEdit(() => Promise.resolve(previous), { encryption, ...edit });
  const after = async (edit: object) =>
    openMessageContent(kept(await merge(before, { content: 'new', ...edit }), file));

  it('changes the given fields and keeps the rest', async () => {
    expect(await after({})).toEqual({ ...everything, content: 'new', extra: { poll: 1 } });
    expect(await after({ linkPreview: null, extra: { plan: 2 } })).toEqual({
      ...everything,
      content: 'new',
      linkPreview: null,
      extra: { plan: 2 },
    });
    expect((await after({ extra: null })).extra).toBeUndefined();
  });

  it('cannot empty a text, but can empty a caption', async () => {
    await expect(merge(kept('x'), { content: ' ' })).rejects.toEqual(refusal('message_blank'));
    await expect(merge(kept('x'), { envelope: ' ' })).rejects.toEqual(refusal('message_blank'));
    expect((await after({ content: '' })).content).toBe('');
    expect(await merge(before, { envelope: '' })).toBe('');
  });

  it('carries nothing over to encrypted content, because it would be unreadable', async () => {
    expect(await merge(before, { content: 'c2VhbGVk' }, 'mls')).toBe('c2VhbGVk');
    const unread = kept('c2VhbGVk', { encryption: 'mls' });
    expect(await merge(unread, { content: 'open' })).toBe('open');
  });

  it('with a whole envelope replaces the content, and the message before is not read', async () => {
    const readBefore = () => Promise.reject(new Error('not needed'));
    expect(await sealEdit(readBefore, { envelope: '{"v":1,"text":"b"}', encryption: 'none' })).toBe(
      '{"v":1,"text":"b"}',
    );
    expect(await sealEdit(readBefore, { envelope: 'c2VhbGVk', encryption: 'mls' })).toBe('c2VhbGVk');
    await expect(sealEdit(readBefore, { envelope: 'x', linkPreview: '{}', encryption: 'none' })).rejects.toEqual(
      refusal('message_invalid'),
    );
  });
});

test('a file name contains no direction or control characters, whatever the sender wrote', () => {
  const named = (fileName: string) => openMessageContent(kept(sealEnvelope({ text: '', fileName }), file)).fileName;
  expect(named('photo\u202egpj.exe')).toBe('photogpj.exe');
  expect(named('half \ud83d.txt')).toBe('half .txt');
  expect(named('نامه\u200cها.pdf')).toBe('نامه\u200cها.pdf');
});
