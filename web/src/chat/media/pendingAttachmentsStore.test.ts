import {
  addAttachments,
  changeAttachment,
  chooseAttachment,
  clearAttachments,
  clearAllAttachments,
  removeAttachment,
  pendingAttachmentsStore,
} from './pendingAttachmentsStore.ts';

const file = (name: string) => new File(['x'], name);
const attachments = () => pendingAttachmentsStore.getState().byConversation['c1'];
const names = () => attachments()?.items.map((item) => item.file.name);
const idOf = (name: string) => attachments()?.items.find((item) => item.file.name === name)?.id ?? '';
afterEach(clearAllAttachments);

test('files are added in order, and the first one is selected for its caption', () => {
  addAttachments('c1', [file('a'), file('b')]);
  addAttachments('c1', [file('c')]);
  expect(names()).toEqual(['a', 'b', 'c']);
  expect(attachments()?.chosen).toBe(idOf('a'));
});

test('the next file is selected when the selected one is removed', () => {
  addAttachments('c1', [file('a'), file('b'), file('c')]);
  chooseAttachment('c1', idOf('b'));
  removeAttachment('c1', idOf('b'));
  expect(attachments()?.chosen).toBe(idOf('c'));
  removeAttachment('c1', idOf('c'));
  expect(attachments()?.chosen).toBe(idOf('a'));
});

test('each file has its own caption, in its own conversation', () => {
  addAttachments('c1', [file('a')]);
  addAttachments('c2', [file('z')], true);
  changeAttachment('c1', idOf('a'), { caption: 'The light!' });
  expect(attachments()?.items[0]?.caption).toBe('The light!');
  expect(pendingAttachmentsStore.getState().byConversation['c2']?.items[0]).toMatchObject({
    caption: '',
    asFile: true,
  });
});

test('the text in the field passes to the next file, unless that has its own', () => {
  addAttachments('c1', [file('a'), file('b'), file('c')]);
  expect(attachments()?.lead).toBe(idOf('a'));
  removeAttachment('c1', idOf('a'));
  expect(attachments()?.lead).toBe(idOf('b'));
  changeAttachment('c1', idOf('c'), { caption: 'Mine' });
  removeAttachment('c1', idOf('b'));
  expect(attachments()?.lead).toBe('');
});

test('removing the last file removes all pending attachments', () => {
  addAttachments('c1', [file('a')]);
  removeAttachment('c1', idOf('a'));
  expect(attachments()).toBeUndefined();
  addAttachments('c1', [file('a'), file('b')]);
  clearAttachments('c1');
  expect(attachments()).toBeUndefined();
});
