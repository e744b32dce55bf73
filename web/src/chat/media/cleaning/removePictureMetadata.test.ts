import { removePictureMetadata, hasPrintColors, readJpegOrientation, pictureTypeOf } from './removePictureMetadata.ts';

const text = (words: string) => [...words].map((letter) => letter.charCodeAt(0));
const bytes = (...chunks: number[][]) => Uint8Array.from(chunks.flat());
const has = (file: Uint8Array | null, words: string) => Buffer.from(file ?? []).includes(words);

const segment = (marker: number, body: number[]) => {
  const length = body.length + 2;
  return [0xff, marker, length >> 8, length & 255, ...body];
};
const exif = (orientation: number) => {
  const entry = [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0];
  return segment(0xe1, [...text('Exif\0\0II'), ...entry, ...text('Table Mountain')]);
};
const scan = [...segment(0xda, [1, 2, 3]), 9, 9, 0xff, 0, 9, 0xff, 0xd9];

test('a JPEG keeps its picture, its colours and its orientation', () => {
  const clean = removePictureMetadata(
    bytes(
      [0xff, 0xd8],
      segment(0xe0, text('JFIF\0')),
      exif(6),
      segment(0xe1, text('http://ns.adobe.com/xap/1.0/\0 GPS')),
      segment(0xe2, text('ICC_PROFILE\0')),
      segment(0xe2, text('MPF\0')),
      segment(0xfe, text('by my phone')),
      segment(0xdb, [7, 7]),
      scan,
      text('ftypmp42 a video with a place'),
    ),
  );
  for (const words of ['Table Mountain', 'GPS', 'MPF', 'my phone', 'ftyp']) expect(has(clean, words)).toBe(false);
  for (const words of ['JFIF', 'ICC_PROFILE']) expect(has(clean, words)).toBe(true);
  expect([...(clean ?? [])].slice(-scan.length)).toEqual(scan);
  expect(readJpegOrientation((clean ?? new Uint8Array()).subarray(2, 38))).toBe(6);
});

test('an upright JPEG gets no orientation note', () => {
  const clean = removePictureMetadata(bytes([0xff, 0xd8], exif(1), segment(0xdb, [7]), scan));
  expect([...(clean ?? [])]).toEqual([0xff, 0xd8, ...segment(0xdb, [7]), ...scan]);
});

test('a JPEG in print colours is recognised, and keeps them', () => {
  const frame = (components: number) => segment(0xc0, [8, 0, 1, 0, 1, components, 0, 0]);
  const picture = (components: number) => bytes([0xff, 0xd8], segment(0xdb, [7]), frame(components), scan);
  expect([hasPrintColors(picture(4)), hasPrintColors(picture(3))]).toEqual([true, false]);
  expect(removePictureMetadata(picture(4))).toEqual(picture(4));
});

const chunk = (type: string, body: number[]) => [0, 0, 0, body.length, ...text(type), ...body, 1, 2, 3, 4];
const pngStart = [0x89, ...text('PNG\r\n'), 0x1a, 0x0a];

test('a PNG loses its metadata and what follows its end', () => {
  const picture = [chunk('IHDR', [1]), chunk('gAMA', [2]), chunk('IDAT', [3]), chunk('IEND', [])];
  const clean = removePictureMetadata(
    bytes(
      pngStart,
      ...picture.slice(0, 1),
      chunk('tEXt', text('Author Ada')),
      chunk('eXIf', text('GPS')),
      ...picture.slice(1),
      text('more'),
    ),
  );
  expect([...(clean ?? [])]).toEqual([...pngStart, ...picture.flat()]);
});

const riff = (...chunks: number[][]) => {
  const body = [...text('WEBP'), ...chunks.flat()];
  return bytes([...text('RIFF'), body.length, 0, 0, 0], body);
};
const webpChunk = (type: string, body: number[]) => {
  const padding = body.length % 2 === 1 ? [0] : [];
  return [...text(type), body.length, 0, 0, 0, ...body, ...padding];
};

test('a WebP loses its metadata and the flags for it', () => {
  const clean = removePictureMetadata(
    riff(
      webpChunk('VP8X', [0x1c, 0, 0, 0]),
      webpChunk('VP8 ', [5]),
      webpChunk('EXIF', text('GPS')),
      webpChunk('XMP ', text('x')),
    ),
  );
  expect([...(clean ?? [])]).toEqual([...riff(webpChunk('VP8X', [0x10, 0, 0, 0]), webpChunk('VP8 ', [5]))]);
});

test('a GIF keeps its animation', () => {
  const start = [...text('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 1, 1, 1];
  const loop = [0x21, 0xff, 11, ...text('NETSCAPE2.0'), 3, 1, 0, 0, 0];
  const xmp = [0x21, 0xff, 11, ...text('XMP DataXMP'), 2, 8, 8, 0];
  const comment = [0x21, 0xfe, 3, ...text('Ada'), 0];
  const frame = [0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const clean = removePictureMetadata(bytes(start, loop, comment, xmp, frame, [0x3b], text('more')));
  expect([...(clean ?? [])]).toEqual([...start, ...loop, ...frame, 0x3b]);
});

test('a file of any other kind is left unchanged', () => {
  for (const other of [bytes(text('nothing of the kind')), new Uint8Array()]) {
    expect([pictureTypeOf(other), removePictureMetadata(other)]).toEqual([null, null]);
  }
});

test('a truncated file is left unchanged', () => {
  expect(removePictureMetadata(bytes([0xff, 0xd8], exif(6).slice(0, 20)))).toBeNull();
  expect(removePictureMetadata(bytes(pngStart, chunk('IDAT', [1, 2]).slice(0, 11)))).toBeNull();
});

/** Exif with an orientation and a name. */
const exifData = [...text('MM\0*'), 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];

test('the orientation of a PNG or WebP is preserved', () => {
  const png = bytes(
    pngStart,
    chunk('IHDR', [1]),
    chunk('eXIf', [...exifData, ...text('Table Mountain')]),
    chunk('IDAT', [3]),
    chunk('IEND', []),
  );
  const webp = (exif: number[]) =>
    riff(webpChunk('VP8X', [8, 0, 0, 0]), webpChunk('VP8 ', [5]), webpChunk('EXIF', exif));
  const clean = removePictureMetadata(png);
  expect([has(clean, 'Table'), Buffer.from(clean ?? []).includes(Buffer.from(exifData))]).toEqual([false, true]);
  for (const start of ['', 'Exif\0\0']) {
    expect(removePictureMetadata(webp([...text(start), ...exifData, ...text('Table Mountain')]))).toEqual(
      webp(exifData),
    );
  }
});

test('a WebP whose size covers nothing or a part is left unchanged', () => {
  const whole = riff(webpChunk('VP8X', [2, 0, 0, 0]), webpChunk('ANMF', [5, 5]), webpChunk('ANMF', [6, 6]));
  for (const size of [0, whole.length - 18]) {
    const broken = whole.slice();
    broken[4] = size;
    expect(removePictureMetadata(broken)).toBeNull();
  }
});
