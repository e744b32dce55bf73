const headerBytes = 44;

/** Builds silence as a WAV file: 16 bits, one channel. */
export function createSilentWav(seconds: number, sampleRate = 8_000): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(headerBytes + seconds * sampleRate * 2);
  file.write('RIFF');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(file.length - headerBytes, 40);
  return file;
}
