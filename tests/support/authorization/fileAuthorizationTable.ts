import type { RouteName } from '@nolo/api';
import { must, tinyPng, type AuthorizationCast } from './authorizationCast.ts';
import { all, insiders, ownerOnly, type RouteExpectation } from './routeExpectation.ts';

/**
 * Uploads shared by all attempts that do not change them, because the number of open uploads per account is limited.
 */
const kept = new WeakMap<AuthorizationCast, Map<string, Promise<string>>>();
function once(cast: AuthorizationCast, name: string, make: () => Promise<string>): Promise<string> {
  const made = kept.get(cast) ?? new Map<string, Promise<string>>();
  kept.set(cast, made);
  const known = made.get(name) ?? make();
  made.set(name, known);
  return known;
}

const begin = async ({ owner }: AuthorizationCast): Promise<string> =>
  must(await owner.api.post('/s3/multipart', { filename: 'a.bin', type: '', metadata: {} }), 'An upload').body
    .uploadId as string;
const upload = (cast: AuthorizationCast) => once(cast, 'parts', () => begin(cast));
const keyed = (uploadId: string) => ({ params: { uploadId }, query: { key: `uploads/${uploadId}` } });

const form = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
  const body = new FormData();
  body.set('file', new Blob([bytes]), name);
  return body;
};

/** Uploads a picture of the owner and sends it to the conversation with the member. */
const sentPicture = (cast: AuthorizationCast) =>
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

/** Expectations of routes for files that people send to each other. */
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
    // Names parts that never arrived.
    attempt: async (cast) => ({ ...keyed(await upload(cast)), body: { parts: [{ PartNumber: 1, ETag: '"x"' }] } }),
    expected: ownerOnly(400),
  },
  // Aborting another user's upload has no effect, and neither does aborting twice.
  abortMultipart: { attempt: async (cast) => keyed(await begin(cast)), expected: all(200) },
  // Files are in a folder here. A server that supports temporary credentials tests their permissions (s3Credentials).
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
  // Refused before any request is sent, like links: no page is reachable by everyone from a test.
  getLinkMeta: { attempt: () => ({ body: { url: 'http://127.0.0.1/' } }), expected: all(422) },
  // Fetching does not start before the socket is connected.
  importLink: { attempt: () => ({ body: { url: 'http://127.0.0.1/' } }), expected: all(200) },
} satisfies Partial<Record<RouteName, RouteExpectation>>;
