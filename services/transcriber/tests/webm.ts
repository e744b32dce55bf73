/** Writes WebM as a browser records it: unknown sizes, and no duration. */

const unknown = Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);

function element(id: number, body: Buffer, size?: Buffer): Buffer {
  const name = Buffer.from(id.toString(16), 'hex');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(0x10_00_00_00 + body.length);
  return Buffer.concat([name, size ?? length, body]);
}

const number = (id: number, value: number) => {
  const body = Buffer.alloc(4);
  body.writeUInt32BE(value);
  return element(id, body);
};
const text = (id: number, value: string) => element(id, Buffer.from(value));

function block(offsetMs: number): Buffer {
  const head = Buffer.from([0x81, 0, 0, 0x80]);
  head.writeInt16BE(offsetMs, 1);
  return element(0xa3, Buffer.concat([head, Buffer.from([0xf8, 0xff, 0xfe])]));
}

export interface WebmOptions {
  seconds: number;
  /** 1 for video, 2 for audio. */
  trackType?: number;
  /** Milliseconds between two blocks. */
  everyMs?: number;
  clusterMs?: number;
}

export function createWebm({ seconds, trackType = 2, everyMs = 60, clusterMs = 5_000 }: WebmOptions): Buffer {
  const head = element(
    0x1a_45_df_a3,
    Buffer.concat([number(0x4286, 1), number(0x42f7, 1), text(0x4282, 'webm'), number(0x4287, 4), number(0x4285, 2)]),
  );
  const info = element(0x15_49_a9_66, Buffer.concat([number(0x2a_d7_b1, 1_000_000), text(0x4d80, 'test')]));
  const audio = element(0xe1, Buffer.concat([number(0x9f, 1)]));
  const entry = Buffer.concat([
    number(0xd7, 1),
    number(0x73c5, 1),
    number(0x83, trackType),
    text(0x86, trackType === 2 ? 'A_OPUS' : 'V_VP8'),
    ...(trackType === 2 ? [audio] : []),
  ]);
  const tracks = element(0x16_54_ae_6b, element(0xae, entry));
  const clusters: Buffer[] = [];
  for (let start = 0; start < seconds * 1_000; start += clusterMs) {
    const elements = [number(0xe7, start)];
    for (let at = start; at < Math.min(start + clusterMs, seconds * 1_000); at += everyMs)
      elements.push(block(at - start));
    clusters.push(element(0x1f_43_b6_75, Buffer.concat(elements), unknown));
  }
  return Buffer.concat([head, element(0x18_53_80_67, Buffer.concat([info, tracks, ...clusters]), unknown)]);
}
