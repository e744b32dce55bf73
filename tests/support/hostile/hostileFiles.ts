import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Malicious upload. */
export interface HostileFile {
  title: string;
  name: string;
  /** Type that the uploader declares. */
  type: string;
  bytes: Buffer;
}

const text = (value: string) => Buffer.from(value);
const raw = (value: string) => Buffer.from(value, 'latin1');
const page = (script: string) =>
  `<!doctype html><title>x</title><script>${script}</script><img src=x onerror='${script}'>`;
const drawing = (script: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" onload='${script}'><script>${script}</script><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;parent.${script}&lt;/script&gt;"/></foreignObject></svg>`;

/** Builds files that browsers might execute, whatever type they declare. The script contains no single quote. */
export function createScriptInjectionFiles(script: string): HostileFile[] {
  const html = page(script);
  const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`;
  const sheet = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#x"?><x:stylesheet id="x" version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:template match="/"><html><script>${script}</script></html></x:template></x:stylesheet>`;
  const file = (title: string, name: string, type: string, bytes: Buffer): HostileFile => ({
    title,
    name,
    type,
    bytes,
  });
  return [
    file('an HTML page', 'page.html', 'text/html', text(html)),
    file('an HTML page that claims to be a picture', 'page.png.html', 'image/svg+xml', text(html)),
    file('a page in UTF-16', 'wide.html', 'text/html; charset=utf-16', Buffer.from(`\uFEFF${html}`, 'utf16le')),
    file('an SVG with scripts', 'drawing.svg', 'image/svg+xml', text(drawing(script))),
    file('XHTML', 'a.xhtml', 'application/xhtml+xml', text(xhtml)),
    file('a style sheet that generates a page', 'a.xml', 'text/xml', text(sheet)),
    file('a script', 'a.js', 'text/javascript', text(script)),
    file('a WebAssembly module', 'a.wasm', 'application/wasm', Buffer.from('0061736d01000000', 'hex')),
    file('a script that begins like a GIF', 'a.gif', '', text(`GIF89a=1;${script}//`)),
    file('a page that begins like a PDF', 'a.pdf', 'application/pdf', text(`%PDF-1.4\n${html}`)),
    file('a page with header lines', 'a.eml', 'message/rfc822', text(`Content-Type: text/html\r\n\r\n${html}`)),
  ];
}

/** Builds media that are also valid pages: they may be shown and played only as media. */
export async function createScriptInjectionMedia(script: string): Promise<HostileFile[]> {
  const html = page(script);
  const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const png = await sharp(jpeg).png().toBuffer();
  const marker = Buffer.from([0xff, 0xfe, 0, 0]);
  marker.writeUInt16BE(html.length + 2, 2);
  const comment = Buffer.concat([marker, text(html)]);
  const film = (brand: string) => Buffer.concat([Buffer.from([0, 0, 0, 24]), text(`ftyp${brand}\0\0\0\0${brand}mp42`)]);
  const webm = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581', 'hex');
  return [
    {
      title: 'a JPEG with a page in its comment',
      name: 'a.jpg',
      type: 'image/jpeg',
      bytes: Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]),
    },
    { title: 'a PNG with a page appended', name: 'a.png', type: 'image/png', bytes: Buffer.concat([png, text(html)]) },
    {
      title: 'a video that is a page',
      name: 'a.mp4',
      type: 'video/mp4',
      bytes: Buffer.concat([film('isom'), text(html)]),
    },
    {
      title: 'a WebM that is a page',
      name: 'a.webm',
      type: 'video/webm',
      bytes: Buffer.concat([webm, Buffer.from([2]), text(html)]),
    },
    {
      title: 'an MP3 that is a page',
      name: 'a.mp3',
      type: 'audio/mpeg',
      bytes: Buffer.concat([raw('\xff\xfb\x90\0'), text(html)]),
    },
    {
      title: 'a WAV that is a page',
      name: 'a.wav',
      type: 'audio/wav',
      bytes: Buffer.concat([raw('RIFF\xff\xff\0\0WAVEfmt '), text(html)]),
    },
  ];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([text(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Builds a black and white PNG that expands to more than a thousand times its size. */
function pngOf(width: number, height: number, ...more: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 6 });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Builds an animation whose frames declare the full size of the canvas. */
function gifOf(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.from('47494638396100000000800000000000ffffff', 'hex');
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const frame = Buffer.from('21f9040000000000' + '2c000000000000000000' + '02024c01' + '00', 'hex');
  frame.writeUInt16LE(width, 13);
  frame.writeUInt16LE(height, 15);
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), text(';')]);
}

/** Builds small files that need the memory of a large machine. */
export async function createPictureBombs(): Promise<HostileFile[]> {
  const lossless = sharp({ create: { width: 16, height: 16, channels: 3, background: 'red' } }).webp({
    lossless: true,
  });
  const webp = await lossless.toBuffer();
  // Width and height have fourteen bits each.
  webp.writeUInt32LE(((16_382 << 14) | 16_382) >>> 0, 21);
  return [
    { title: 'a PNG of 900 million pixels', name: 'a.png', type: 'image/png', bytes: pngOf(30_000, 30_000) },
    { title: 'a GIF of 900 million pixels', name: 'a.gif', type: 'image/gif', bytes: gifOf(30_000, 30_000, 1) },
    { title: 'a GIF of a thousand large frames', name: 'b.gif', type: 'image/gif', bytes: gifOf(2_000, 2_000, 1_000) },
    { title: 'a WebP of 268 million pixels', name: 'a.webp', type: 'image/webp', bytes: webp },
  ];
}

/** Builds a picture of a few pixels with a text that expands to this many megabytes. */
export function createPictureWithTextBomb(megabytes: number): HostileFile {
  const words = deflateSync(Buffer.alloc(megabytes * 1_000_000));
  const textChunk = chunk('zTXt', Buffer.concat([text('Comment\0\0'), words]));
  const profile = chunk('iCCP', Buffer.concat([text('profile\0\0'), words]));
  return {
    title: 'a PNG with a text bomb',
    name: 'a.png',
    type: 'image/png',
    bytes: pngOf(64, 64, profile, textChunk),
  };
}

/** Builds an archive whose first file, which identifies the document type, expands to this many megabytes. */
export function createArchiveBomb(megabytes: number): HostileFile {
  const name = '[Content_Types].xml';
  const data = deflateRawSync(Buffer.alloc(megabytes * 1_000_000));
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt32LE(megabytes * 1_000_000, 22);
  header.writeUInt16LE(name.length, 26);
  const bytes = Buffer.concat([header, text(name), data]);
  return { title: 'a zip bomb', name: 'a.docx', type: 'application/zip', bytes };
}
