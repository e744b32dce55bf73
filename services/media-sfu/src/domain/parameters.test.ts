import { isAppError } from '@nolo/kit/errors';
import {
  parseDtlsParameters,
  parseMediaId,
  parseRtpCapabilities,
  parseRtpParameters,
  parseMediaSource,
  parseSrtpParameters,
  parseVisibleTiles,
} from './parameters.ts';

const opus = { mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2 };

function codeOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
  return 'accepted';
}

test.each([
  ['no JSON', '{'],
  ['null', 'null'],
  ['an array', '[]'],
  ['nothing', '{}'],
  ['no codec', JSON.stringify({ codecs: [], encodings: [{}] })],
  ['a payload type out of range', JSON.stringify({ codecs: [{ ...opus, payloadType: 300 }], encodings: [{}] })],
  ['a negative ssrc', JSON.stringify({ codecs: [opus], encodings: [{ ssrc: -1 }] })],
  ['a fractional ssrc', JSON.stringify({ codecs: [opus], encodings: [{ ssrc: 1.5 }] })],
  ['nested codec parameters', JSON.stringify({ codecs: [{ ...opus, parameters: { a: { b: 1 } } }], encodings: [{}] })],
  [
    'an extension with id 0',
    JSON.stringify({ codecs: [opus], encodings: [{}], headerExtensions: [{ uri: 'a', id: 0 }] }),
  ],
  ['too many encodings', JSON.stringify({ codecs: [opus], encodings: Array.from({ length: 9 }, () => ({})) })],
  [
    'a length that cannot be compared',
    JSON.stringify({ mid: { length: { valueOf: 1, toString: 1 } }, codecs: [opus], encodings: [{}] }),
  ],
  ['a rid with invalid characters', JSON.stringify({ codecs: [opus], encodings: [{ rid: 'a b' }] })],
  ['more than one encoding of a voice', JSON.stringify({ codecs: [opus], encodings: [{ ssrc: 1 }, { ssrc: 2 }] })],
  ['an unknown scalability mode', JSON.stringify({ codecs: [opus], encodings: [{ scalabilityMode: 'L99T99' }] })],
  ['a codec of the wrong kind', JSON.stringify({ codecs: [{ ...opus, mimeType: 'video/VP8' }], encodings: [{}] })],
  ['too much data', JSON.stringify({ codecs: [opus], encodings: [{}], msid: 'a'.repeat(70_000) })],
])('RTP parameters with %s are rejected', (_, text) => {
  expect(codeOf(() => parseRtpParameters(text, 'audio'))).toBe('media_invalid');
});

test('fields unknown to mediasoup are dropped, and the rest is kept', () => {
  const given = { mid: '0', codecs: [opus], encodings: [{ ssrc: 1, scaleResolutionDownBy: 2 }], other: 1 };
  expect(parseRtpParameters(JSON.stringify(given), 'audio')).toEqual({
    mid: '0',
    codecs: [opus],
    encodings: [{ ssrc: 1 }],
  });
});

test('a client without codecs receives nothing', () => {
  expect(parseRtpCapabilities('{}')).toEqual({});
});

test('fingerprints are hashes with a known algorithm', () => {
  const value = Array.from({ length: 32 }, () => 'AB').join(':');
  const json = (fingerprint: object) => JSON.stringify({ role: 'client', fingerprints: [fingerprint] });
  expect(codeOf(() => parseDtlsParameters(json({ algorithm: 'sha-256', value })))).toBe('accepted');
  expect(codeOf(() => parseDtlsParameters(json({ algorithm: 'md5', value })))).toBe('media_invalid');
  expect(codeOf(() => parseDtlsParameters(json({ algorithm: 'sha-256', value: 'zz' })))).toBe('media_invalid');
  expect(codeOf(() => parseDtlsParameters('{"fingerprints":[]}'))).toBe('media_invalid');
});

test('ids, sources, keys and tiles are validated', () => {
  const tile = { participantId: 'a', source: 'camera', height: 180, priority: 1 };
  expect(parseVisibleTiles([tile])).toEqual([tile]);
  const wrong = [
    () => parseMediaId(''),
    () => parseMediaId('x'.repeat(101)),
    () => parseMediaSource('window'),
    () => parseSrtpParameters('{"cryptoSuite":"NONE","keyBase64":"AA=="}'),
    () => parseVisibleTiles([{ ...tile, height: 0 }]),
    () => parseVisibleTiles([{ ...tile, height: 1.5 }]),
    () => parseVisibleTiles([{ ...tile, priority: 256 }]),
    () => parseVisibleTiles([{ ...tile, source: 'microphone' }]),
  ];
  expect(wrong.map(codeOf)).toEqual(wrong.map(() => 'media_invalid'));
});
