import { limits } from '@nolo/rules';
import { configStore } from '../../session/config.ts';
import { getMaxFileBytes } from '../../session/fileLimit.ts';
import { mayAttach, mayRecord, maxFilesPerSelection, selectSendableFiles } from './mediaRules.ts';

const all = { files: true, voiceNotes: true };
const group = (allowFileSharing: boolean, myRole: 'member' | 'admin' | 'owner') => ({
  myRole,
  group: { settings: { allowFileSharing } } as never,
});
const file = (size: number) => ({ size, name: 'a' }) as File;

test('only media that the installation and the group accept is offered', () => {
  const direct = { group: null, myRole: 'member' as const };
  expect([mayAttach(direct, all), mayRecord(direct, all)]).toEqual([true, true]);
  expect([mayAttach(direct, {}), mayRecord(direct, { files: true })]).toEqual([false, false]);
  expect(mayRecord(direct, { voiceNotes: true })).toBe(false);
  expect(mayAttach(group(false, 'member'), all)).toBe(false);
  expect(mayRecord(group(false, 'member'), all)).toBe(false);
  expect(mayAttach(group(false, 'admin'), all)).toBe(true);
  expect(mayAttach(group(true, 'member'), all)).toBe(true);
});

test('files that cannot be sent are left out, with the reason', () => {
  expect(selectSendableFiles([file(1), file(0)], 0)).toEqual({ taken: [file(1)], problem: 'empty' });
  expect(selectSendableFiles([file(limits.fileBytes + 1)], 0)).toEqual({ taken: [], problem: 'tooLarge' });
  expect(selectSendableFiles([file(1), file(2)], maxFilesPerSelection - 1)).toEqual({
    taken: [file(1)],
    problem: 'tooMany',
  });
  expect(selectSendableFiles([file(1)], 0).problem).toBeNull();
});

test('a file may be as large as operators allow, if they set a limit', () => {
  const takes = (fileBytes: number) => configStore.setState({ config: { limits: { fileBytes } } as never });
  takes(2_097_152);
  expect(selectSendableFiles([file(2_097_152)], 0)).toEqual({ taken: [file(2_097_152)], problem: null });
  expect(selectSendableFiles([file(2_097_153)], 0)).toEqual({ taken: [], problem: 'tooLarge' });
  expect([getMaxFileBytes(1_000), getMaxFileBytes(limits.statusMediaBytes)]).toEqual([1_000, 2_097_152]);
  configStore.setState({ config: null });
  expect(getMaxFileBytes(limits.statusMediaBytes)).toBe(limits.statusMediaBytes);
});
