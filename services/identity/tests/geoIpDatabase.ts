/**
 * Builds a location database in MaxMind's format (MaxMind DB File Format Specification 2.0), small enough for a test:
 * an IPv6 tree with 24-bit records, IPv4 below ::/96, and a map per network.
 */
export function buildGeoIpDatabase(networks: Readonly<Record<string, unknown>>): Buffer {
  const nodes: [Branch, Branch][] = [[null, null]];
  const data: Buffer[] = [];
  let size = 0;
  for (const [network, record] of Object.entries(networks)) {
    const bits = bitsOf(network);
    const encoded = encode(record);
    let node = 0;
    bits.forEach((bit, depth) => {
      const branches = nodes[node] ?? [null, null];
      if (depth === bits.length - 1) branches[bit] = { at: size };
      else {
        const next = branches[bit];
        node = typeof next === 'number' ? next : nodes.push([null, null]) - 1;
        branches[bit] = node;
      }
    });
    data.push(encoded);
    size += encoded.length;
  }
  const separator = 16;
  const record = (branch: Branch): Buffer => {
    const value =
      branch === null ? nodes.length : typeof branch === 'number' ? branch : nodes.length + separator + branch.at;
    return Buffer.from([value >> 16, (value >> 8) & 255, value & 255]);
  };
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: 'Test-City',
    description: { en: 'Test database' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  };
  return Buffer.concat([
    ...nodes.flat().map(record),
    Buffer.alloc(separator),
    ...data,
    Buffer.from('abcdef', 'hex'),
    Buffer.from('MaxMind.com'),
    encode(metadata),
  ]);
}

/** Empty, another node, or the offset of a record in the data. */
type Branch = null | number | { at: number };

const textType = 2;
const numberType = 6;
const mapType = 7;
const arrayType = 11;

/** Writes the control byte. Types above seven follow in their own byte. */
function head(type: number, size: number): Buffer {
  if (size > 28) throw new Error('The test database does not support sizes above 28.');
  return type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size]);
}

function encode(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.concat([head(textType, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(numberType, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(arrayType, value.length), ...value.map(encode)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([head(mapType, entries.length), ...entries.flat().map(encode)]);
}

/** Returns the bits of an IPv4 network, below ::/96, or of an IPv6 network of whole groups. */
function bitsOf(network: string): (0 | 1)[] {
  const [address = '', length = ''] = network.split('/');
  const groups = address.includes('.')
    ? [...Array<string>(12).fill('0'), ...address.split('.').map((octet) => Number(octet).toString(16))]
    : address.split(':').flatMap((group) => {
        const four = group.padStart(4, '0');
        return [four.slice(0, 2), four.slice(2)];
      });
  const bits = groups.flatMap((group) =>
    [
      ...Number.parseInt(group === '' ? '0' : group, 16)
        .toString(2)
        .padStart(8, '0'),
    ].map((bit) => (bit === '1' ? 1 : 0)),
  );
  return bits.slice(0, Number(length) + (address.includes('.') ? 96 : 0));
}
