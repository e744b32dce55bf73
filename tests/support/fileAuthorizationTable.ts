import type { RouteName } from '@nolo/api';
import { must, tinyPng, type Cast } from './authorizationCast.ts';
import type { Expectation, Signed } from './authorizationTable.ts';

const all = (status: number): Signed => ({
  stranger: status,
  neighbour: status,
  removed: status,
  blocked: status,
  coHost: status,
  member: status,
  owner: status,
});
const ownerOnly = (status: number): Signed => ({ ...all(404), owner: status });
const insiders = (status: number): Signed => ({ ...all(404), member: status, owner: status });

/** An account may have only so many uploads open, so those that nothing changes are shared by all attempts. */
const kept = new WeakMap<Cast, Map<string, Promise<string>>>();
function once(cast: Cast, name: string, make: () => Promise<string>): Promise<string> {
  const made = kept.get(cast) ?? new Map<string, Promise<string>>();
  kept.set(cast, made);
  const known = made.get(name) ?? make();
  made.set(name, known);
  return known;
}

const begin = async ({ owner }: Cast): Promise<string> =>
  must(await owner.api.post('/s3/multipart', { filename: 'a.bin', type: '', metadata: {} }), 'An upload').body
    .uploadId as string;
const upload = (cast: Cast) => once(cast, 'parts', () => begin(cast));
const keyed = (uploadId: string) => ({ params: { uploadId }, query: { key: `uploads/${uploadId}` } });

const form = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
  const body = new FormData();
  body.set('file', new Blob([bytes]), name);
  return body;
};

/** A picture of the owner, sent into the conversation with the member. */
const sentPicture = (cast: Cast) =>
  once(cast, 'picture', async () => {
    const { owner, conversationId } = cast;
    const picture = form('picture.png', new Uint8Array(tinyPng));
    const { body } = must(await owner.api.request('POST', '/api/upload-media', { body: picture }), 'A file');
    const message = { conversationId, content: '', messageType: 'image', fileUrl: body.url };
    must(await owner.api.post('/api/messages', message), 'A message');
    return body.id as string;
  });

const unsigned = { expires: String(Date.parse('2100-01-01')), signature: 'A'.repeat(43) };
const bytes = { body: tinyPng, headers: { 'content-type': 'application/octet-stream' } };

/** Files that people send one another. */
export const fileExpectations = {
  getUploadParameters: { attempt: () => ({ query: { filename: 'a.bin' } }), expected: all(200), byNewcomer: true },
  createMultipart: {
    attempt: () => ({ body: { filename: 'a.bin', type: '', metadata: {} } }),
    expected: all(200),
    byNewcomer: true,
  },
  listParts: { attempt: async (cast) => keyed(await upload(cast)), expected: ownerOnly(200) },
  signPart: {
    attempt: async (cast) => {
      const { params, query } = keyed(await upload(cast));
      return { params: { ...params, partNumber: '1' }, query };
    },
    expected: ownerOnly(200),
  },
  completeMultipart: {
    // Of parts that never came.
    attempt: async (cast) => ({ ...keyed(await upload(cast)), body: { parts: [{ PartNumber: 1, ETag: '"x"' }] } }),
    expected: ownerOnly(400),
  },
  // Giving up what is not one's own changes nothing, and neither does giving it up again.
  abortMultipart: { attempt: async (cast) => keyed(await begin(cast)), expected: all(200) },
  // Files lie in a folder here. What credentials let whom do is tested with a server that gives some (s3Credentials).
  getTemporaryCredentials: { attempt: () => ({}), expected: all(501) },
  writeFile: {
    attempt: async (cast) => ({ id: await upload(cast), query: unsigned, ...bytes }),
    expected: all(404),
  },
  writePart: {
    attempt: async (cast) => ({ params: { id: await upload(cast), partNumber: '1' }, query: unsigned, ...bytes }),
    expected: all(404),
  },
  uploadMedia: { attempt: () => ({ body: form('a.bin', new Uint8Array([1])) }), expected: all(200) },
  finishFile: { attempt: async (cast) => ({ id: await sentPicture(cast) }), expected: ownerOnly(200) },
  getFile: { attempt: async (cast) => ({ id: await sentPicture(cast) }), expected: insiders(200) },
  getStorage: { attempt: () => ({}), expected: all(200) },
  // Refused before anything is asked, as links are: there is no page that everybody could reach from a test.
  getLinkMeta: { attempt: () => ({ body: { url: 'http://127.0.0.1/' } }), expected: all(422) },
  // Nothing is fetched before the socket is there.
  importLink: { attempt: () => ({ body: { url: 'http://127.0.0.1/' } }), expected: all(200) },
} satisfies Partial<Record<RouteName, Expectation>>;
