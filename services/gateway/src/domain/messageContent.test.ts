import { sealEnvelope } from '@nolo/api';
import { limits } from '@nolo/rules';
import { openContent, openFrame, revisedContent, sealContent, type Kept } from './messageContent.ts';

const clear = { encryption: 'none', messageType: 'text' } as const;
const file = { encryption: 'none', messageType: 'file' } as const;
const nothing = {
  fileName: null,
  voiceMessageDuration: null,
  voiceMessageTranscription: null,
  mediaInfo: null,
  linkPreview: null,
};
const kept = (content: string, more: Partial<Kept> = {}): Kept => ({ ...clear, content, ...more });
const refusal = (code: string) => expect.objectContaining({ code });

const everything = {
  content: 'look',
  fileName: 'photo.png',
  voiceMessageDuration: 1.5,
  voiceMessageTranscription: 'words',
  mediaInfo: '{"width":1}',
  linkPreview: '{"url":"https://a.example"}',
};

describe('what a client sends in the clear', () => {
  it('goes in and comes out the same', () => {
    const extra = { poll: { options: ['a'] } };
    const sealed = sealContent({ ...everything, extra }, file);
    expect(openContent(kept(sealed, file))).toEqual({ ...everything, extra });
    expect(openContent(kept(sealContent({ content: 'hi' }, clear)))).toEqual({ ...nothing, content: 'hi' });
  });

  it('that looks like an envelope is words', () => {
    const words = '{"v":1,"text":"not this"}';
    expect(openContent(kept(sealContent({ content: words }, clear))).content).toBe(words);
  });

  it.each([
    ['is too long', { content: 'ä'.repeat(limits.messageContentBytes / 2 + 1) }, clear, 'message_too_large'],
    ['is blank', { content: ' \n\u200b ' }, clear, 'message_blank'],
    ['has a NUL', { content: 'a\0b' }, clear, 'message_invalid'],
    ['has half a character', { content: 'a\ud800' }, clear, 'message_invalid'],
    ['has a NUL in a name', { content: '', fileName: 'a\0' }, file, 'message_invalid'],
    [
      'has too long a transcription',
      { content: '', voiceMessageTranscription: 'ä'.repeat(limits.messageContentBytes / 2 + 1) },
      file,
      'message_invalid',
    ],
    ['describes its medium at length', { content: '', mediaInfo: 'ä'.repeat(2_049) }, file, 'message_invalid'],
    ['has too large a preview', { content: 'x', linkPreview: 'ä'.repeat(16_385) }, clear, 'message_invalid'],
  ])('is refused where it %s', (_, given, kind, code) => {
    expect(() => sealContent(given, kind)).toThrow(refusal(code));
  });

  it('may be as long as it may, and a caption may be blank', () => {
    const content = 'ä'.repeat(limits.messageContentBytes / 2);
    expect(openContent(kept(sealContent({ content }, clear))).content).toBe(content);
    expect(sealContent({ content: '' }, file)).toBe('');
  });

  it('and is words alone is kept as that', () => {
    expect(sealContent({ content: 'hi', fileName: '', linkPreview: null, mediaInfo: undefined }, clear)).toBe('hi');
  });
});

describe('what a client encrypted', () => {
  const encrypted = { encryption: 'mls', messageType: 'text' } as const;

  it('is left as it is', () => {
    expect(sealContent({ content: ' ' }, encrypted)).toBe(' ');
    const looksOpen = '{"v":1,"text":"x"}';
    expect(openContent(kept(looksOpen, { encryption: 'mls' })).content).toBe(looksOpen);
  });

  it.each([{ fileName: 'a' }, { linkPreview: '{}' }, { voiceMessageDuration: 1 }, { extra: {} }])(
    'has nothing beside it in the clear: %j',
    (beside) => {
      expect(() => sealContent({ content: 'x', ...beside }, encrypted)).toThrow(refusal('message_invalid'));
    },
  );
});

it('what the server wrote is shown as it is', () => {
  const note = '{"v":1,"kind":"timer_changed"}';
  expect(openContent(kept(note, { messageType: 'system' }))).toEqual({ ...nothing, content: note });
});

describe('frames', () => {
  it('keep what is not said', () => {
    const data = { ...kept(sealContent(everything, file), file), id: 'm', seq: 3 };
    expect(openFrame(data)).toEqual({ ...file, ...everything, id: 'm', seq: 3 });
  });

  it('have null where plain words have nothing beside them', () => {
    expect(openFrame({ ...kept('hi'), id: 'm' })).toEqual({ ...clear, ...nothing, content: 'hi', id: 'm' });
  });

  it('of chat of 0.2.0 are shown the same', () => {
    expect(openFrame({ ...kept('hi'), ...nothing, id: 'm' })).toEqual(openFrame({ ...kept('hi'), id: 'm' }));
  });
});

describe('an edit', () => {
  const before = kept(sealContent({ ...everything, extra: { poll: 1 } }, file), file);
  const after = (edit: object) =>
    openContent(kept(revisedContent(before, { content: 'new', encryption: 'none', ...edit }), file));

  it('changes what it names, and leaves the rest', () => {
    expect(after({})).toEqual({ ...everything, content: 'new', extra: { poll: 1 } });
    expect(after({ linkPreview: null, extra: { plan: 2 } })).toEqual({
      ...everything,
      content: 'new',
      linkPreview: null,
      extra: { plan: 2 },
    });
    expect(after({ extra: null }).extra).toBeUndefined();
  });

  it('of the words to nothing is refused, and of a caption not', () => {
    expect(() => revisedContent(kept('x'), { content: ' ', encryption: 'none' })).toThrow(refusal('message_blank'));
    expect(after({ content: '' }).content).toBe('');
  });

  it('that encrypts takes nothing along, for nothing could be read of it', () => {
    expect(revisedContent(before, { content: 'c2VhbGVk', encryption: 'mls' })).toBe('c2VhbGVk');
    const unread = kept('c2VhbGVk', { encryption: 'mls' });
    expect(revisedContent(unread, { content: 'open', encryption: 'none' })).toBe('open');
  });
});

test('the name of a file has no characters that turn or hide it, whatever the sender wrote', () => {
  const named = (fileName: string) => openContent(kept(sealEnvelope({ text: '', fileName }), file)).fileName;
  expect(named('photo\u202egpj.exe')).toBe('photogpj.exe');
  expect(named('half \ud83d.txt')).toBe('half .txt');
  expect(named('نامه\u200cها.pdf')).toBe('نامه\u200cها.pdf');
});
