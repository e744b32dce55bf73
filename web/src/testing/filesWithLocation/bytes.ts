/*
 * Small files of many formats that contain their location as cameras and phones write it, and an independent search for
 * it. Neither shares code with the location removal.
 */

export const town = 'Signal Hill';
export const coordinates = '-33.9628+018.4098';

/** Arc second that appears nowhere else. */
export const [numerator, denominator] = [471_147, 9_973];

export type Bytes = readonly number[];

export const text = (words: string): Bytes => [...words].map((letter) => letter.charCodeAt(0) & 255);
export const bigEndian = (value: number, size = 4): Bytes =>
  Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** (size - 1 - at)) % 256);
export const littleEndian = (value: number, size = 4): Bytes => bigEndian(value, size).toReversed();
export const joinBytes = (...chunks: readonly Bytes[]): number[] => chunks.flat();
export const zeroBytes = (length: number): Bytes => Array.from({ length }, () => 0);

/** Returns the traces of the location in a file. */
export function findLocationTraces(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const traces: Record<string, Buffer> = {
    town: Buffer.from(town),
    coordinates: Buffer.from(coordinates),
    property: Buffer.from('GPSLatitude'),
    'key of QuickTime': Buffer.from('quicktime.location'),
    'seconds of arc': Buffer.from(joinBytes(bigEndian(numerator), bigEndian(denominator))),
    'seconds of arc, little-endian': Buffer.from(joinBytes(littleEndian(numerator), littleEndian(denominator))),
    'GPS tag': Buffer.of(0x88, 0x25, 0, 4),
    'GPS tag, little-endian': Buffer.of(0x25, 0x88, 4, 0),
    telemetry: Buffer.from('GPS5'),
  };
  return Object.entries(traces).flatMap(([name, trace]) => (file.includes(trace) ? [name] : []));
}

export const xmpPacket =
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
  `<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="33,57.768S" exif:GPSLongitude="18,24.588E"/>` +
  `</rdf:RDF></x:xmpmeta>`;

export const riffChunk = (type: string, body: Bytes): Bytes =>
  joinBytes(text(type), littleEndian(body.length), body, zeroBytes(body.length % 2));
export const riff = (type: string, ...chunks: readonly Bytes[]): Bytes =>
  riffChunk('RIFF', joinBytes(text(type), ...chunks));
export const riffList = (type: string, ...chunks: readonly Bytes[]): Bytes =>
  riffChunk('LIST', joinBytes(text(type), ...chunks));

export const movieBox = (type: string, ...bodies: readonly Bytes[]): Bytes => {
  const body = bodies.flat();
  return joinBytes(bigEndian(body.length + 8), text(type), body);
};
export const versioned = (type: string, ...bodies: readonly Bytes[]): Bytes => movieBox(type, [0, 0, 0, 0], ...bodies);
export const handlerBox = (type: string): Bytes => versioned('hdlr', zeroBytes(4), text(type), zeroBytes(13));

export const fileOf = (bytes: Bytes, name: string, type = ''): File =>
  new File([Uint8Array.from(bytes)], name, { type });
export const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());
