import type { FileKind } from '@nolo/rules';
import { isDeclaredPicture, detectFileNature } from './nature.ts';

const declared = (kind?: FileKind, contentType = '') => ({ name: 'a', contentType, kind });

test.each<[string | undefined, FileKind | undefined, FileKind, string]>([
  ['video/mp4', undefined, 'video', 'video/mp4'],
  ['video/webm', 'voice', 'voice', 'audio/webm'],
  ['video/webm', 'audio', 'audio', 'audio/webm'],
  ['video/quicktime', 'voice', 'voice', 'audio/mp4'],
  ['audio/ogg; codecs=opus', 'voice', 'voice', 'audio/ogg'],
  ['audio/mpeg', undefined, 'audio', 'audio/mpeg'],
  ['audio/mpeg', 'image', 'audio', 'audio/mpeg'],
  ['audio/x-flac', 'file', 'audio', 'audio/flac'],
  ['application/pdf', 'video', 'file', 'application/pdf'],
  ['application/xml', undefined, 'file', 'application/octet-stream'],
  ['image/svg+xml', 'image', 'file', 'application/octet-stream'],
  ['application/wasm', undefined, 'file', 'application/octet-stream'],
  ['image/png', undefined, 'file', 'application/octet-stream'],
  [undefined, 'video', 'file', 'application/octet-stream'],
])('%p, declared as %p, is %p of type %p', (found, meant, kind, contentType) => {
  expect(detectFileNature(found, declared(meant))).toEqual({ kind, contentType });
});

test.each([
  ['video/webm', 'audio/webm'],
  ['video/mp4', 'audio/mp4'],
  ['video/quicktime', 'audio/mp4'],
])('%s without a video track is audio, whatever it is declared as', (found, contentType) => {
  expect(detectFileNature(found, declared(), 'audio')).toEqual({ kind: 'audio', contentType });
  expect(detectFileNature(found, declared('video'), 'audio')).toEqual({ kind: 'audio', contentType });
  expect(detectFileNature(found, declared(), 'video')).toEqual({ kind: 'video', contentType: found });
});

test('an image is recognized by its declared kind, or else by its type', () => {
  expect(isDeclaredPicture(declared('image'))).toBe(true);
  expect(isDeclaredPicture(declared(undefined, 'image/png; x=y'))).toBe(true);
  expect(isDeclaredPicture(declared('file', 'image/png'))).toBe(false);
  expect(isDeclaredPicture(declared(undefined, 'image/svg+xml'))).toBe(false);
  expect(isDeclaredPicture(declared())).toBe(false);
});
