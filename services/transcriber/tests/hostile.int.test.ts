import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { audioFormats, type AudioFormat } from '../src/domain/ports.ts';
import { decodeAudio } from '../src/worker/decodeAudio.ts';
import { encodeWav } from '../src/worker/wav.ts';
import { createWebm } from './webm.ts';

/** Tests bytes that try to make the decoder read something else: a local file or an address. */

const run = promisify(execFile);
const { NOLO_TEST_FFMPEG: ffmpeg = '', PATH = '' } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'nolo-transcriber-hostile-'));
const canary = join(folder, 'canary.wav');
let server: Server;
let address: string;
let requestedUrls: string[];

beforeAll(async () => {
  if (ffmpeg === '') throw new Error('npm test brings FFmpeg, and said why it could not.');
  const tone = encodeWav({ samples: Float32Array.from({ length: 16_000 }, (_, at) => Math.sin(at / 6)), rate: 16_000 });
  writeFileSync(canary, tone);
  server = createServer((request, response) => {
    requestedUrls.push(request.url ?? '');
    response.setHeader('content-type', 'audio/wav').end(tone);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requestedUrls = [];
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Scripts that ffmpeg follows if it detects the format itself. */
const scripts: readonly [string, () => string][] = [
  ['a playlist', () => playlist(`${address}/playlist.wav`)],
  ['a playlist of files', () => playlist(`file://${canary}`)],
  ['a list of files', () => `ffconcat version 1.0\nfile '${canary}'\n`],
  ['a list of addresses', () => `ffconcat version 1.0\nfile '${address}/list.wav'\n`],
  ['a session description', () => 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n'],
];

function playlist(link: string): string {
  return `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\n${link}\n#EXT-X-ENDLIST\n`;
}

const decode = (bytes: Uint8Array, format: AudioFormat) =>
  decodeAudio({ id: 1, bytes, format, folder }, { ffmpeg, maxSeconds: 600, environment: { PATH } });

test('the trap works: an unrestricted decoder follows the URLs of a list', async () => {
  const list = join(folder, 'list.ffconcat');
  writeFileSync(list, `ffconcat version 1.0\nfile '${address}/trap.wav'\n`);
  const open = ['-protocol_whitelist', 'file,http,tcp', '-safe', '0', '-i', list, '-f', 'null', '-'];
  await run(ffmpeg, ['-nostdin', '-loglevel', 'error', ...open]);
  expect(requestedUrls).toContain('/trap.wav');
});

describe.each(audioFormats)('a script declared as %s', (format) => {
  test.each(scripts)('is not audio, and requests nothing: %s', async (_what, script) => {
    await expect(decode(Buffer.from(script()), format)).rejects.toMatchObject({ why: 'not_audio' });
    expect(requestedUrls).toEqual([]);
  });
});

test('a script after the start of a voice note is not followed either', async () => {
  const beginning = createWebm({ seconds: 1 });
  for (const [, script] of scripts) {
    const bytes = Buffer.concat([beginning, Buffer.from(`\n${script()}`)]);
    await decode(bytes, 'webm').catch(() => undefined);
  }
  expect(requestedUrls).toEqual([]);
});

/** Builds an MP4 box. */
function box(type: string, ...contents: (Buffer | number[])[]): Buffer {
  const body = Buffer.concat(contents.map((piece) => Buffer.from(piece)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

const zeros = (count: number) => Buffer.alloc(count);
const number = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
};

/** Builds an MP4 without video whose audio is in another file, as QuickTime allows: one second of plain samples. */
function withSoundElsewhere(link: string): Buffer {
  const entry = box('sowt', zeros(6), [0, 1], zeros(8), [0, 1, 0, 16], zeros(4), number(16_000 * 65_536));
  const samples = box(
    'stbl',
    box('stsd', number(0, 1), entry),
    box('stts', number(0, 1, 16_000, 1)),
    box('stsc', number(0, 1, 1, 16_000, 1)),
    box('stsz', number(0, 2, 16_000)),
    box('stco', number(0, 1, 44)),
  );
  const reference = box('dinf', box('dref', number(0, 1), box('url ', number(0), Buffer.from(`${link}\0`))));
  const media = box(
    'mdia',
    box('mdhd', number(0, 0, 0, 16_000, 16_000, 0)),
    box('hdlr', number(0, 0), Buffer.from('soun'), zeros(13)),
    box('minf', box('smhd', zeros(8)), reference, samples),
  );
  const track = box('trak', box('tkhd', number(1, 0, 0, 1, 0, 1_000), zeros(60)), media);
  const movie = box('moov', box('mvhd', number(0, 0, 0, 1_000, 1_000, 65_536), zeros(76)), track);
  return Buffer.concat([box('ftyp', Buffer.from('M4A '), number(0), Buffer.from('M4A mp42isom')), movie]);
}

test.each([
  ['an address', () => `${address}/elsewhere.wav`],
  ['a file', () => `file://${canary}`],
])('an MP4 file whose audio is in %s has no audio', async (_where, link) => {
  await expect(decode(withSoundElsewhere(link()), 'mp4')).rejects.toMatchObject({ why: 'not_audio' });
  expect(requestedUrls).toEqual([]);
});

test('a WAV file that claims more than it holds takes no memory for it', async () => {
  const bytes = encodeWav({ samples: new Float32Array(8_000), rate: 8_000 });
  bytes.writeUInt32LE(0xff_ff_ff_ff, 40);
  await expect(decode(bytes, 'wav')).resolves.toHaveLength(16_000);
  // Forty hours at 1 Hz would be gigabytes at our sample rate.
  bytes.writeUInt32LE(1, 24);
  await expect(decode(bytes, 'wav')).rejects.toMatchObject({ why: 'too_long' });
  bytes.writeUInt32LE(8_000, 24);
  bytes.writeUInt16LE(0xff_ff, 22);
  await expect(decode(bytes, 'wav')).rejects.toMatchObject({ why: 'not_audio' });
});
