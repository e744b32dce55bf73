import { readMediaInfo, writeMediaInfo } from './mediaInfo.ts';

test('info written by one client is read by another', () => {
  const info = {
    type: 'image/jpeg',
    width: 640,
    height: 480,
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
    waveform: [0, 50, 100],
  };
  expect(readMediaInfo(writeMediaInfo(info))).toEqual(info);
});

test.each([
  ['null', {}],
  ['"words"', {}],
  ['{', {}],
  ['{"width":-3,"height":"9","duration":1e999}', {}],
  ['{"type":"<img src=x>","thumbhash":"javascript:alert(1)"}', {}],
  ['{"waveform":[400,-2,"x",7]}', { waveform: [100, 0, 0, 7] }],
  ['{"waveform":[]}', {}],
])('only the valid fields of %s are read', (text, info) => {
  expect(readMediaInfo(text)).toEqual(info);
});

test('missing info has no fields', () => {
  expect(readMediaInfo(null)).toEqual({});
});
